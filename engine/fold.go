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
	calls  map[int]int // slot -> index in parts
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
		f.spoken = f.spoken || d.Text != ""
		if t, ok := f.last().(Text); ok {
			f.parts[len(f.parts)-1] = Text{t.Text + d.Text}
		} else if d.Text != "" {
			f.parts = append(f.parts, Text(d))
		}
	case ThoughtDelta:
		f.think(d)
	case CallDelta:
		f.call(d)
	case OpaqueDelta:
		f.parts = append(f.parts, d.Opaque)
	case Retry:
		f.lost, f.retry = f.lost.Add(d.Usage), append(f.retry, d)
		if !d.Keep {
			f.parts, f.calls, f.spoken = nil, nil, false
		}
	case Done:
		f.done, f.stop, f.usage, f.model = true, d.Stop, d.Usage, d.Model
	}
}

func (f *Fold) last() Part {
	if len(f.parts) == 0 {
		return nil
	}
	return f.parts[len(f.parts)-1]
}

// think appends to the open thought. A signature closes it: what follows is another block.
func (f *Fold) think(d ThoughtDelta) {
	if t, ok := f.last().(Thought); ok && t.Signature == "" {
		f.parts[len(f.parts)-1] = Thought{t.Text + d.Text, d.Signature}
	} else if d.Text != "" || d.Signature != "" {
		f.parts = append(f.parts, Thought(d))
	}
}

func (f *Fold) call(d CallDelta) {
	i, ok := f.calls[d.Index]
	if !ok {
		if f.calls == nil {
			f.calls = map[int]int{}
		}
		i = len(f.parts)
		f.calls[d.Index], f.parts = i, append(f.parts, Call{})
	}
	c := f.parts[i].(Call)
	if d.ID != "" {
		c.ID = d.ID
	}
	if d.Name != "" {
		c.Name = d.Name
	}
	if d.Extra != nil {
		c.Extra = d.Extra
	}
	c.Args += d.Args
	f.parts[i] = c
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
	for _, p := range f.parts {
		c, ok := p.(Call)
		if !ok {
			m.Parts = append(m.Parts, p)
			continue
		}
		for i, args := range splitObjects(c.Args) {
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
