package skill

import (
	"cmp"
	"embed"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	maxCommand  = 100_000 // characters of a command's text
	maxCommands = 200     // of one folder
)

// Command is a prompt that the user keeps in a file, NAME.md in a folder of commands, and sends as "/NAME words". Args says
// in a few words what it takes. Fault says why it cannot be used.
type Command struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Args        string `json:"args,omitempty"`
	Source      Source `json:"source"`
	Path        string `json:"path"`
	Fault       string `json:"fault,omitempty"`

	text string
}

// Builtin is the source of the prompts that come with the program.
const Builtin Source = "built-in"

//go:embed builtin/*.md
var builtin embed.FS

// builtins are the prompts that come with the program.
func builtins() []Command {
	entries, err := builtin.ReadDir("builtin")
	if err != nil {
		panic(err) // part of the program
	}
	var all []Command
	for _, e := range entries {
		text, err := builtin.ReadFile("builtin/" + e.Name())
		if err != nil {
			panic(err)
		}
		c := Command{Name: strings.TrimSuffix(e.Name(), ".md"), Source: Builtin}
		c.read(string(text))
		all = append(all, c)
	}
	return all
}

// Commands are those of the project, where it is trusted, the user's own, and those that come with the program, by name.
// Of two with one name the first of these is used.
func (l *Library) Commands() []Command {
	var all []Command
	seen := map[string]bool{}
	for _, r := range []root{{l.o.ProjectCommands(), Project}, {l.o.Commands, User}} {
		all = append(all, r.commands(l.o.Threat)...)
	}
	all = slices.DeleteFunc(append(all, builtins()...), func(c Command) bool {
		again := seen[c.Name]
		seen[c.Name] = true
		return again
	})
	slices.SortFunc(all, func(a, b Command) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

func (r root) commands(threat func(string, bool) string) []Command {
	if r.dir == "" {
		return nil
	}
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		return nil // most have no such folder
	}
	var all []Command
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".md")
		if !ok || e.IsDir() || strings.HasPrefix(name, ".") || r.source == Project && !e.Type().IsRegular() {
			continue
		}
		if all = append(all, r.command(e.Name(), strings.ToLower(name), threat)); len(all) == maxCommands {
			break
		}
	}
	return all
}

func (r root) command(file, name string, threat func(string, bool) string) Command {
	c := Command{Name: name, Source: r.source, Path: filepath.Join(r.dir, file)}
	text, err := readIn(r.dir, file, 4*maxCommand)
	if err == nil {
		err = c.read(text)
	}
	if err != nil {
		c.Fault = err.Error()
		return c
	}
	switch why := threat(c.text, false); {
	case !goodName.MatchString(name):
		c.Fault = "its name is not of the form a-z, 0-9, - _ ."
	case strings.TrimSpace(c.text) == "":
		c.Fault = "it is empty"
	case why != "" && r.source == Project:
		c.Fault = "it " + why
	}
	return c
}

// read takes what a file says.
func (c *Command) read(text string) error {
	h, body, err := split(text)
	c.text, c.Description, c.Args = body, plain(h.Description), plain(h.Args)
	if c.Description == "" {
		c.Description = firstLine(body)
	}
	c.Description = short(c.Description, indexLine)
	return err
}

// placeholder is where a command wants what was typed behind its name: all of it, or one word, counted from 1.
var placeholder = regexp.MustCompile(`\$(ARGUMENTS\b|[1-9]\b)`)

// Fill puts what was typed behind the name into the text. A text without a place for it gets it at its end, so that
// nothing typed is lost.
func (c Command) Fill(typed string) string {
	words := strings.Fields(typed)
	filled := placeholder.ReplaceAllStringFunc(c.text, func(p string) string {
		if p == "$ARGUMENTS" {
			return typed
		}
		if n, err := strconv.Atoi(p[1:]); err == nil && n <= len(words) {
			return words[n-1]
		}
		return ""
	})
	if typed != "" && !placeholder.MatchString(c.text) {
		filled = strings.TrimRight(filled, "\n") + "\n\n" + typed
	}
	return strings.TrimSpace(filled)
}

// filled turns "/name words" into the prompt of the command with that name.
func (l *Library) filled(name, typed string) (string, bool) {
	for _, c := range l.Commands() {
		if c.Name == name && c.Fault == "" {
			return strings.TrimSpace("/"+name+" "+typed) + "\n\n" + c.Fill(typed), true
		}
	}
	return "", false
}
