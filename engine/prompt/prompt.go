// Package prompt builds the system prompt from its Markdown parts, reads a trusted directory's instruction files and
// cleans what the user typed. The prompt is built once for a session and sent byte for byte from then on, so it is a
// pure function of its Input: no clock, no environment, no map order.
//
// It refuses to read anything by itself but the instruction files it is asked for, and to pass on a file that tries to
// talk the model out of its instructions.
package prompt

import (
	"embed"
	"fmt"
	"strings"

	"talaria/engine"
)

//go:embed parts/*.md
var parts embed.FS

// Input is everything that the prompt depends on.
type Input struct {
	Dir      string // working directory, absolute
	Repo     string // root of the git repository, "" outside one
	Branch   string // branch at the start of the session, "" when unknown
	State    string // what was changed there at the start, "" when unknown
	Soul     string // the user's own words of who the agent is, in place of the built-in ones
	OS       string // "linux/amd64"
	Date     string // the day alone: "2026-11-30"
	Model    string
	Provider string
	Tools    []engine.Spec
	Rules    []Rule
	Skills   string   // the index of skills, "" for none
	Memory   []string // what is remembered of earlier conversations, one block a kind

	SystemMessage string // replaces the project's rules (--system-prompt)
	Append        string // stands at the end of the context (--append-system-prompt)
}

// Build returns the system prompt: what never changes first, then the context, then the day and the model, so that a
// provider's cache keeps the long part. It is valid UTF-8.
func Build(in Input) string {
	who := in.Soul
	if who == "" {
		who = part("identity")
	}
	pieces := []string{who, guidance(in.Tools), in.Skills, strings.TrimRight(part("work"), "\n") + "\n" + advice(in.Model), part("steer"), environment(in)}
	if in.SystemMessage != "" {
		pieces = append(pieces, in.SystemMessage)
	} else {
		for _, r := range in.Rules {
			pieces = append(pieces, r.section())
		}
	}
	pieces = append(pieces, in.Append)
	pieces = append(pieces, in.Memory...)
	pieces = append(pieces, volatile(in))
	var kept []string
	for _, p := range pieces {
		if p = strings.TrimSpace(p); p != "" {
			kept = append(kept, p)
		}
	}
	return strings.ToValidUTF8(strings.Join(kept, "\n\n"), "\uFFFD") + "\n"
}

func part(name string) string {
	b, err := parts.ReadFile("parts/" + name + ".md")
	if err != nil {
		panic(err) // embedded: a wrong name is a bug
	}
	return string(b)
}

// advice is what models of this family need to be told.
func advice(model string) string {
	has := map[string]bool{}
	for _, f := range families {
		for _, name := range f.names {
			has[f.section] = has[f.section] || strings.Contains(strings.ToLower(model), name)
		}
	}
	return sections("families", has)
}

// guidance is what is said of the tools that are there; "*" stands for any.
func guidance(tools []engine.Spec) string {
	has := map[string]bool{"*": len(tools) > 0}
	for _, t := range tools {
		has[t.Name] = true
	}
	if text := sections("tools", has); text != "" {
		return "# Tools\n" + text
	}
	return ""
}

// sections are those of a part whose heading holds a word of has.
func sections(name string, has map[string]bool) string {
	var b strings.Builder
	for _, section := range strings.Split(part(name), "## ")[1:] {
		heading, text, _ := strings.Cut(section, "\n")
		for _, name := range strings.Fields(heading) {
			if has[name] {
				b.WriteString(text)
				break
			}
		}
	}
	return b.String()
}

func environment(in Input) string {
	var b strings.Builder
	line := func(name, value string) {
		if value = oneLine(value); value != "" {
			fmt.Fprintf(&b, "- %s: %s\n", name, value)
		}
	}
	line("Operating system", in.OS)
	line("Working directory", in.Dir)
	line("Git repository", in.Repo)
	line("Git branch at the start", in.Branch)
	line("Changes at the start", in.State)
	if b.Len() == 0 {
		return ""
	}
	return "# Environment\n" + b.String()
}

func volatile(in Input) string {
	var lines []string
	if in.Date != "" {
		lines = append(lines, "Today is "+oneLine(in.Date)+".")
	}
	if in.Model != "" {
		lines = append(lines, "Model: "+oneLine(in.Model)+".")
	}
	if in.Provider != "" {
		lines = append(lines, "Provider: "+oneLine(in.Provider)+".")
	}
	return strings.Join(lines, " ")
}

// oneLine keeps a directory or branch with a line end in its name from adding lines to the prompt.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' || r == '\u0085' {
			return ' '
		}
		return r
	}, strings.TrimSpace(s))
}
