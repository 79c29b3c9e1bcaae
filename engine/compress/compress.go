package compress

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"talaria/engine"
)

//go:embed system.md
var systemPrompt string

//go:embed ask.md
var askPrompt string

//go:embed previous.md
var previousPrompt string

// Why there is no smaller history.
var (
	ErrNothing = errors.New("there is nothing old enough to summarise")
	ErrNoGain  = errors.New("the summary is not shorter than what it stands for")
	ErrPoor    = errors.New("the summary came back empty or too short")
	ErrGone    = errors.New("the turn is not in the conversation any more")
)

// shortestSummary is the least text, in characters, that passes for a summary of anything.
const shortestSummary = 40

// Job is one history to be made smaller. Size estimates one message in tokens; Scale is how far real usage is from the
// estimate (0: as estimated). Fixed are the tokens of system prompt and tools. Summarise is set when pruning is not to be
// enough: the user asked. From is the id of the message that opens what is summarised; "" lets the compressor choose. Pinned messages are quoted word for word. Tasks is the open task list, as text.
type Job struct {
	Messages  []engine.Message
	Size      func(engine.Message) int
	Scale     float64
	Fixed     int
	Window    int
	Focus     string
	From      string
	Summarise bool
	Pinned    func(id string) bool
	Tasks     string
}

// Ask makes one model call for the summary and returns its text. most caps the output, in tokens.
type Ask func(ctx context.Context, system, prompt string, most int) (string, error)

// Compressor makes histories smaller. Clean takes secrets and stray reasoning out of what goes to the summariser and out
// of what comes back. AskWindow is the summariser's context in tokens, 0 for the job's. Tell, if set, hears of progress.
type Compressor struct {
	Settings  Settings
	Ask       Ask
	AskWindow int
	Clean     func(string) string
	Now       func() time.Time
	Tell      func(Progress)
}

// Progress is how far a compression has come: Done of Of pieces summarised; Kept messages stay word for word, Old ones do not.
type Progress struct{ Done, Of, Kept, Old, Before int }

// Done is a smaller history. Before and After are tokens of the whole request; Summary is "" when pruning was enough.
type Done struct {
	Messages      []engine.Message
	Summary       string
	Before, After int
}

func (j Job) scale() float64 {
	if j.Scale <= 0 {
		return 1
	}
	return j.Scale
}

// size is the whole request's size in tokens.
func (j Job) size(msgs []engine.Message) int {
	n := 0
	for _, m := range msgs {
		if !m.Aside {
			n += j.Size(m)
		}
	}
	return int(float64(n+j.Fixed) * j.scale())
}

// Run returns a smaller history, or an error and no history. It asks the model only when pruning is not enough.
func (c Compressor) Run(ctx context.Context, j Job) (Done, error) {
	before := j.size(j.Messages)
	limit := Limit(j.Window, c.Settings.Threshold)
	msgs := prune(j.Messages, j.tailStart(j.Messages, c.Settings))
	if after := j.size(msgs); !j.Summarise && limit > 0 && after < limit && before-after >= int(leastGain*float64(before)) {
		return Done{Messages: msgs, Before: before, After: after}, nil
	}
	p := j.split(msgs, c.Settings)
	if j.From != "" {
		var ok bool
		if p, ok = j.splitAt(j.From); !ok {
			return Done{}, ErrGone
		}
	}
	old := p.middle
	if p.asked != nil { // it is summarised too, as what was asked; its words are kept
		old = without(old, p.asked.ID)
	}
	if !worth(old) {
		return Done{}, ErrNothing
	}
	// the summariser reads what was said, not what pruning left of it
	summary, err := c.summarise(ctx, j, unpruned(j.Messages, p.middle), Progress{Kept: len(p.head) + len(p.tail), Old: len(p.middle), Before: before})
	if err != nil {
		return Done{}, err
	}
	out := c.assemble(j, p, summary)
	d := Done{Messages: out, Summary: summary, Before: before, After: j.size(out)}
	if d.After >= before {
		return Done{}, ErrNoGain
	}
	return d, nil
}

