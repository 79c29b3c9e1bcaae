package journal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"time"

	"talaria/engine"
)

// A journal line is a JSON object whose last field is the crc32 (IEEE, 8 hex digits) of the bytes before that field:
//
//	{"seq":7,"at":"...","type":"appended",...,"crc":"0a1b2c3d"}
//
// Lines of type "row" have no seq: they hold the session's row, so that a journal alone can rebuild the database.
const (
	crcHead   = `,"crc":"`
	crcLength = len(crcHead) + 8 + len(`"}`)
	rowHead   = `{"type":"row",`
	seqHead   = `{"seq":`
)

// Entry is one record as it is kept: its number, from 1, and its JSON without the checksum.
type Entry struct {
	Seq  uint64
	Body []byte
}

// seal returns the line of body, a JSON object with at least one field, with its checksum and line end.
func seal(body []byte) []byte {
	open := body[:len(body)-1]
	line := make([]byte, 0, len(body)+crcLength+1)
	line = append(line, open...)
	return fmt.Appendf(line, "%s%08x\"}\n", crcHead, crc32.ChecksumIEEE(open))
}

// unseal returns the body of a line without its line end, or what is wrong with it.
func unseal(line []byte) ([]byte, error) {
	at := len(line) - crcLength
	if at < 2 || string(line[at:at+len(crcHead)]) != crcHead || string(line[len(line)-2:]) != `"}` {
		return nil, errors.New("the line has no checksum")
	}
	want, err := strconv.ParseUint(string(line[at+len(crcHead):len(line)-2]), 16, 32)
	if err != nil || crc32.ChecksumIEEE(line[:at]) != uint32(want) {
		return nil, errors.New("the checksum does not fit")
	}
	return append(line[:at:at], '}'), nil
}

// EntryOf returns the entry of a body; its Seq is 0 when the body has no number. The first field is looked at before
// the rest, since that is where the number is written and parsing whole bodies is most of the cost of opening a long
// session.
func EntryOf(body []byte) Entry {
	if rest, ok := bytes.CutPrefix(body, []byte(seqHead)); ok {
		if i := bytes.IndexByte(rest, ','); i > 0 {
			if n, err := strconv.ParseUint(string(rest[:i]), 10, 64); err == nil {
				return Entry{n, body}
			}
		}
	}
	var head struct {
		Seq uint64 `json:"seq"`
	}
	if json.Unmarshal(body, &head) != nil {
		return Entry{}
	}
	return Entry{head.Seq, body}
}

// Encode returns r as the entry with number seq; a record without a time gets now. A record that was read before keeps
// its bytes, all but its number.
func Encode(r engine.Record, seq uint64, now time.Time) (Entry, error) {
	if r.Raw != nil {
		body, err := renumber(r.Raw, seq)
		return Entry{seq, body}, err
	}
	if r.Event == nil && r.Op == nil {
		return Entry{}, errors.New("encode record: it holds neither an event nor an op")
	}
	if r.At.IsZero() {
		r.At = now
	}
	r.Seq = seq
	body, err := engine.EncodeRecord(r)
	if err != nil {
		return Entry{}, err
	}
	if seqAt := EntryOf(body).Seq; seqAt != seq || !json.Valid(body) {
		return Entry{}, errors.New("encode record: it is not a JSON object")
	}
	body, err = oneLine(body)
	return Entry{seq, body}, err
}

// renumber returns the object raw with seq as its first field, in place of any seq and crc it had.
func renumber(raw []byte, seq uint64) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("encode record: its raw text is not a JSON object")
	}
	out := strconv.AppendUint([]byte(seqHead), seq, 10)
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("encode record: %w", err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, fmt.Errorf("encode record: %w", err)
		}
		if key == "seq" || key == "crc" {
			continue
		}
		name, err := engine.Marshal(key)
		if err != nil {
			return nil, fmt.Errorf("encode record: %w", err)
		}
		out = append(append(append(append(out, ','), name...), ':'), value...)
	}
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("encode record: %w", err)
	}
	return oneLine(append(out, '}'))
}

// oneLine removes line ends between the tokens of a JSON text; inside strings there are none.
func oneLine(body []byte) ([]byte, error) {
	if bytes.IndexByte(body, '\n') < 0 {
		return body, nil
	}
	var b bytes.Buffer
	if err := json.Compact(&b, body); err != nil {
		return nil, fmt.Errorf("encode record: %w", err)
	}
	return b.Bytes(), nil
}

// Record returns the record of e. What this version cannot read comes back as Unknown with its bytes.
func (e Entry) Record() engine.Record {
	r, err := e.decode()
	if err != nil {
		r = engine.Record{At: e.At(), Event: engine.Unknown{Type: e.Type(), Raw: e.Body}}
	}
	r.Seq, r.Raw = e.Seq, e.Body
	return r
}

