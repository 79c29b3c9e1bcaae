package adopt

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"talaria/engine"
)

// mostResult is how many bytes of a tool's result are taken over, like those of our own tools.
const mostResult = 100_000

// noAnswer stands for a result that the other program has not written.
const noAnswer = "no result was recorded: the session that this was taken from ends, or goes on, without one."

// Prefix is how the ids of messages that were taken over begin.
const Prefix = "imp_"

// builder makes messages of what a reader finds, in order, so that they are a valid history: what the model said up to the
// next results is one message, and its calls are answered right behind it, each once.
type builder struct {
	head  *Head
	yield func(Piece) error
	err   error
	part  int
	count int // messages of the whole session, for ids
	last  time.Time

	replies int // whole replies, where the file has them

	open    *engine.Message // what the model is saying, nil when it is the user's turn
	group   string          // what belongs to the same reply, as the file tells it
	results map[string]engine.Result
	when    map[string]time.Time
	renamed map[string]string // ids of the open message's calls, theirs to ours
	used    map[string]bool   // ids of calls
}

func newBuilder(h *Head, yield func(Piece) error) *builder {
	if yield == nil {
		yield = func(Piece) error { return nil }
	}
	return &builder{head: h, yield: yield, used: map[string]bool{}}
}

// at notes a time that the file tells and returns it, or the last one it told.
func (b *builder) at(t time.Time) time.Time {
	if t.IsZero() {
		return b.last
	}
	b.last = t
	if b.head.Began.IsZero() || t.Before(b.head.Began) && b.count == 0 && b.open == nil {
		b.head.Began = t
	}
	if t.After(b.head.Ended) {
		b.head.Ended = t
	}
	return t
}

// skip counts a record that is not understood.
func (b *builder) skip(kind string) {
	if kind == "" {
		kind = "(no type)"
	}
	if r := []rune(kind); len(r) > 40 {
		kind = string(r[:40]) + "…"
	}
	b.head.Skipped[kind]++
}

// user takes what the user said.
func (b *builder) user(parts engine.Parts, t time.Time) {
	b.close()
	m := engine.Message{Role: engine.RoleUser, Parts: kept(parts), At: b.at(t)}
	if len(m.Parts) == 0 {
		return
	}
	if b.head.First == "" {
		b.head.First = strings.TrimSpace(m.Text())
	}
	b.head.Turns++
	b.emit(m, "")
}

// summary takes what stands for everything said so far, and begins a new part with it.
func (b *builder) summary(text string, t time.Time) {
	b.close()
	if strings.TrimSpace(text) == "" {
		return
	}
	b.split()
	b.emit(engine.Message{Role: engine.RoleAssistant, Summary: true, Parts: engine.Parts{engine.Text{Text: clean(text)}}, At: b.at(t)}, "")
}

// split begins a new part, unless nothing was said yet.
func (b *builder) split() {
	if b.count > 0 {
		b.part++
	}
}

// says takes what the model said. Group tells what belongs together where the file tells it; without one, everything up
// to the next result does.
func (b *builder) says(group, model string, parts engine.Parts, t time.Time) {
	known := group != "" && b.open != nil && group == b.group
	if same := known || b.open != nil && len(b.results) == 0 && (group == "" || len(b.open.Calls()) == 0); !same {
		b.close()
		b.open, b.renamed = &engine.Message{Role: engine.RoleAssistant}, map[string]string{}
		b.results, b.when = map[string]engine.Result{}, map[string]time.Time{}
	}
	b.group, b.open.At = group, b.at(t)
	if model != "" {
		b.open.Model, b.head.Model = model, model
	}
	for i, p := range kept(parts) {
		if c, ok := p.(engine.Call); ok {
			p = b.call(c)
		}
		if n := len(b.open.Parts); i == 0 && n > 0 && !known {
			b.open.Parts[n-1] = apart(b.open.Parts[n-1], p)
		}
		b.open.Parts = append(b.open.Parts, p)
	}
}

// apart ends a text with a blank line where the text of another reply follows.
func apart(before, next engine.Part) engine.Part {
	text, ok := before.(engine.Text)
	if _, follows := next.(engine.Text); ok && follows {
		text.Text = strings.TrimRight(text.Text, "\n") + "\n\n"
		return text
	}
	return before
}

