// Package replay plays a journal, or what --output stream-json printed, as the events of a running engine: what was not
// kept, the streaming of an answer, is made again from what it came to.
//
// It refuses files that are not whole: a replay with holes would tell something that never happened. It runs nothing, and
// takes no op.
package replay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"talaria/engine"
	"talaria/store/journal"
)

// Tape is a session to be played.
type Tape struct {
	Session engine.Session
	Steps   []Step
	Torn    bool // the last line was cut, as a crash leaves it
}

// Step is one event and the time before it, shortened where nothing happened.
type Step struct {
	After time.Duration
	Event engine.Event
}

// longest is how long nothing may happen; longer pauses, in which the user read or slept, are cut to it.
const longest = 4 * time.Second

// Load reads the file at path; clean, if set, has a say in each record. The error says what is wrong with the file, and where.
func Load(path string, clean func(engine.Record) engine.Record) (Tape, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Tape{}, fmt.Errorf("read the journal: %w", err)
	}
	recs, session, torn, err := parse(data)
	if err != nil {
		return Tape{}, fmt.Errorf("%s %w", path, err)
	}
	for i := range recs {
		if clean != nil {
			recs[i] = clean(recs[i])
		}
	}
	return Tape{Session: session, Steps: steps(recs), Torn: torn}, nil
}

// parse reads both kinds of lines: those of a journal have a checksum, those of stream-json have not.
func parse(data []byte) (recs []engine.Record, session engine.Session, torn bool, err error) {
	scan := journal.Read(data)
	if len(scan.Recs) > 0 {
		if n := len(scan.Bad); n > 0 {
			line := 1 + bytes.Count(data[:max(0, bytes.Index(data, scan.Bad[0]))], []byte("\n"))
			return nil, session, false, fmt.Errorf("is damaged: line %d does not fit its checksum (%d such lines). talaria doctor says more; opening the session takes what the database has in their place", line, n)
		}
		if scan.Row != nil {
			session = scan.Row.Session
		}
		return journal.Records(scan.Recs), session, len(scan.Torn) > 0, nil
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		r, err := engine.DecodeRecord(bytes.Clone(lines.Bytes()))
		u, unknown := r.Event.(engine.Unknown)
		if err != nil || unknown && u.Type != "result" && len(recs) == 0 {
			return nil, session, false, fmt.Errorf("is not a journal of talaria: line %d is no record (%s)", n, what(lines.Bytes(), err))
		}
		if o, ok := r.Event.(engine.Opened); ok {
			session = o.Session
		}
		recs = append(recs, r)
	}
	if len(recs) == 0 {
		return nil, session, false, errors.New("is not a journal of talaria: there is no record in it")
	}
	return recs, session, false, nil
}

func what(line []byte, err error) string {
	var head struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(line, &head) != nil {
		return "it is not JSON"
	}
	if err == nil || head.Type != "" {
		return fmt.Sprintf("its type is %q", head.Type)
	}
	return err.Error()
}

// steps are the events of records as they stand, with answers streamed again.
func steps(recs []engine.Record) []Step {
	var all []Step
	var last time.Time
	stands := map[string]int{} // the record in which a message stands as it was last: before it are parts of the same answer
	for i, r := range recs {
		if a, ok := r.Event.(engine.Appended); ok {
			stands[a.Message.ID] = i
		}
	}
	for i, r := range recs {
		if a, ok := r.Event.(engine.Appended); ok && stands[a.Message.ID] != i {
			continue
		}
		wait := time.Duration(0)
		if !r.At.IsZero() {
			if !last.IsZero() {
				wait = min(max(0, r.At.Sub(last)), longest)
			}
			last = r.At
		}
		all = append(all, stepsOf(r.Event, wait)...)
	}
	return append(all, cutOff(recs)...)
}

// cutOff ends a turn that the records leave open, since the program was killed in it: or the screen would wait for more.
func cutOff(recs []engine.Record) []Step {
	open := false
	for _, r := range recs {
		if _, ok := r.Event.(engine.Began); ok {
			open = true
		}
		if _, ok := r.Event.(engine.Ended); ok {
			open = false
		}
	}
	if !open {
		return nil
	}
	return []Step{{0, engine.Noted{Kind: engine.NoteInfo, Text: "The program ended here, in the middle of a turn."}}, {0, engine.Ended{Why: engine.ExitFinished}}}
}

// stepsOf is what a record looks like on screen. A question is told and not asked: nobody's answer would count.
func stepsOf(e engine.Event, wait time.Duration) []Step {
	if e == nil || engine.Transient(e) {
		return nil
	}
	if _, ok := e.(engine.Opened); ok {
		return nil
	}
	if _, ok := e.(engine.Unknown); ok {
		return nil
	}
	if asked, ok := e.(engine.Asked); ok {
		e = engine.Noted{Kind: engine.NoteInfo, Text: "Asked: " + asked.Question.Title}
	}
	if gone, ok := e.(engine.Withdrawn); ok {
		if gone.Choice == "" {
			return nil
		}
		e = engine.Noted{Kind: engine.NoteInfo, Text: "Answered: " + gone.Choice}
	}
	if ended, ok := e.(engine.Ended); ok && ended.Outcome.Err != nil {
		err := *ended.Outcome.Err
		if err.Reason == engine.ReasonAuth || err.Reason == engine.ReasonAuthPermanent || err.Code == engine.CodeNoKey {
			err.Reason, err.Code = engine.ReasonUnknown, "" // the key that was missing then is nobody's task now
		}
		ended.Outcome.Err = &err
		e = ended
	}
	if a, ok := e.(engine.Appended); ok && a.Message.Role == engine.RoleAssistant && !a.Message.Aside && !a.Message.Summary {
		return streamed(a, wait)
	}
	return []Step{{wait, e}}
}

// piece is how many characters come at once.
const piece = 24

func streamed(a engine.Appended, wait time.Duration) []Step {
	var pieces []engine.Delta
	for _, p := range a.Message.Parts {
		if t, ok := p.(engine.Thought); ok {
			for _, s := range cut(t.Text) {
				pieces = append(pieces, engine.ThoughtDelta{Text: s})
			}
		}
		if t, ok := p.(engine.Text); ok {
			for _, s := range cut(t.Text) {
				pieces = append(pieces, engine.TextDelta{Text: s})
			}
		}
	}
	var all []Step
	for _, d := range pieces {
		all = append(all, Step{wait / time.Duration(len(pieces)), engine.Streamed{Delta: d}})
	}
	if len(pieces) > 0 {
		wait = 0
	}
	return append(all, Step{wait, a})
}

func cut(s string) (pieces []string) {
	runes := []rune(s)
	for len(runes) > 0 {
		n := min(piece, len(runes))
		pieces, runes = append(pieces, string(runes[:n])), runes[n:]
	}
	return pieces
}
