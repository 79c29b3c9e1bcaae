package ward

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"

	"talaria/engine"
	"talaria/engine/guard/redact"
)

// Redact masks secrets in what a tool returned, before it is stored or sent: what the model reads and what the journal
// holds is the same text. Of source code only what is a key by its form is masked, since code is full of words such as
// password. The file itself keeps its secret, and so does what ran.
func Redact(c engine.Call, r engine.Result) engine.Result {
	mask := redact.Text
	var in struct {
		Path string `json:"path"`
	}
	if json.Unmarshal([]byte(c.Args), &in) == nil && redact.IsCode(in.Path) {
		mask = redact.Code
	}
	r.Text, r.Diff, r.Note = mask(r.Text), mask(r.Diff), mask(r.Note)
	return r
}

// Kept is what may be written to a file beside the session: without the keys that mask takes out, and without secrets.
func Kept(mask func(string) string) func(string) string {
	return func(text string) string { return redact.Text(mask(text)) }
}

// Live masks what a running tool prints, as it comes: keys that mask takes out, and secrets, also where they are cut.
type Live struct {
	stream redact.Stream
	mask   func(string) string
}

// NewLive is for one call.
func NewLive(mask func(string) string) *Live { return &Live{mask: mask} }

// Add returns what may be told of a further piece.
func (l *Live) Add(piece string) string { return l.mask(l.stream.Add(piece)) }

// Rest returns what was held back.
func (l *Live) Rest() string { return l.mask(l.stream.Rest()) }

// maxFile is the largest file, in bytes, whose secrets are looked for before a write.
const maxFile = 4 << 20

// Unmask is a gate that refuses to write a mask over the secret it stands for. Touches names the files of a call, abs
// makes their paths absolute.
func Unmask(touches func(engine.Call) []string, abs func(string) (string, error)) engine.Gate {
	return func(_ context.Context, c engine.Call, s engine.Spec) (engine.Verdict, error) {
		if s.Effect != engine.Writes || !strings.Contains(c.Args, "***") && !strings.Contains(c.Args, "…") && !strings.Contains(c.Args, `\u2026`) {
			return engine.Verdict{}, nil
		}
		var in map[string]any
		if json.Unmarshal([]byte(c.Args), &in) != nil {
			return engine.Verdict{}, nil // the tool says what is wrong with it
		}
		for _, path := range touches(c) {
			content := read(path, abs)
			for _, v := range in {
				text, _ := v.(string)
				if m := redact.Masked(text, content); m != "" {
					return engine.Verdict{Decision: engine.Deny, Policy: true, Reason: "nothing was written: the text holds the mask " + m + ", which stands for a secret in " + path +
						" that you have not seen. Change the file without that line: patch only the lines around it."}, nil
				}
			}
		}
		return engine.Verdict{}, nil
	}
}

// read returns the file, "" when there is none that could hold a secret.
func read(path string, abs func(string) (string, error)) string {
	full, err := abs(path)
	if err != nil {
		return ""
	}
	info, err := os.Stat(full)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(full)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, maxFile)) // what was read is looked at
	return string(data)
}
