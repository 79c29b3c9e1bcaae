package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"talaria/engine"
)

func entryOf(t testing.TB, text string, seq uint64) Entry {
	t.Helper()
	e, err := Encode(engine.Record{Event: engine.Appended{Message: engine.UserMessage(text, time.Now())}}, seq, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestALineIsJSONThatAnyToolReads(t *testing.T) {
	line := seal(entryOf(t, "a\nb \u2028 <&> \x00", 7).Body)
	var fields map[string]any
	if err := json.Unmarshal(line, &fields); err != nil {
		t.Fatal(err)
	}
	if bytes.Count(line, []byte("\n")) != 1 || fields["seq"] != 7.0 || fields["type"] != "appended" || len(fields["crc"].(string)) != 8 {
		t.Errorf("the line is %q", line)
	}
	if _, err := unseal(bytes.TrimSpace(line)); err != nil {
		t.Error(err)
	}
}

func TestAnyChangedByteIsNoticed(t *testing.T) {
	line := bytes.TrimSpace(seal(entryOf(t, "hello", 1).Body))
	for i := range line {
		for _, bit := range []byte{1, 0x20, 0x80} {
			bad := bytes.Clone(line)
			bad[i] ^= bit
			if body, err := unseal(bad); err == nil && !strings.EqualFold(string(bad), string(line)) {
				t.Fatalf("byte %d changed unnoticed: %q", i, body)
			}
		}
	}
	for n := range line {
		if _, err := unseal(line[:n]); err == nil {
			t.Fatalf("a line cut at byte %d passed", n)
		}
	}
}

func TestALineWithoutItsEndIsWholeAndTheNextOneStartsAnew(t *testing.T) {
	dir := t.TempDir()
	open := func() (*Journal, Scan) {
		t.Helper()
		j := New(dir, "one", OS{})
		s, err := j.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return j, s
	}
	if err := os.MkdirAll(Dir(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	first := bytes.TrimSpace(seal(entryOf(t, "first", 1).Body))
	if err := os.WriteFile(Path(dir, "one"), first, 0o600); err != nil {
		t.Fatal(err)
	}
	j, s := open()
	if len(s.Recs) != 1 || len(s.Torn) > 0 {
		t.Fatalf("found %d records, torn %q", len(s.Recs), s.Torn)
	}
	j.Add(entryOf(t, "second", 2))
	if err := j.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, s = open(); len(s.Recs) != 2 || len(s.Bad) > 0 {
		t.Errorf("found %d records, bad %q", len(s.Recs), s.Bad)
	}
}

func TestOfTwoRowsTheOneThatKnowsMoreIsTaken(t *testing.T) {
	stored := Row{Session: engine.Session{ID: "one", Title: "by hand", TitleSet: true, Folded: 5, Mode: "old"}, Rev: 3}
	for _, c := range []struct {
		what        string
		other       Row
		mode, title string
	}{
		{"an older one", Row{Session: engine.Session{Folded: 4, Mode: "new"}, Rev: 2}, "old", "by hand"},
		{"the same", Row{Session: engine.Session{Folded: 5, Mode: "new"}, Rev: 3}, "old", "by hand"},
		{"a later one", Row{Session: engine.Session{Folded: 5, Mode: "new", Title: "made up"}, Rev: 4}, "new", "by hand"},
		{"one with more records", Row{Session: engine.Session{Folded: 6, Mode: "new"}, Rev: 1}, "new", "by hand"},
	} {
		if got := Newer(stored.Copy(), c.other); got.Mode != c.mode || got.Title != c.title {
			t.Errorf("%s: %+v", c.what, got)
		}
	}
	if got := Newer(&Row{Session: engine.Session{Title: "early"}, Bare: true}, Row{Session: engine.Session{Mode: "m"}}); got.Title != "early" || got.Mode != "m" || got.Bare {
		t.Errorf("a title that came before the session: %+v", got)
	}
}

// FuzzRead gives the reader any bytes, alone and between whole lines.
func FuzzRead(f *testing.F) {
	good := seal([]byte(`{"seq":1,"at":"2026-11-30T12:00:00Z","type":"noted","kind":"info","text":"x"}`))
	f.Add([]byte("{}\n\n{\"seq\":1}\x00"))
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add(good[:20])
	f.Add(seal([]byte(`{"type":"row","rev":1,"session":{"id":"one","cost":null}}`)))
	f.Add(seal([]byte(`{"type":"row","session":5}`)))
	f.Add(seal([]byte(`{"seq":18446744073709551616,"type":"noted"}`)))
	f.Add(seal([]byte(`{"seq":3,x`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := Read(data)
		if s.Good+int64(len(s.Torn)) != int64(len(data)) {
			t.Fatalf("%d bytes are whole and %d torn, of %d", s.Good, len(s.Torn), len(data))
		}
		again := Read(data[:s.Good])
		if len(again.Recs) != len(s.Recs) || len(again.Torn) != 0 || len(again.Bad) != len(s.Bad) {
			t.Fatalf("cut to what is whole it reads differently: %d records, %d before", len(again.Recs), len(s.Recs))
		}
		for _, e := range s.Recs {
			r := e.Record() // must bear anything
			if e.Seq == 0 || r.Seq != e.Seq || r.Event == nil && r.Op == nil {
				t.Fatalf("record %d became %+v", e.Seq, r)
			}
		}
		row := s.RowOf("one")
		row.Derive(s.Recs)
		line := append(append(append([]byte(nil), good...), data...), '\n')
		if got := Read(append(line, good...)); len(got.Recs) < 2 || len(got.Torn) > 0 {
			t.Fatalf("whole lines around it were lost: %d records", len(got.Recs))
		}
	})
}

// FuzzRenumber gives any raw text to a record that is written anew.
func FuzzRenumber(f *testing.F) {
	f.Add([]byte(`{"seq":1,"type":"x","crc":"00000000","a":[1,{"b":"\n"}]}`))
	f.Add([]byte("{\"type\":\n\"x\"}"))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := Encode(engine.Record{Raw: raw}, 9, time.Now())
		if err != nil {
			return
		}
		s := Read(seal(e.Body))
		if len(s.Recs) != 1 || s.Recs[0].Seq != 9 || !json.Valid(e.Body) {
			t.Fatalf("%q became %q", raw, e.Body)
		}
	})
}

// stingy is a disk that takes half of a write and then refuses everything, cutting included, while it is full.
type stingy struct {
	OS
	full bool
}

type stingyFile struct {
	File
	disk *stingy
}

func (d *stingy) Open(path string, flag int) (File, error) {
	f, err := d.OS.Open(path, flag)
	return &stingyFile{f, d}, err
}

func (d *stingy) Same(f File, path string) (bool, error) {
	return d.OS.Same(f.(*stingyFile).File, path)
}

func (f *stingyFile) WriteAt(b []byte, at int64) (int, error) {
	if f.disk.full {
		n, _ := f.File.WriteAt(b[:len(b)/2], at)
		return n, syscall.ENOSPC
	}
	return f.File.WriteAt(b, at)
}

func (f *stingyFile) Truncate(n int64) error {
	if f.disk.full {
		return syscall.EIO
	}
	return f.File.Truncate(n)
}

func TestWhatAFailedWriteLeftIsCutBeforeTheNext(t *testing.T) {
	dir, disk := t.TempDir(), &stingy{}
	j := New(dir, "one", disk)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	j.Add(entryOf(t, "first", 1))
	must(j.Flush())
	disk.full = true
	if err := j.WriteRow(Row{Session: engine.Session{ID: "one", System: strings.Repeat("long ", 1000)}}, true); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("a row on a full disk: %v", err)
	}
	j.Add(entryOf(t, "second", 2))
	if err := j.Flush(); err == nil || len(j.Waiting()) != 1 {
		t.Fatalf("a record on a full disk: %v, %d wait", err, len(j.Waiting()))
	}
	disk.full = false
	must(j.Flush())
	must(j.Close())
	data, err := os.ReadFile(Path(dir, "one"))
	must(err)
	if s := Read(data); len(s.Recs) != 2 || len(s.Bad) > 0 || len(s.Torn) > 0 {
		t.Errorf("found %d records, %d bad lines, %d torn bytes", len(s.Recs), len(s.Bad), len(s.Torn))
	}
}
