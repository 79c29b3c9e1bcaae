package dialog

import (
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/composer"
	"talaria/ui/style"
)

// Clarifier puts the model's own question: one choice, several, or words of the user's. It can be left for later.
type Clarifier struct {
	Guard
	sheet  style.Sheet
	q      engine.Question
	answer func(engine.Answer) tea.Cmd
	at     int
	ticked map[int]bool
	input  *composer.Line // non-nil while something is typed
	noting bool           // what is typed is a note, not the answer
	note   string
	later  bool
	top    int
}

// Clarify returns the dialog for q, opened at that time. A question without choices asks for words at once.
func Clarify(sheet style.Sheet, q engine.Question, opened time.Time, answer func(engine.Answer) tea.Cmd) *Clarifier {
	c := &Clarifier{Guard: NewGuard(opened), sheet: sheet, q: q, answer: answer, ticked: map[int]bool{}}
	if len(q.Choices) == 0 {
		c.input = &composer.Line{}
	}
	return c
}

// SetSheet changes the theme or the glyphs.
func (c *Clarifier) SetSheet(s style.Sheet) { c.sheet = s }

// Later reports whether the dialog closed without an answer: the question goes on waiting, as a chip of the owner's.
func (c *Clarifier) Later() bool { return c.later }

// Question returns what is asked.
func (c *Clarifier) Question() engine.Question { return c.q }

// Update takes keys and pastes.
func (c *Clarifier) Update(msg tea.Msg) (tea.Cmd, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	if c.input != nil {
		return c.typing(msg, k, isKey)
	}
	if !isKey {
		return nil, false
	}
	switch k.Keystroke() {
	case "esc":
		if c.q.Esc != "" {
			return c.give(c.q.Esc, ""), true
		}
		c.later = true
		return nil, true
	case "pgup":
		c.top = max(0, c.top-5)
		return nil, false
	case "pgdown":
		c.top += 5
		return nil, false
	}
	if c.Blocks(k, time.Now()) {
		return nil, false
	}
	switch k.Keystroke() {
	case "up", "ctrl+p":
		c.at = Step(c.at, -1, c.rows())
	case "down", "ctrl+n", "tab":
		c.at = Step(c.at, 1, c.rows())
	case "space":
		if c.q.Multi {
			c.toggle(c.at)
		}
	case "enter":
		return c.enter()
	default:
		return c.byLetter(Letter(k))
	}
	return nil, false
}

// rows counts the choices and "something else".
func (c *Clarifier) rows() int { return len(c.q.Choices) + 1 }

func (c *Clarifier) byLetter(key string) (tea.Cmd, bool) {
	switch key {
	case "n", "N":
		c.input, c.noting = &composer.Line{}, true
		c.input.Set(c.note)
	case "s":
		return c.give(engine.ChoiceSkip, c.note), true
	default:
		n, err := strconv.Atoi(key)
		if err != nil || n < 1 || n > min(c.rows(), 9) {
			return nil, false
		}
		c.at = n - 1
		if c.q.Multi && c.at < len(c.q.Choices) {
			c.toggle(c.at)
			return nil, false
		}
		return c.enter()
	}
	return nil, false
}

func (c *Clarifier) toggle(i int) {
	if i < len(c.q.Choices) {
		c.ticked[i] = !c.ticked[i]
	}
}

// enter answers with the row in use; of a question for several, with what is ticked, or that row when nothing is.
func (c *Clarifier) enter() (tea.Cmd, bool) {
	if c.at >= len(c.q.Choices) {
		c.input, c.noting = &composer.Line{}, false
		return nil, false
	}
	picked := c.picked()
	if len(picked) == 0 {
		picked = []string{c.q.Choices[c.at].Value}
	}
	return c.give(strings.Join(picked, ","), c.note), true
}

func (c *Clarifier) picked() []string {
	var out []string
	for i, one := range c.q.Choices {
		if c.ticked[i] {
			out = append(out, one.Value)
		}
	}
	return out
}

func (c *Clarifier) typing(msg tea.Msg, k tea.KeyPressMsg, isKey bool) (tea.Cmd, bool) {
	open := len(c.q.Choices) == 0
	if isKey && k.Keystroke() == "esc" {
		if c.later = open; !open {
			c.input = nil
		}
		return nil, open
	}
	if !isKey || k.Keystroke() != "enter" {
		c.input.Update(msg)
		return nil, false
	}
	if open && c.Blocks(k, time.Now()) { // words may be typed at once, only sending them is guarded
		return nil, false
	}
	text := strings.TrimSpace(c.input.Value())
	if c.noting {
		c.note, c.input, c.noting = text, nil, false
		return nil, false
	}
	if text == "" {
		return nil, false
	}
	if c.note != "" {
		text += "\n" + c.note
	}
	return c.give(strings.Join(c.picked(), ","), text), true
}

func (c *Clarifier) give(choice, text string) tea.Cmd {
	return c.answer(engine.Answer{ID: c.q.ID, Choice: choice, Text: text})
}

// Keys lists what can be pressed.
func (c *Clarifier) Keys() []Binding {
	if c.input != nil {
		return []Binding{{Keys: []string{"enter"}, Name: "send"}, {Keys: []string{"esc"}, Name: "back"}}
	}
	keys := []Binding{{Keys: []string{"enter"}, Name: "choose"}, {Keys: []string{"n"}, Name: "note"},
		{Keys: []string{"s"}, Name: "skip"}, {Keys: []string{"esc"}, Name: "answer later"}}
	if c.q.Multi {
		keys = slices.Insert(keys, 1, Binding{Keys: []string{"space"}, Name: "tick"})
	}
	return keys
}
