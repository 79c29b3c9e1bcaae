// Package vision lets the agent look at a picture through the model of the side task "vision", which is the main model
// where none is configured. A result of a tool is text, so the picture goes into a request of its own and its
// description comes back.
//
// It refuses to send anything that is no picture, and files and addresses that the permission check did not let through.
package vision

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"talaria/engine"
)

//go:embed vision_analyze.md
var doc string

//go:embed look.md
var system string

const (
	limit = 2 * time.Minute // for the fetch and the answer together
	reply = 4000            // tokens, the model's thinking included
)

// Options is what the tool needs. Can reports whether there is a model that may see, as far as is known. Read opens a
// picture by path, Fetch one by address; both make it fit what models take.
type Options struct {
	Ask   engine.Aux
	Can   func() bool
	Read  func(path string) (engine.Image, error)
	Fetch func(ctx context.Context, address string) (engine.Image, error)
}

type input struct {
	Image    string `json:"image"`
	Question string `json:"question"`
}

// tool is vision_analyze, which is there only where a model can see.
type tool struct {
	engine.Tool
	engine.Toucher
	can func() bool
}

// New returns the tool.
func New(o Options) engine.Tool {
	t := engine.NewTool(engine.Spec{Name: "vision_analyze", Doc: doc, Effect: engine.Reads, Toolset: "vision"},
		func(ctx context.Context, c engine.Call, in input, _ engine.Output) (engine.Result, error) {
			return o.run(ctx, c, in)
		},
		func(in input) []string {
			if remote(in.Image) || in.Image == "" {
				return nil
			}
			return []string{in.Image}
		})
	return tool{t, t.(engine.Toucher), o.Can}
}

// Available reports whether a model can see.
func (t tool) Available() bool { return t.can == nil || t.can() }

func remote(image string) bool {
	low := strings.ToLower(image)
	return strings.HasPrefix(low, "https://") || strings.HasPrefix(low, "http://")
}

func (o Options) run(ctx context.Context, c engine.Call, in input) (engine.Result, error) {
	switch {
	case strings.TrimSpace(in.Image) == "":
		return engine.Badly(c, "image is empty: give a path or a web address"), nil
	case strings.TrimSpace(in.Question) == "":
		return engine.Badly(c, "question is empty: say what you want to know of the picture"), nil
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	img, err := o.open(timed, in.Image)
	if ctx.Err() != nil {
		return engine.Result{}, ctx.Err()
	}
	if err != nil {
		return engine.Failed(c, "the picture was not looked at: %v", err), nil
	}
	m := engine.UserMessage(in.Question, time.Now())
	m.Parts = append(m.Parts, img)
	said, err := o.Ask(timed, engine.Request{System: system, Messages: []engine.Message{m}, MaxTokens: reply})
	switch {
	case ctx.Err() != nil:
		return engine.Result{}, ctx.Err()
	case err != nil:
		return engine.Failed(c, "no model could look at the picture: %v. auxiliary.vision in the settings names one that can.", err), nil
	case strings.TrimSpace(said.Text()) == "":
		return engine.Failed(c, "the model that looked at the picture said nothing"), nil
	}
	r := engine.Succeeded(c, engine.Untrusted("what a model saw in "+short(in.Image), said.Text()))
	r.Note = fmt.Sprintf("%d KB", (len(img.Data)+1023)/1024)
	return r, nil
}

func (o Options) open(ctx context.Context, image string) (engine.Image, error) {
	if remote(image) {
		return o.Fetch(ctx, image)
	}
	return o.Read(image)
}

func short(s string) string {
	if r := []rune(s); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return s
}
