package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// sum is the JSON of a sealed interface: each variant an object that begins with its "type".
type sum[T any] struct {
	what  string
	names map[reflect.Type]string
	types map[string]reflect.Type
}

func newSum[T any](what string, variants map[string]T) sum[T] {
	s := sum[T]{what, map[reflect.Type]string{}, map[string]reflect.Type{}}
	for name, v := range variants {
		s.names[reflect.TypeOf(v)], s.types[name] = name, reflect.TypeOf(v)
	}
	return s
}

// encode returns the JSON of v with its type first, after the fields of head (a JSON object, or nil).
func (s sum[T]) encode(v T, head []byte) ([]byte, error) {
	if u, ok := any(v).(Unknown); ok {
		return withHead(head, u.Raw), nil
	}
	name, ok := s.names[reflect.TypeOf(v)]
	if !ok {
		return nil, fmt.Errorf("encode %s: %T has no name", s.what, v)
	}
	body, err := Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode %s %s: %w", s.what, name, err)
	}
	return withHead(head, withHead(fmt.Appendf(nil, `{"type":%q}`, name), body)), nil
}

// withHead puts the fields of the object head before those of the object body.
func withHead(head, body []byte) []byte {
	rest := bytes.TrimSpace(bytes.TrimSpace(body)[1:])
	switch {
	case len(head) <= 2:
		return body
	case rest[0] == '}':
		return head
	}
	return append(append(bytes.Clone(head[:len(head)-1]), ','), rest...)
}

// decode returns the variant that b's "type" names; ok is false when this version does not know the name.
func (s sum[T]) decode(b []byte) (v T, name string, ok bool, err error) {
	var tag struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(b, &tag); err != nil {
		return v, "", false, fmt.Errorf("decode %s: %w", s.what, err)
	}
	v, ok, err = s.decodeAs(tag.Type, b)
	return v, tag.Type, ok, err
}

// decodeAs returns b as the variant of that name.
func (s sum[T]) decodeAs(name string, b []byte) (v T, ok bool, err error) {
	t, ok := s.types[name]
	if !ok {
		return v, false, nil
	}
	p := reflect.New(t)
	if err := json.Unmarshal(b, p.Interface()); err != nil {
		return v, true, fmt.Errorf("decode %s %s: %w", s.what, name, err)
	}
	return p.Elem().Interface().(T), true, nil
}

// Marshal is json.Marshal without HTML escaping, so that stored and sent text stays as it was written.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// MarshalJSON writes each part with its type.
func (p Parts) MarshalJSON() ([]byte, error) {
	raws := make([]json.RawMessage, len(p))
	for i, v := range p {
		b, err := partSum.encode(v, nil)
		if err != nil {
			return nil, err
		}
		raws[i] = b
	}
	return Marshal(raws)
}

// UnmarshalJSON reads parts; one of an unknown type becomes Unknown.
func (p *Parts) UnmarshalJSON(b []byte) error {
	var raws []json.RawMessage
	if err := json.Unmarshal(b, &raws); err != nil {
		return fmt.Errorf("decode parts: %w", err)
	}
	*p = nil
	for _, raw := range raws {
		v, name, ok, err := partSum.decode(raw)
		if err != nil {
			return err
		}
		if !ok {
			v = Unknown{name, raw}
		}
		*p = append(*p, v)
	}
	return nil
}

// MarshalJSON writes the delta with its type.
func (s Streamed) MarshalJSON() ([]byte, error) {
	b, err := deltaSum.encode(s.Delta, nil)
	if err != nil {
		return nil, err
	}
	return withHead(nil, fmt.Appendf(nil, `{"delta":%s}`, b)), nil
}

// UnmarshalJSON reads the delta; an unknown one is an error, since deltas are never stored.
func (s *Streamed) UnmarshalJSON(b []byte) error {
	var box struct{ Delta json.RawMessage }
	if err := json.Unmarshal(b, &box); err != nil {
		return err
	}
	d, name, ok, err := deltaSum.decode(box.Delta)
	if err == nil && !ok {
		err = fmt.Errorf("decode delta: unknown type %q", name)
	}
	s.Delta = d
	return err
}

// MarshalJSON writes the child's event with its type.
func (c Child) MarshalJSON() ([]byte, error) {
	b, err := EncodeEvent(c.Event)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `{"agent":%q,"event":%s}`, c.Agent, b), nil
}

// UnmarshalJSON reads the child's event.
func (c *Child) UnmarshalJSON(b []byte) error {
	var box struct {
		Agent string
		Event json.RawMessage
	}
	if err := json.Unmarshal(b, &box); err != nil {
		return err
	}
	e, err := DecodeEvent(box.Event)
	*c = Child{box.Agent, e}
	return err
}

// EncodeEvent returns the tagged JSON of e.
func EncodeEvent(e Event) ([]byte, error) { return eventSum.encode(e, nil) }

// DecodeEvent reads what EncodeEvent wrote; an unknown type becomes Unknown.
func DecodeEvent(b []byte) (Event, error) {
	e, name, ok, err := eventSum.decode(b)
	if err == nil && !ok {
		return Unknown{name, bytes.Clone(b)}, nil
	}
	return e, err
}

// EncodeOp returns the tagged JSON of o.
func EncodeOp(o Op) ([]byte, error) { return opSum.encode(o, nil) }

// DecodeOp reads what EncodeOp wrote; an unknown type becomes Unknown.
func DecodeOp(b []byte) (Op, error) {
	o, name, ok, err := opSum.decode(b)
	if err == nil && !ok {
		return Unknown{name, bytes.Clone(b)}, nil
	}
	return o, err
}

// Record is one line of a session's journal: an Event or an Op with its place and time. Raw is the line as it was read,
// so that fields of a later version survive; nil for a new record.
type Record struct {
	Seq   uint64
	At    time.Time
	Event Event
	Op    Op
	Raw   json.RawMessage
}

type recordHead struct {
	Seq uint64    `json:"seq,omitempty"`
	At  time.Time `json:"at"`
}

// EncodeRecord returns the line of r without its line end: seq (left out when 0), at, type, fields.
func EncodeRecord(r Record) ([]byte, error) {
	if r.Raw != nil {
		return r.Raw, nil
	}
	head, err := Marshal(recordHead{r.Seq, r.At})
	if err != nil {
		return nil, fmt.Errorf("encode record: %w", err)
	}
	if r.Op != nil {
		return opSum.encode(r.Op, head)
	}
	return eventSum.encode(r.Event, head)
}

// DecodeRecord reads a line. A type that is neither a known event nor a known op becomes an Unknown event.
func DecodeRecord(line []byte) (Record, error) {
	var head struct {
		recordHead
		Type string `json:"type"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return Record{}, fmt.Errorf("decode record: %w", err)
	}
	r := Record{Seq: head.Seq, At: head.At, Raw: bytes.Clone(line)}
	var known bool
	var err error
	if r.Op, known, err = opSum.decodeAs(head.Type, line); known {
		return r, err
	}
	if r.Event, known, err = eventSum.decodeAs(head.Type, line); !known {
		r.Event = Unknown{head.Type, r.Raw}
	}
	return r, err
}