// decode is engine.DecodeRecord, which has to read a record several times to learn its type; where the type stands in
// its usual place, an event is read half as often.
func (e Entry) decode() (engine.Record, error) {
	h, ok := headOf(e.Body)
	if !ok {
		return engine.DecodeRecord(e.Body)
	}
	if op, err := engine.DecodeOp(fmt.Appendf(nil, `{"type":%q}`, h.name)); err != nil {
		return engine.DecodeRecord(e.Body)
	} else if _, event := op.(engine.Unknown); !event {
		return engine.DecodeRecord(e.Body)
	}
	ev, err := engine.DecodeEvent(e.Body)
	return engine.Record{At: h.at, Event: ev}, err
}

// head is the beginning of a record that was written by Encode from an event or op: seq, at, type.
type head struct {
	at   time.Time
	name string
}

func headOf(body []byte) (head, bool) {
	rest, ok1 := bytes.CutPrefix(body, []byte(seqHead))
	_, rest, ok2 := bytes.Cut(rest[:min(len(rest), 160)], []byte(`,"at":"`))
	at, rest, ok3 := bytes.Cut(rest, []byte(`","type":"`))
	name, _, ok4 := bytes.Cut(rest, []byte(`"`))
	when, err := time.Parse(time.RFC3339Nano, string(at))
	return head{when, string(name)}, ok1 && ok2 && ok3 && ok4 && err == nil
}

// Records returns the records of list.
func Records(list []Entry) []engine.Record {
	out := make([]engine.Record, len(list))
	for i, e := range list {
		out[i] = e.Record()
	}
	return out
}

// Type returns the type of an entry, "" when it has none.
func (e Entry) Type() string {
	if h, ok := headOf(e.Body); ok {
		return h.name
	}
	var head struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(e.Body, &head) // what cannot be read stays empty
	return head.Type
}

// At returns when e happened, the zero time when it does not say.
func (e Entry) At() time.Time {
	if h, ok := headOf(e.Body); ok {
		return h.at
	}
	var head struct {
		At time.Time `json:"at"`
	}
	_ = json.Unmarshal(e.Body, &head) // what cannot be read stays zero
	return head.At
}

// Union joins two lists by number, in order; of two entries with the same number that of a stays.
func Union(a, b []Entry) []Entry {
	all := append(slices.Clone(a), b...)
	slices.SortStableFunc(all, func(x, y Entry) int { return cmp.Compare(x.Seq, y.Seq) })
	return slices.CompactFunc(all, func(x, y Entry) bool { return x.Seq == y.Seq })
}

// Scan is what was found in a journal's bytes.
type Scan struct {
	Recs    []Entry
	Row     *Row     // the last one written; nil when there is none
	Bad     [][]byte // whole lines that cannot be used
	Torn    []byte   // what follows the last line end and is not a whole line
	Good    int64    // length of the whole lines, in bytes
	unended bool     // the last line is whole, only its line end is missing
}

// Read sorts the bytes of a journal. It accepts any bytes.
func Read(data []byte) Scan {
	var s Scan
	for len(data) > 0 {
		end := bytes.IndexByte(data, '\n')
		if end < 0 {
			if body, err := unseal(data); err == nil {
				s.take(body, data)
				s.Good, s.unended = s.Good+int64(len(data)), true
			} else {
				s.Torn = data
			}
			break
		}
		one := data[:end]
		data, s.Good = data[end+1:], s.Good+int64(end)+1
		if len(one) == 0 {
			continue
		}
		if body, err := unseal(one); err != nil {
			s.Bad = append(s.Bad, one)
		} else {
			s.take(body, one)
		}
	}
	return s
}

func (s *Scan) take(body, line []byte) {
	if bytes.HasPrefix(body, []byte(rowHead)) {
		r, err := decodeRowLine(body, s.Row)
		if err != nil {
			s.Bad = append(s.Bad, line)
			return
		}
		s.Row = &r
		return
	}
	e := EntryOf(body)
	if e.Seq == 0 {
		s.Bad = append(s.Bad, line)
		return
	}
	s.Recs = append(s.Recs, e)
}

// Last is the highest number among the records.
func (s Scan) Last() uint64 {
	var n uint64
	for _, e := range s.Recs {
		n = max(n, e.Seq)
	}
	return n
}

// RowOf is the row of session id as the journal knows it.
func (s Scan) RowOf(id string) Row {
	if s.Row != nil && s.Row.ID == id {
		return *s.Row
	}
	r := Row{Session: engine.Session{ID: id}}
	if len(s.Recs) > 0 {
		r.Created = s.Recs[0].At()
		r.Updated = r.Created
	}
	return r
}
