package journal

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"talaria/engine"
)

// Row is a session as the database and the row lines of the journal hold it. Rev counts the owner's folds, so that of
// two rows the newer is known; a rename by another process leaves it. A bare row holds only a title that was given
// before the session had records; it is listed nowhere.
type Row struct {
	engine.Session
	Rev   uint64
	Bare  bool
	extra map[string]json.RawMessage // fields of a later version
}

type rowJSON struct {
	Version int             `json:"v"`
	Rev     uint64          `json:"rev"`
	Bare    bool            `json:"bare,omitempty"`
	Session json.RawMessage `json:"session"`
}

type rowLine struct {
	Type    string          `json:"type"`
	At      time.Time       `json:"at"`
	Rev     uint64          `json:"rev"`
	Keep    bool            `json:"same_system,omitempty"` // the system prompt is that of the row line before
	Session json.RawMessage `json:"session"`
}

var sessionFields = fieldNames(reflect.TypeFor[engine.Session]())

func fieldNames(t reflect.Type) map[string]bool {
	names := map[string]bool{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names[name] = true
	}
	return names
}

// session returns the JSON of the row's session with the fields of later versions.
func (r Row) session() (json.RawMessage, error) {
	b, err := engine.Marshal(r.Session)
	if err != nil {
		return nil, fmt.Errorf("encode session %s: %w", r.ID, err)
	}
	for name, value := range r.extra {
		key, err := engine.Marshal(name)
		if err != nil {
			return nil, fmt.Errorf("encode session %s: %w", r.ID, err)
		}
		b = append(append(append(append(b[:len(b)-1], ','), key...), ':'), value...)
		b = append(b, '}')
	}
	return b, nil
}

func (r *Row) decodeSession(b []byte) error {
	if err := json.Unmarshal(b, &r.Session); err != nil {
		return fmt.Errorf("decode session: %w", err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		return fmt.Errorf("decode session: %w", err)
	}
	for name, value := range all {
		if sessionFields[name] {
			continue
		}
		if r.extra == nil {
			r.extra = map[string]json.RawMessage{}
		}
		r.extra[name] = value
	}
	return nil
}

// rowVersion is the layout of a row's value.
const rowVersion = 1

// Encode returns the row as the database keeps it: without the system prompt, which lists must not read.
func (r Row) Encode() ([]byte, error) {
	r.System = ""
	s, err := r.session()
	if err != nil {
		return nil, err
	}
	return engine.Marshal(rowJSON{rowVersion, r.Rev, r.Bare, s})
}

// DecodeRow reads what Encode returned.
func DecodeRow(b []byte) (Row, error) {
	var box rowJSON
	if err := json.Unmarshal(b, &box); err != nil {
		return Row{}, fmt.Errorf("decode session row: %w", err)
	}
	r := Row{Rev: box.Rev, Bare: box.Bare}
	return r, r.decodeSession(box.Session)
}

// encodeRowLine returns the body of a row line; system is the prompt that the journal's row lines so far hold.
func encodeRowLine(r Row, system string, at time.Time) ([]byte, error) {
	keep := r.System == system
	if keep {
		r.System = ""
	}
	s, err := r.session()
	if err != nil {
		return nil, err
	}
	return engine.Marshal(rowLine{"row", at, r.Rev, keep, s})
}

func decodeRowLine(body []byte, before *Row) (Row, error) {
	var box rowLine
	if err := json.Unmarshal(body, &box); err != nil {
		return Row{}, fmt.Errorf("decode row line: %w", err)
	}
	r := Row{Rev: box.Rev}
	err := r.decodeSession(box.Session)
	if box.Keep && before != nil {
		r.System = before.System
	}
	return r, err
}

// Newer returns the row to go on from: the database's or another one (the journal's, the owner's) that knows more. A
// title that was given in the database meanwhile stays, unless the other was set by the user and that one was not.
func Newer(stored *Row, other Row) Row {
	if stored == nil {
		return other
	}
	if stored.Bare {
		other.Title, other.TitleSet = stored.Title, stored.TitleSet
		return other
	}
	if other.Folded < stored.Folded || other.Folded == stored.Folded && other.Rev <= stored.Rev {
		if stored.System == "" {
			stored.System = other.System
		}
		return *stored
	}
	if stored.TitleSet || stored.Title != "" && !other.TitleSet {
		other.Title, other.TitleSet = stored.Title, stored.TitleSet
	}
	if other.extra == nil {
		other.extra = stored.extra
	}
	return other
}

// Copy returns a row that can be changed without r, nil for nil.
func (r *Row) Copy() *Row {
	if r == nil {
		return nil
	}
	c := *r
	c.Session = Clone(r.Session)
	return &c
}

// Clone returns s without anything shared.
func Clone(s engine.Session) engine.Session {
	s.Changed = slices.Clone(s.Changed)
	if s.Cost != nil {
		cost := *s.Cost
		s.Cost = &cost
	}
	return s
}

// Derive brings r up to records that no fold has counted: what a killed process left in its journal.
func (r *Row) Derive(recs []Entry) {
	from := r.Folded
	for _, e := range recs {
		if e.Seq > from {
			r.count(e.Record())
			r.Folded = max(r.Folded, e.Seq)
		}
	}
	if r.Folded > from {
		r.Rev++
	}
}

func (r *Row) count(rec engine.Record) {
	if rec.At.After(r.Updated) {
		r.Updated = rec.At
	}
	if e, ok := rec.Event.(engine.Began); ok {
		r.Turns = max(r.Turns, e.Turn)
		r.Route = e.Route
	}
	if e, ok := rec.Event.(engine.Used); ok {
		r.Usage, r.Cost, r.Context = e.Total, e.Cost, e.Context
	}
	if e, ok := rec.Event.(engine.Rewound); ok && e.From != "" {
		r.Turns = e.Turn - 1
		if e.Back {
			r.Turns, r.Messages = r.Turns+e.Turns, r.Messages+e.Messages
		} else {
			r.Messages = max(0, r.Messages-e.Messages)
		}
	}
	if e, ok := rec.Event.(engine.Appended); ok && !e.Message.Aside { // a reply that was cut off is stored again and again
		r.Messages++
		text := clip(strings.Join(strings.Fields(e.Message.Text()), " "), lastLength)
		if text != "" && e.Message.Role != engine.RoleTool {
			r.Last = text
		}
		if r.Title == "" && e.Message.Role == engine.RoleUser {
			r.Title = firstLine(e.Message.Text())
		}
	}
}

// firstLine returns the first line of s that is not blank, at most 80 characters of it.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return clip(strings.TrimSpace(line), titleLength)
}

// How many characters of what was said a list shows: as a title, and as the last exchange.
const titleLength, lastLength = 80, 300

// clip shortens s to n characters.
func clip(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}
