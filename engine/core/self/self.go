// Package self is what the program tells the screen about itself: its tools and servers, skills, settings, and a report of
// a fault. It refuses to show a secret, and to send anything.
package self

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/guard"
	"talaria/engine/mcp"
	"talaria/engine/skill"
)

// Pages implements engine.Reports over what it is given. Settings reads the settings as the files are now. Doctor looks at
// everything and returns a row a finding, and the same as lines. State is where a report of a fault is written, Log the log
// whose end it takes in.
type Pages struct {
	Tools                                func(context.Context) []engine.Spec
	Servers                              func() []mcp.Status
	Skills                               func() *skill.Library
	Settings                             func() (config.Config, config.Origins, error)
	Doctor                               func(context.Context) (engine.Report, []string)
	Off                                  []string // toolsets that are switched off
	Changes, Version, Config, State, Log string
}

// Report makes one page.
func (p Pages) Report(ctx context.Context, page string) (engine.Report, error) {
	switch page {
	case "tools":
		return p.tools(ctx)
	case "mcp":
		return p.servers(), nil
	case "skills":
		return p.skills(), nil
	case "settings":
		return p.settings()
	case "doctor":
		r, _ := p.Doctor(ctx)
		return r, nil
	case "changelog":
		return engine.Report{Note: "talaria " + p.Version, Text: plainMarkdown(p.Changes)}, nil
	case "bug":
		return p.bug(ctx)
	}
	return engine.Report{}, fmt.Errorf("there is no page %q", page)
}

// plainMarkdown leaves out the marks of headings and code, which say nothing on a screen without them, and joins the lines
// of an item.
func plainMarkdown(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(strings.ReplaceAll(line, "`", ""), "\n")
		if rest, ok := strings.CutPrefix(line, "  "); ok {
			b.WriteString(" " + rest)
			continue
		}
		b.WriteString("\n" + strings.TrimLeft(line, "# "))
	}
	return strings.TrimSpace(b.String())
}

func (p Pages) tools(ctx context.Context) (engine.Report, error) {
	specs := p.Tools(ctx)
	if specs == nil {
		return engine.Report{}, errors.New("the engine is busy; try again in a moment")
	}
	var out engine.Report
	for _, s := range specs {
		out.Rows = append(out.Rows, engine.ReportRow{Name: s.Name, Mark: s.Toolset, Text: s.Doc})
	}
	slices.SortStableFunc(out.Rows, func(a, b engine.ReportRow) int { return strings.Compare(a.Mark, b.Mark) })
	out.Note = fmt.Sprintf("%d", len(specs))
	if len(p.Off) > 0 {
		out.Note += ", without " + strings.Join(p.Off, ", ")
	}
	return out, nil
}

func (p Pages) servers() (out engine.Report) {
	for _, s := range p.Servers() {
		text := s.Says
		if s.Reason != "" {
			text = strings.TrimSpace(text + "\n" + s.Reason)
		}
		row := engine.ReportRow{Name: s.Name, Mark: string(s.State), Text: strings.TrimSpace(text + "\n" + strings.Join(s.Tools, "\n"))}
		row.Dim = len(s.Tools) == 0
		out.Rows = append(out.Rows, row)
	}
	return out
}

func (p Pages) skills() (out engine.Report) {
	library := p.Skills()
	for _, s := range library.All() {
		out.Rows = append(out.Rows, entryRow(s.Name, string(s.Source), s.Description+"\n"+s.Dir, s.Fault))
	}
	for _, c := range library.Commands() {
		out.Rows = append(out.Rows, entryRow("/"+strings.TrimSpace(c.Name+" "+c.Args), string(c.Source), c.Description+"\n"+c.Path, c.Fault))
	}
	return out
}

func entryRow(name, mark, text, fault string) engine.ReportRow {
	if fault != "" {
		text = "Not used: " + fault + "\n" + text
	}
	return engine.ReportRow{Name: name, Mark: mark, Text: text, Dim: fault != ""}
}

// settings are the settings as the files are now: some count from the next start.
func (p Pages) settings() (engine.Report, error) {
	cfg, origins, err := p.Settings()
	if err != nil {
		return engine.Report{}, err
	}
	out := engine.Report{Note: p.Config}
	for _, key := range settingKeys() {
		v, err := config.Get(cfg, key.name)
		if err != nil {
			return engine.Report{}, err
		}
		text, ok := v.(string)
		if !ok {
			b, err := json.Marshal(v)
			if err != nil {
				return engine.Report{}, err
			}
			text = string(b)
		}
		shown := guard.Redact(text)
		mark := shown
		if len([]rune(mark)) > 40 {
			mark = string([]rune(mark)[:39]) + "…"
		}
		value := text
		if shown != text {
			value = "" // a masked secret is never written back
		}
		out.Rows = append(out.Rows, engine.ReportRow{Name: key.name, Mark: mark, Value: value, Dim: !origins.Set(key.name),
			Text: strings.TrimSpace(key.about + "\n" + "Value: " + shown + "\nFrom: " + origins.Of(key.name).String())})
	}
	return out, nil
}

type settingKey struct{ name, about string }

// settingKeys are the keys of config.yaml that hold a value, in order, with what they are for.
func settingKeys() (keys []settingKey) {
	type node struct {
		About      string                     `json:"description"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	var walk func(raw json.RawMessage, name string)
	walk = func(raw json.RawMessage, name string) {
		var n node
		if json.Unmarshal(raw, &n) != nil { // our own schema, which tests read
			return
		}
		if len(n.Properties) == 0 {
			keys = append(keys, settingKey{name, n.About})
			return
		}
		for sub, raw := range n.Properties {
			walk(raw, strings.TrimPrefix(name+"."+sub, "."))
		}
	}
	walk(config.Schema(), "")
	slices.SortFunc(keys, func(a, b settingKey) int { return strings.Compare(a.name, b.name) })
	return keys
}

// logLines is how much of the log a report of a fault takes in.
const logLines = 60

// bug writes a report of a fault and shows it. It holds no word of the conversation.
func (p Pages) bug(ctx context.Context) (engine.Report, error) {
	lines := []string{"talaria " + p.Version, runtime.GOOS + "/" + runtime.GOARCH + " " + runtime.Version(), "TERM=" + os.Getenv("TERM") + " TERM_PROGRAM=" + os.Getenv("TERM_PROGRAM"), "", "Doctor:"}
	_, found := p.Doctor(ctx)
	lines = append(lines, found...)
	lines = append(lines, "", "Settings that are not the defaults:")
	settings, err := p.settings()
	if err != nil {
		return engine.Report{}, err
	}
	for _, row := range settings.Rows {
		if !row.Dim {
			lines = append(lines, row.Name+": "+row.Mark)
		}
	}
	lines = append(lines, "", "The end of the log:")
	if b, err := os.ReadFile(p.Log); err == nil {
		all := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
		lines = append(lines, all[max(0, len(all)-logLines):]...)
	}
	text := guard.Redact(strings.Join(lines, "\n")) + "\n"
	path := filepath.Join(p.State, "report-"+time.Now().Format("20060102-150405")+".txt")
	if err := os.MkdirAll(p.State, 0o700); err != nil {
		return engine.Report{}, fmt.Errorf("write the report: %w", err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return engine.Report{}, fmt.Errorf("write the report: %w", err)
	}
	return engine.Report{Note: "nothing was sent", Text: "Written to " + path + ", with secrets masked. Read it before you give it to anybody.\n\n" + text}, nil
}
