// Package recall is the model's tool for looking into earlier sessions. It shows what was
// said; where the user named a model for it, that one makes long finds short. It refuses to show the session that asks, and to change anything.
package recall

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/engine"
)

//go:embed session_search.md
var doc string

// How much is shown (BEHAVIOUR 17.5), in sessions, messages, and characters of one message.
const (
	sessionsShown, sessionsMost = 3, 10
	windowShown, windowMost     = 5, 20
	bookends                    = 3
	readHead, readTail          = 20, 10
	charsFocus, charsAround     = 2_000, 400
)

type in struct {
	Query   string `json:"query,omitempty"`
	Limit   int    `json:"limit,omitempty"`
	Sort    string `json:"sort,omitempty" enum:"newest,oldest"`
	Session string `json:"session_id,omitempty"`
	Around  string `json:"around_message_id,omitempty"`
	Window  int    `json:"window,omitempty"`
	Roles   string `json:"role_filter,omitempty"`
}

// Deps is what the tool asks. Session is the id of the one that asks. Shorten is the auxiliary model that makes what a
// search finds short; nil for none.
type Deps struct {
	Library engine.Library
	Session func() string
	Shorten engine.Aux
}

type recall struct{ Deps }

// Tool returns session_search.
func Tool(d Deps) engine.Tool {
	r := recall{d}
	return engine.NewTool(engine.Spec{Name: "session_search", Doc: doc, Effect: engine.Reads, Toolset: "agent"}, r.run, nil)
}

func (r recall) run(ctx context.Context, c engine.Call, in in, _ engine.Output) (engine.Result, error) {
	in.Limit, in.Window = clamp(in.Limit, sessionsShown, sessionsMost), clamp(in.Window, windowShown, windowMost)
	var text, note string
	var err error
	switch {
	case in.Session != "" && in.Around != "":
		text, note, err = r.around(ctx, in)
	case in.Session != "":
		text, note, err = r.read(ctx, in)
	case strings.TrimSpace(in.Query) != "":
		text, note, err = r.search(ctx, in)
	case in.Around != "":
		return engine.Badly(c, "around_message_id needs the session_id it belongs to"), nil
	default:
		text, note, err = r.browse(ctx, in)
	}
	if ctx.Err() != nil {
		return engine.Result{}, ctx.Err()
	}
	if err != nil {
		return engine.Failed(c, "%v", err), nil
	}
	return engine.Result{CallID: c.ID, Name: c.Name, Status: engine.StatusDone, Text: engine.Untrusted("earlier sessions", text), Note: note}, nil
}

func clamp(n, usual, most int) int {
	if n <= 0 {
		return usual
	}
	return min(n, most)
}

func roles(filter string) (out []engine.Role) {
	for _, one := range strings.FieldsFunc(filter, func(r rune) bool { return r == ',' || r == ' ' }) {
		out = append(out, engine.Role(strings.ToLower(one)))
	}
	return out
}

func (r recall) search(ctx context.Context, in in) (string, string, error) {
	hits, err := r.Library.Search(ctx, engine.SearchQuery{Text: in.Query, Limit: in.Limit, Order: in.Sort, Roles: roles(in.Roles), Not: []string{r.Session()}})
	if err != nil {
		return "", "", err
	}
	if len(hits) == 0 {
		return fmt.Sprintf("No earlier session has all the words of %q. Fewer or other words may find it; without arguments the sessions of late are listed.", in.Query), "nothing found", nil
	}
	var b, heads strings.Builder
	for i, h := range hits {
		if i > 0 {
			b.WriteString("\n")
		}
		for _, to := range []*strings.Builder{&b, &heads} {
			head(to, h.Session)
			fmt.Fprintf(to, "found: %s\n", marked(h))
		}
		msgs, err := r.messages(ctx, h.Session.ID)
		if err != nil {
			fmt.Fprintf(&b, "(its messages could not be read: %v)\n", err)
			continue
		}
		at := place(msgs, h.Message)
		if at < 0 { // the title alone has the words
			spread(&b, msgs, span{0, bookends}, span{len(msgs) - bookends, len(msgs)})
			continue
		}
		spread(&b, msgs, span{0, bookends}, span{at - in.Window, at}, span{at, at + 1}, span{at + 1, at + 1 + in.Window}, span{len(msgs) - bookends, len(msgs)})
	}
	return r.brief(ctx, in.Query, b.String(), heads.String()), counted(len(hits), "session"), nil
}

func (r recall) around(ctx context.Context, in in) (string, string, error) {
	s, msgs, err := r.open(ctx, in.Session)
	if err != nil {
		return "", "", err
	}
	at := place(msgs, in.Around)
	if at < 0 {
		return "", "", fmt.Errorf("session %s has no message %s", s.ID, in.Around)
	}
	var b strings.Builder
	head(&b, s)
	from, to := max(0, at-in.Window), min(len(msgs), at+in.Window+1)
	each(&b, msgs, from, to, charsFocus)
	return b.String(), counted(to-from, "message"), nil
}

