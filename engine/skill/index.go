package skill

import (
	"fmt"
	"strings"
)

const (
	indexChars = 8000 // of the whole index: it is sent with every request
	indexLine  = 100  // of one description
)

// Index is the part of the prompt that names the skills; "" when there is none.
func (l *Library) Index() string {
	var b strings.Builder
	left := 0
	for _, s := range l.All() {
		if s.Fault != "" {
			continue
		}
		name := s.Name
		if s.Category != "" {
			name = plain(s.Category) + "/" + name
		}
		line := fmt.Sprintf("- %s: %s\n", name, short(s.Description, indexLine))
		if b.Len()+len(line) > indexChars {
			left++
			continue
		}
		b.WriteString(line)
	}
	if b.Len() == 0 {
		return ""
	}
	text := "# Skills\nHow certain tasks are done here. When one fits what is asked, load it with skill_view(name) before you begin, and follow it.\n" + b.String()
	if left > 0 {
		text += fmt.Sprintf("- and %d more: skills_list\n", left)
	}
	return text
}

// Expand turns "/name what is asked" into a message that holds the skill, or into the prompt of a command; false when
// neither has that name.
func (l *Library) Expand(text string) (string, bool) {
	line, ok := strings.CutPrefix(strings.TrimSpace(text), "/")
	if !ok {
		return "", false
	}
	name, rest := line, ""
	if i := strings.IndexAny(line, " \t\n"); i >= 0 {
		name, rest = line[:i], strings.TrimSpace(line[i:])
	}
	if !goodName.MatchString(name) {
		return "", false
	}
	s, ok := l.Find(name)
	if !ok {
		return l.filled(name, rest)
	}
	body, err := l.View(s)
	if err != nil {
		return "", false
	}
	if rest == "" {
		rest = "Do what this skill is for."
	}
	return fmt.Sprintf("/%s\n\nUse the skill %q for this:\n\n%s\n\nWhat is asked: %s", name, name, body, rest), true
}

func short(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// plain keeps a folder's name from adding lines to the prompt.
func plain(s string) string { return strings.Join(strings.Fields(s), " ") }