// call gives a call an id that no other call of the session has, a name that servers accept, and arguments.
func (b *builder) call(c engine.Call) engine.Call {
	theirs := c.ID
	if c.ID == "" {
		c.ID = fmt.Sprintf("call_%d", len(b.used)+1)
	}
	for n, id := 2, c.ID; b.used[c.ID]; n++ {
		c.ID = fmt.Sprintf("%s_%d", id, n)
	}
	b.used[c.ID], b.renamed[theirs] = true, c.ID
	c.Name = strings.Map(func(r rune) rune {
		if r < 128 && (r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return '_'
	}, c.Name)
	c.Name = c.Name[:min(len(c.Name), 64)]
	if c.Name == "" {
		c.Name = "unknown"
	}
	c.Extra = nil
	if strings.TrimSpace(c.Args) == "" {
		c.Args = "{}"
	}
	if v := map[string]any(nil); json.Unmarshal([]byte(c.Args), &v) != nil || v == nil {
		raw, err := engine.Marshal(map[string]string{"input": c.Args})
		if err != nil {
			raw = []byte("{}")
		}
		c.Args = string(raw) // as it was, where an object is needed
	}
	return c
}

// result takes what a call came to. One that answers nothing is counted, and left out.
func (b *builder) result(r engine.Result, t time.Time) {
	id, ours := "", false
	if b.open != nil {
		id, ours = b.renamed[r.CallID]
	}
	if _, twice := b.results[id]; !ours || twice {
		b.skip("result without a call")
		return
	}
	r.CallID = id
	if r.Text = cut(clean(r.Text)); strings.TrimSpace(r.Text) == "" {
		r.Text = "(no output)"
	}
	b.results[id], b.when[id] = r, b.at(t)
}

// close ends what the model is saying: the message goes out, and the results behind it in the order of the calls.
func (b *builder) close() {
	if b.open == nil {
		return
	}
	m, results := *b.open, b.results
	b.open, b.results = nil, nil
	if len(m.Parts) == 0 {
		return
	}
	b.emit(m, "")
	for _, c := range m.Calls() {
		r, ok := results[c.ID]
		if !ok {
			r = engine.Result{CallID: c.ID, Text: noAnswer, Status: engine.StatusStopped}
		}
		r.Name = c.Name
		at := b.when[c.ID]
		if at.IsZero() {
			at = m.At
		}
		b.emit(engine.Message{Role: engine.RoleTool, Parts: engine.Parts{r}, At: at}, c.ID)
	}
}

// emit hands a message on, with an id that is the same whenever the file is read.
func (b *builder) emit(m engine.Message, key string) {
	b.count++
	b.head.Messages, b.head.Parts = b.count, b.part+1
	if key == "" {
		key = fmt.Sprintf("#%d", b.count)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s", b.head.Tool, b.head.ID, m.Role, key))
	m.ID, m.From = Prefix+hex.EncodeToString(sum[:6]), "imported "+string(b.head.Tool)
	if b.err == nil {
		b.err = b.yield(Piece{Message: m, Part: b.part})
	}
}

// kept are the parts that say something, their texts valid and without seals.
func kept(parts engine.Parts) (out engine.Parts) {
	for _, p := range parts {
		if t, ok := p.(engine.Text); ok {
			if t.Text = clean(t.Text); strings.TrimSpace(t.Text) == "" {
				continue
			}
			p = t
		}
		if t, ok := p.(engine.Thought); ok {
			if t.Text = clean(t.Text); strings.TrimSpace(t.Text) == "" {
				continue
			}
			t.Signature, p = "", t
		}
		out = append(out, p)
	}
	return out
}

func clean(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\uFFFD"), "\uFFFD")
}

// cut shortens a result in its middle, which says so.
func cut(s string) string {
	if len(s) <= mostResult {
		return s
	}
	head, tail := s[:mostResult/2], s[len(s)-mostResult/2:]
	return fmt.Sprintf("%s\n[%d bytes were left out when this was imported]\n%s", strings.ToValidUTF8(head, ""), len(s)-mostResult, strings.ToValidUTF8(tail, ""))
}

// picture reads "data:image/png;base64,..."; ok is false for anything else.
func picture(url string) (engine.Image, bool) {
	rest, ok := strings.CutPrefix(url, "data:")
	mime, data, ok2 := strings.Cut(rest, ";base64,")
	if !ok || !ok2 {
		return engine.Image{}, false
	}
	return encoded(mime, data)
}

func encoded(mime, data string) (engine.Image, bool) {
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil || len(raw) == 0 || !strings.HasPrefix(mime, "image/") {
		return engine.Image{}, false
	}
	return engine.Image{Name: "picture", MIME: mime, Data: raw}, true
}