// worth reports whether summarising msgs could gain anything: more than a summary that stands there already.
func worth(msgs []engine.Message) bool {
	for _, m := range msgs {
		if !m.Summary && !m.Aside {
			return true
		}
	}
	return false
}

func without(msgs []engine.Message, id string) []engine.Message {
	var out []engine.Message
	for _, m := range msgs {
		if m.ID != id {
			out = append(out, m)
		}
	}
	return out
}

// unpruned are the messages of whole that stand in some.
func unpruned(whole, some []engine.Message) []engine.Message {
	if len(some) == 0 {
		return nil
	}
	for i := range whole {
		if whole[i].ID == some[0].ID && i+len(some) <= len(whole) {
			return whole[i : i+len(some)]
		}
	}
	return some
}

// summarise asks for a summary of middle, piece by piece when it is more than the model can read at once.
func (c Compressor) summarise(ctx context.Context, j Job, middle []engine.Message, p Progress) (string, error) {
	window := c.AskWindow
	if window <= 0 {
		window = j.Window
	}
	tokens := 0
	for _, m := range middle {
		tokens += j.Size(m)
	}
	budget := summaryBudget(int(float64(tokens)*j.scale()), window)
	most := max(budget*13/10, 2_000)
	if window > 0 {
		most = min(most, window/3)
	}
	pieces := chunks(transcript(middle, c.clean), charsFor(window, most))
	p.Of = len(pieces)
	summary := previousSummary(middle)
	focus := j.Focus
	if focus == "" {
		focus = focusOf(j.Messages)
	}
	for i, piece := range pieces {
		p.Done = i
		if c.Tell != nil {
			c.Tell(p)
		}
		text, err := c.Ask(ctx, systemPrompt, question(summary, c.clean(focus), piece, i > 0 || summary != "", budget), most)
		if err != nil {
			return "", fmt.Errorf("summarise the older turns: %w", err)
		}
		if text = strings.TrimSpace(c.clean(text)); len([]rune(text)) < shortestSummary {
			return "", ErrPoor
		}
		summary = text
	}
	return summary, nil
}

func (c Compressor) clean(s string) string {
	if c.Clean == nil {
		return s
	}
	return c.Clean(s)
}

func question(previous, focus, piece string, more bool, budget int) string {
	before, since, dwell := "", "", ""
	if previous != "" {
		before = strings.ReplaceAll(previousPrompt, "{summary}", previous)
	}
	if more {
		since = " since then"
	}
	if focus != "" {
		dwell = " Give more than half of it to what bears on this:\n" + focus
	}
	return strings.NewReplacer("{previous}", before, "{more}", since, "{transcript}", piece, "{words}", fmt.Sprint(budget*3/4), "{focus}", dwell).Replace(askPrompt)
}

// previousSummary is the checkpoint in the newest summary among msgs, without its frame.
func previousSummary(msgs []engine.Message) string {
	for i := len(msgs) - 1; i >= 0; i-- {
		if msgs[i].Summary {
			return unframed(msgs[i].Text())
		}
	}
	return ""
}

// charsFor is how many characters of transcript fit into one request; at least enough for one long message.
func charsFor(window, most int) int {
	if window <= 0 {
		return 120_000
	}
	const charsPerToken, overhead = 2, 1_500 // careful: the text may be in any script
	return max((window*9/10-most-overhead)*charsPerToken, longText)
}

// chunks joins the pieces of a transcript into texts of at most about n characters. Every piece is in one of them.
func chunks(pieces []string, n int) []string {
	var out []string
	var b strings.Builder
	for _, p := range pieces {
		if b.Len() > 0 && b.Len()+len(p) > n {
			out = append(out, b.String())
			b.Reset()
		}
		b.WriteString(p)
	}
	if b.Len() > 0 {
		out = append(out, b.String())
	}
	return out
}