func (r recall) read(ctx context.Context, in in) (string, string, error) {
	s, msgs, err := r.open(ctx, in.Session)
	if err != nil {
		return "", "", err
	}
	if want := roles(in.Roles); len(want) > 0 {
		msgs = slices.DeleteFunc(msgs, func(m engine.Message) bool { return !slices.Contains(want, m.Role) })
	}
	var b strings.Builder
	head(&b, s)
	n := min(len(msgs), readHead)
	each(&b, msgs, 0, n, charsFocus)
	tail := max(n, len(msgs)-readTail)
	if left := tail - n; left > 0 {
		fmt.Fprintf(&b, "… %s left out; around_message_id shows them …\n", counted(left, "message"))
	}
	each(&b, msgs, tail, len(msgs), charsFocus)
	return b.String(), counted(len(msgs), "message"), nil
}

func (r recall) browse(ctx context.Context, in in) (string, string, error) {
	list, err := r.Library.List(ctx, engine.Query{Limit: in.Limit + 1})
	if err != nil {
		return "", "", err
	}
	list = slices.DeleteFunc(list, func(s engine.Session) bool { return s.ID == r.Session() })
	list = list[:min(len(list), in.Limit)]
	if len(list) == 0 {
		return "There are no earlier sessions.", "none", nil
	}
	var b strings.Builder
	for _, s := range list {
		head(&b, s)
		if s.Last != "" {
			fmt.Fprintf(&b, "last: %s\n", clip(s.Last, charsAround))
		}
	}
	return b.String(), counted(len(list), "session"), nil
}

// open finds a session and reads its messages. The one that asks is refused: it is in the model's context.
func (r recall) open(ctx context.Context, id string) (engine.Session, []engine.Message, error) {
	if id == r.Session() {
		return engine.Session{}, nil, errors.New("that is this session; its messages are in your context")
	}
	msgs, err := r.messages(ctx, id)
	if err != nil {
		return engine.Session{}, nil, err
	}
	s, err := r.Library.Find(ctx, id, "")
	if err != nil || s.ID != id { // an older part of a lineage is found by its newest
		s = engine.Session{ID: id, Title: s.Title, Dir: s.Dir}
	}
	return s, msgs, nil
}

// messages are those of a session as the chat stands, each once.
func (r recall) messages(ctx context.Context, id string) ([]engine.Message, error) {
	recs, err := r.Library.Tail(ctx, id, 0)
	if err != nil {
		return nil, err
	}
	var out []engine.Message
	at := map[string]int{}
	for _, rec := range engine.Standing(recs) {
		a, ok := rec.Event.(engine.Appended)
		if !ok {
			continue
		}
		if i, seen := at[a.Message.ID]; seen && a.Message.ID != "" {
			out[i] = a.Message
			continue
		}
		at[a.Message.ID] = len(out)
		out = append(out, a.Message)
	}
	return out, nil
}

func place(msgs []engine.Message, id string) int {
	return slices.IndexFunc(msgs, func(m engine.Message) bool { return id != "" && m.ID == id })
}

func head(b *strings.Builder, s engine.Session) {
	title := s.Title
	if title == "" {
		title = "(no title)"
	}
	fmt.Fprintf(b, "## %s\nsession_id %s", strings.Join(strings.Fields(title), " "), s.ID)
	if !s.Updated.IsZero() {
		fmt.Fprintf(b, " · %s", s.Updated.Format(time.DateOnly))
	}
	if s.Dir != "" {
		fmt.Fprintf(b, " · %s", s.Dir)
	}
	if s.Messages > 0 {
		fmt.Fprintf(b, " · %s", counted(s.Messages, "message"))
	}
	b.WriteString("\n")
}

// marked is a snippet with what was found between stars.
func marked(h engine.Hit) string {
	var b strings.Builder
	at := 0
	for _, m := range h.Marks {
		b.WriteString(h.Snippet[at:m[0]] + "**" + h.Snippet[m[0]:m[1]] + "**")
		at = m[1]
	}
	return b.String() + h.Snippet[at:]
}

// span is a piece of a list: from one index to before another.
type span struct{ from, to int }

// spread writes the spans, which are in order, each message once; a span of one message is the one in the middle and is
// shown at length.
func spread(b *strings.Builder, msgs []engine.Message, spans ...span) {
	next := 0
	for _, s := range spans {
		chars := charsAround
		if s.to-s.from == 1 {
			chars = charsFocus
		}
		from, to := max(next, s.from), min(len(msgs), s.to)
		if from >= to {
			continue
		}
		if from > next {
			fmt.Fprintf(b, "… %s …\n", counted(from-next, "message"))
		}
		each(b, msgs, from, to, chars)
		next = to
	}
}

func each(b *strings.Builder, msgs []engine.Message, from, to, chars int) {
	for _, m := range msgs[from:to] {
		text := m.Text()
		for _, c := range m.Calls() {
			text += fmt.Sprintf("\n[calls %s %s]", c.Name, clip(c.Args, charsAround))
		}
		for _, res := range m.Results() {
			text += fmt.Sprintf("\n[%s: %s] %s", res.Name, res.Status, res.Text)
		}
		if text = strings.TrimSpace(text); text != "" {
			fmt.Fprintf(b, "%s (%s): %s\n", m.Role, m.ID, clip(text, chars))
		}
	}
}

func clip(s string, n int) string {
	if letters := []rune(s); len(letters) > n {
		return string(letters[:n]) + "…"
	}
	return s
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
