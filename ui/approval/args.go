package approval

import (
	"encoding/json"
	"fmt"
	"strings"

	"talaria/themes"
	"talaria/ui/style"
)

// argument is one of a tool's: its name, and its value as text.
type argument struct{ name, value string }

// parsed are the arguments of a call in the order in which they stand, false for what is no JSON object or has a name
// twice: then nothing but the text itself says what will be done.
func parsed(args string) ([]argument, bool) {
	dec := json.NewDecoder(strings.NewReader(args))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	var all []argument
	seen := map[string]bool{}
	for dec.More() {
		name, err := dec.Token()
		key, ok := name.(string)
		var raw json.RawMessage
		if err != nil || !ok || seen[key] || dec.Decode(&raw) != nil {
			return nil, false
		}
		seen[key] = true
		value := string(raw)
		var text string
		if json.Unmarshal(raw, &text) == nil && value != "null" {
			value = text
		}
		all = append(all, argument{key, value})
	}
	if _, err := dec.Token(); err != nil || dec.More() {
		return nil, false
	}
	return all, true
}

// arguments are those of a tool, each on a line of its own with its name in front, every character to be seen. What goes
// over several lines is set in, so that no value can look like a further argument.
func (a *Approval) arguments(w int) []string {
	all, ok := parsed(a.q.Body)
	switch {
	case !ok:
		return a.indented(style.Visible(a.q.Body), w)
	case len(all) == 0:
		return []string{a.sheet.Ink(themes.FgMuted, "no arguments")}
	}
	var out []string
	for _, arg := range all {
		name := strings.ReplaceAll(strings.TrimSuffix(style.Visible(arg.name), "\n"), "\n", " ")
		value := style.Visible(arg.value)
		if room := w - style.Width(name) - 2; style.Width(value) <= room && !strings.Contains(value, "\n") {
			out = append(out, a.sheet.Ink(themes.FgMuted, name+": ")+a.sheet.Ink(themes.Fg, value))
			continue
		}
		out = append(out, a.sheet.Ink(themes.FgMuted, a.sheet.Truncate(fmt.Sprintf("%s:", name), max(1, w))))
		out = append(out, a.indented(value, w)...)
	}
	return out
}

// indented is visible text, wrapped and set in.
func (a *Approval) indented(visible string, w int) (out []string) {
	for _, line := range strings.Split(visible, "\n") {
		for _, part := range chop(line, max(1, w-2)) {
			out = append(out, "  "+a.sheet.Ink(themes.Fg, part))
		}
	}
	return out
}
