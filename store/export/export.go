// Package export writes a session for other eyes: Markdown to read or to paste, one self-contained HTML page, or JSON for
// programs. Everything comes from the records through engine.Library, so a session that is open elsewhere can be exported
// too.
//
// It refuses to pass on what nobody asked for: provider state, the text of pictures and, unless the caller wants it, the
// system prompt stay out, and every text goes through the caller's mask.
package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"talaria/engine"
)

// Formats are the names that Write knows.
func Formats() []string { return []string{"md", "html", "json"} }

// Chat is a conversation from its first word on, over all sessions that it went on in after a compression.
type Chat struct {
	Session  engine.Session // the one that was asked for
	Messages []engine.Message
	Lines    map[string]string // what calls did, on one line, by the id of the call
}

// deepest bounds how many compressed sessions a conversation is followed back through; more can only be damage.
const deepest = 1000

// Read collects the conversation that session id belongs to, oldest message first. Parents that are gone are left out.
func Read(ctx context.Context, lib engine.Library, id string) (Chat, error) {
	s, err := lib.Find(ctx, id, "")
	if err != nil {
		return Chat{}, fmt.Errorf("find session %q: %w", id, err)
	}
	c := Chat{Session: s, Lines: map[string]string{}}
	seen := map[string]bool{}
	for at := s; len(seen) < deepest && !seen[at.ID]; {
		seen[at.ID] = true
		recs, err := lib.Tail(ctx, at.ID, 0)
		if errors.Is(err, engine.ErrNotFound) && at.ID != s.ID {
			break
		}
		if err != nil {
			return c, err
		}
		c.Messages = join(said(recs), c.Messages)
		for _, r := range recs {
			if e, ok := r.Event.(engine.CallEnded); ok && e.Line != "" {
				c.Lines[e.Result.CallID] = e.Line
			}
			if e, ok := r.Event.(engine.CallBegan); ok && e.Line != "" {
				c.Lines[e.Call.ID] = e.Line
			}
		}
		if at.ParentWhy != engine.WhyCompression {
			break
		}
		if at, err = parent(ctx, lib, at); err != nil {
			break // it was deleted: what is here is all there is
		}
	}
	return c, nil
}

// parent reads the row of the session that s goes on for. Find leads to the newest child, so the row comes from its records.
func parent(ctx context.Context, lib engine.Library, s engine.Session) (engine.Session, error) {
	recs, err := lib.Tail(ctx, s.ParentID, 0)
	if err != nil {
		return engine.Session{}, err
	}
	p := engine.Session{ID: s.ParentID}
	for _, r := range recs {
		if e, ok := r.Event.(engine.Opened); ok && e.Session.ID == s.ParentID {
			p = e.Session
		}
	}
	return p, nil
}

// said are the messages of records as they stand, each once, as it was last.
func said(recs []engine.Record) []engine.Message {
	var all []engine.Message
	place := map[string]int{}
	for _, r := range engine.Standing(recs) {
		a, ok := r.Event.(engine.Appended)
		if !ok {
			continue
		}
		if i, ok := place[a.Message.ID]; ok && a.Message.ID != "" {
			all[i] = a.Message
			continue
		}
		place[a.Message.ID] = len(all)
		all = append(all, a.Message)
	}
	return all
}

// join puts older before newer; what a compression carried over stands once, where it was said.
func join(older, newer []engine.Message) []engine.Message {
	had := map[string]bool{}
	for _, m := range older {
		had[m.ID] = true
	}
	return append(older, slices.DeleteFunc(slices.Clone(newer), func(m engine.Message) bool { return m.ID != "" && had[m.ID] })...)
}

// Options say how a chat is written. Mask changes every text on its way out; nil leaves it.
type Options struct {
	Format string // one of Formats
	Mask   func(string) string
}

// Write writes c in a format.
func Write(w io.Writer, c Chat, o Options) error {
	if o.Mask == nil {
		o.Mask = func(s string) string { return s }
	}
	var err error
	switch o.Format {
	case "md":
		err = writeMarkdown(w, c.blocks(o.Mask))
	case "html":
		err = writePage(w, c.blocks(o.Mask))
	case "json":
		err = writeJSON(w, c, o.Mask)
	default:
		return fmt.Errorf("export: there is no format %q; it is one of %s", o.Format, strings.Join(Formats(), ", "))
	}
	if err != nil {
		return fmt.Errorf("export session %s: %w", c.Session.ID, err)
	}
	return nil
}

// object is the JSON form: the row, and the messages as CONTRACT 2.1 has them.
type object struct {
	Session  engine.Session       `json:"session"`
	Messages []engine.ChatMessage `json:"messages"`
}

func writeJSON(w io.Writer, c Chat, mask func(string) string) error {
	o := object{Session: c.Session, Messages: engine.ExportChat("", c.Messages)}
	o.Session.System, o.Session.Title, o.Session.Last = "", mask(o.Session.Title), mask(o.Session.Last)
	for i := range o.Messages {
		m := &o.Messages[i]
		m.Content, m.Reasoning = mask(m.Content), mask(m.Reasoning)
		for j := range m.ToolCalls {
			f := &m.ToolCalls[j].Function
			f.Arguments = mask(f.Arguments)
		}
	}
	b, err := engine.Marshal(o)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
