package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// Fold gathers the deltas of a reply into a message. The zero value is ready. It is the only place that does this, so
// every consumer sees the same message however the bytes were cut (law 4).
type Fold struct {
	parts  Parts
	open   strings.Builder // the text of the last part while it grows, so that a long reply costs linear time
	calls  map[int]*grown  // by slot
	done   bool
	stop   Stop
	usage  *Usage
	lost   Usage // of attempts that failed
	model  string
	retry  []Retry
	spoken bool
}

// Add takes one more delta. A Retry without Keep drops what came before it.
func (f *Fold) Add(d Delta) {
	switch d := d.(type) {
	case TextDelta:
		if d.Text == "" {
			return
		}
		f.spoken = true
		if _, ok := f.last().(Text); !ok {
			f.begin(Text{})
		}
		f.open.WriteString(d.Text)
	case ThoughtDelta:
		f.think(d)
	case CallDelta:
		f.call(d)
	case OpaqueDelta:
		f.begin(d.Opaque)
	case Retry:
		f.lost, f.retry = f.lost.Add(d.Usage), append(f.retry, d)
		if !d.Keep {
			f.parts, f.calls, f.spoken = nil, nil, false
			f.open.Reset()
		}
	case Done:
		f.done, f.stop, f.usage, f.model = true, d.Stop, d.Usage, d.Model
	}
}

// grown is a call whose arguments still arrive.
type grown struct {
	place int
	args  strings.Builder
}

func (f *Fold) last() Part {
	if len(f.parts) == 0 {
		return nil
	}
	return f.parts[len(f.parts)-1]
}

// begin settles the part that grew and starts another.
func (f *Fold) begin(p Part) {
	if n := len(f.parts); n > 0 {
		f.parts[n-1] = f.settled(n - 1)
	}
	f.open.Reset()
	f.parts = append(f.parts, p)
}

// settled is part i with what has grown of it.
func (f *Fold) settled(i int) Part {
	last := i == len(f.parts)-1
	if t, ok := f.parts[i].(Text); ok && last {
		return Text{t.Text + f.open.String()}
	}
	if t, ok := f.parts[i].(Thought); ok && last {
		return Thought{t.Text + f.open.String(), t.Signature}
	}
	return f.parts[i]
}

// think appends to the open thought. A signature closes it: what follows is another block.
func (f *Fold) think(d ThoughtDelta) {
	if d.Text == "" && d.Signature == "" {
		return
	}
	t, ok := f.last().(Thought)
	if !ok || t.Signature != "" {
		f.begin(Thought{})
		t = Thought{}
	}
	f.open.WriteString(d.Text)
	t.Signature = d.Signature
	f.parts[len(f.parts)-1] = t
}

func (f *Fold) call(d CallDelta) {
	g, ok := f.calls[d.Index]
	if !ok {
		if f.calls == nil {
			f.calls = map[int]*grown{}
		}
		f.begin(Call{})
		g = &grown{place: len(f.parts) - 1}
		f.calls[d.Index] = g
	}
	c := f.parts[g.place].(Call)
	if d.ID != "" {
		c.ID = d.ID
	}
	if d.Name != "" {
		c.Name = d.Name
	}
	if d.Extra != nil {
		c.Extra = d.Extra
	}
	f.parts[g.place] = c
	g.args.WriteString(d.Args)
}

// args are the arguments of the call at place i.
func (f *Fold) args(i int) string {
	for _, g := range f.calls {
		if g.place == i {
			return g.args.String()
		}
	}
	return ""
}

// Done reports whether the reply came to its end.
func (f *Fold) Done() bool { return f.done }

// Spoken reports whether visible text arrived and was not dropped.
func (f *Fold) Spoken() bool { return f.spoken }

// Lost is the usage of the attempts that failed.
func (f *Fold) Lost() Usage { return f.lost }

// Retries are the retries of this reply, in order.
func (f *Fold) Retries() []Retry { return f.retry }

// Message returns the reply so far as an assistant message. Calls are in order of first appearance, with unique ids
// (made from name, arguments and place when the server gave none, so that a replay gives the same) and "{}" for absent
// arguments; arguments that are several JSON objects in a row become as many calls.
func (f *Fold) Message(at time.Time) Message {
	m := Message{ID: NewID("msg_"), Role: RoleAssistant, Usage: f.usage, Model: f.model, Stop: f.stop, At: at}
	seen := map[string]bool{}
	for place := range f.parts {
		c, ok := f.parts[place].(Call)
		if !ok {
			m.Parts = append(m.Parts, f.settled(place))
			continue
		}
		for i, args := range splitObjects(f.args(place)) {
			one := Call{ID: c.ID, Name: strings.TrimSpace(c.Name), Args: args, Extra: c.Extra}
			if i > 0 {
				one.ID, one.Extra = "", nil
			}
			one.ID = uniqueID(one, len(seen), seen)
			m.Parts = append(m.Parts, one)
		}
	}
	if len(m.Calls()) > 0 && m.Stop == StopEnd {
		m.Stop = StopCalls // the calls decide, not the label (S19)
	}
	return m
}

func uniqueID(c Call, place int, seen map[string]bool) string {
	id := c.ID
	if id == "" || seen[id] {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d", c.ID, c.Name, c.Args, place))
		id = "call_" + hex.EncodeToString(sum[:6])
	}
	seen[id] = true
	return id
}

// splitObjects trims args and splits `{..}{..}`, which some servers send for parallel calls. What is not several whole
// objects stays one piece, broken or not.
func splitObjects(args string) []string {
	args = strings.TrimSpace(args)
	if args == "" || args == "null" || args == "None" {
		return []string{"{}"}
	}
	dec, all := json.NewDecoder(strings.NewReader(args)), []string(nil)
	for {
		var one json.RawMessage
		if err := dec.Decode(&one); err == io.EOF {
			return all
		} else if err != nil || one[0] != '{' {
			return []string{args}
		}
		all = append(all, string(one))
	}
}
