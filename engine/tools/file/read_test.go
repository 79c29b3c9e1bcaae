package file

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"talaria/engine"
	"talaria/engine/tools"
)

func numbered(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

func TestAFileIsReadWithItsLineNumbers(t *testing.T) {
	d := newDesk(t)
	d.put("a.txt", numbered(1, 3)+"no end")
	r := d.do("read_file", m{"path": "a.txt"})
	if r.Text != "1|line 1\n2|line 2\n3|line 3\n4|no end\n" || r.Note != "1–4" {
		t.Fatalf("%q %q", r.Text, r.Note)
	}
	d.put("empty.txt", "")
	expect(t, d.do("read_file", m{"path": "empty.txt"}), engine.StatusDone, "empty.txt is empty")
}

func TestALongFileIsReadPageByPage(t *testing.T) {
	d := newDesk(t)
	d.put("a.txt", numbered(1, 2600))
	r := d.do("read_file", m{"path": "a.txt"})
	expect(t, r, engine.StatusDone, "500|line 500\n", "lines 1-500 of 2,600; use offset=501 to read on")
	if strings.Contains(r.Text, "501|") || r.Note != "1–500 of 2,600" {
		t.Fatalf("%q", r.Note)
	}
	r = d.do("read_file", m{"path": "a.txt", "offset": "501", "limit": 9000})
	expect(t, r, engine.StatusDone, "501|line 501\n", "2500|line 2500\n", "use offset=2501")
	r = d.do("read_file", m{"path": "a.txt", "offset": 2501})
	expect(t, r, engine.StatusDone, "2600|line 2600\n", "the end of the file")
	r = d.do("read_file", m{"path": "a.txt", "offset": 2601})
	expect(t, r, engine.StatusFailed, "offset 2601 is after the end", "2,600 lines")
}

func TestAPageNeverPassesTheLimitOfAResult(t *testing.T) {
	d := newDesk(t)
	d.put("a.txt", strings.Repeat(strings.Repeat("y", 1900)+"\n", 400))
	r := d.do("read_file", m{"path": "a.txt"})
	expect(t, r, engine.StatusDone, "use offset=53 to read on")
	if n := utf8.RuneCountInString(r.Text); n > tools.ResultChars+500 || r.Spill != "" {
		t.Fatalf("%d characters, spill %q", n, r.Spill)
	}
}

func TestL14WhatIsNoTextIsRefusedAtOnceWithTypeAndSize(t *testing.T) {
	d := newDesk(t)
	d.put("doc.pdf", "%PDF-1.7\n"+strings.Repeat("text ", 400)+strings.Repeat("\x00\x01", 2<<20))
	expect(t, d.do("read_file", m{"path": "doc.pdf"}), engine.StatusFailed, "application/pdf", "4.0 MB")
	d.put("plain.pdf", "%PDF-1.7\nno NUL in it\n")
	expect(t, d.do("read_file", m{"path": "plain.pdf"}), engine.StatusFailed, "application/pdf")
	d.put("photo.jpg", "\xff\xd8\xff\xe0\x00\x10JFIF")
	expect(t, d.do("read_file", m{"path": "photo.jpg"}), engine.StatusFailed, "image/jpeg", "10 bytes")
	d.put("late.txt", strings.Repeat("text\n", 20_000)+"\x00")
	expect(t, d.do("read_file", m{"path": "late.txt", "offset": 19_999}), engine.StatusFailed, "binary data")
	d.put("dir/x.txt", "")
	expect(t, d.do("read_file", m{"path": "dir"}), engine.StatusFailed, "is a directory", "x.txt")
	if runtime.GOOS != "windows" {
		expect(t, d.do("read_file", m{"path": "/dev/zero"}), engine.StatusFailed, "character device")
	}
}

func TestL14AGiantLineIsShownInPartWithAWayToReadOn(t *testing.T) {
	d := newDesk(t)
	line := `{"k":"` + strings.Repeat("0123456789", 170_000) + `"}`
	d.put("big data.json", line)
	r := d.do("read_file", m{"path": "big data.json"})
	expect(t, r, engine.StatusDone, "1|"+line[:2000]+"…[1,698,008 more bytes of this line were cut]", "sed -n 1p 'big data.json' | tail -c +2001 |")
	r = d.do("search_files", m{"pattern": `9"}`, "path": "big data.json"})
	expect(t, r, engine.StatusDone, `789"}`)
	if len(r.Text) > 2000 {
		t.Fatalf("%d bytes for one match", len(r.Text))
	}
}

// H13 (a): a character is never cut in two, wherever a limit falls.
func TestH13ALimitNeverCutsACharacter(t *testing.T) {
	d := newDesk(t)
	for n := 1990; n <= 2001; n++ {
		d.put("a.txt", strings.Repeat("x", n)+"😀"+strings.Repeat("é", 100)+"\n")
		r := d.do("read_file", m{"path": "a.txt"})
		if !utf8.ValidString(r.Text) || strings.ContainsRune(r.Text, utf8.RuneError) {
			t.Fatalf("%d: %q", n, r.Text)
		}
		if n < 2000 != strings.Contains(r.Text, "😀") {
			t.Fatalf("%d: the emoji is on the wrong side of the cut", n)
		}
	}
	for n := range 8 {
		text := strings.Repeat("x", n) + "😀é" + strings.Repeat("y", n)
		for limit := range 12 {
			if got := tools.Cut(text, limit); !utf8.ValidString(got) || utf8.RuneCountInString(got) != min(limit, utf8.RuneCountInString(text)) {
				t.Fatalf("tools.Cut(%q, %d) = %q", text, limit, got)
			}
		}
	}
	r := d.w.Cap(engine.Call{ID: "c"}, strings.Repeat("x", 2047)+"😀 tail", 2048)
	if !utf8.ValidString(r.Text) {
		t.Fatalf("%q", r.Text)
	}
}

func TestAnotherEncodingIsToldAndShown(t *testing.T) {
	d := newDesk(t)
	d.put("latin.txt", "ok\ncaf\xe9\n")
	expect(t, d.do("read_file", m{"path": "latin.txt"}), engine.StatusDone, "2|caf\uFFFD\n", "not valid UTF-8", "lines 2")
	d.put("wide.txt", "\xff\xfeh\x00i\x00\n\x00=\xd8\x00\xde")
	expect(t, d.do("read_file", m{"path": "wide.txt"}), engine.StatusDone, "1|hi\n2|😀\n", "UTF-16LE")
	d.put("dos.txt", "\xEF\xBB\xBFa\r\nb\r\n")
	expect(t, d.do("read_file", m{"path": "dos.txt"}), engine.StatusDone, "1|a\n2|b\n", "byte order mark", "CRLF")
}

func TestAMissingFileSuggestsItsNeighbours(t *testing.T) {
	d := newDesk(t)
	d.put("src/auth/refresh.ts", "")
	d.put("src/auth/refresh.test.ts", "")
	expect(t, d.do("read_file", m{"path": "src/auth/refersh.ts"}), engine.StatusFailed, "there is no src/auth/refersh.ts", "Similar names: src/auth/refresh.ts")
	expect(t, d.do("read_file", m{"path": "src/auht/refresh.ts"}), engine.StatusFailed, "the folder src exists, auht in it does not", "src/auth")
}

func TestPathsStartWhereTheSessionIs(t *testing.T) {
	d := newDesk(t)
	d.put("sub/a.txt", "in sub\n")
	d.w.SetDir("sub")
	expect(t, d.do("read_file", m{"path": "a.txt"}), engine.StatusDone, "in sub")
	t.Setenv("HOME", d.dir)
	home := newDesk(t)
	expect(t, home.do("read_file", m{"path": "~/sub/a.txt"}), engine.StatusDone, "in sub")
	expect(t, d.do("read_file", m{"path": "a\x00b"}), engine.StatusFailed, "NUL")
	if got := d.w.Rel(filepath.Join(d.dir, "sub", "a.txt")); got != "a.txt" {
		t.Fatal(got)
	}
	if got := d.w.Rel(d.dir); got != d.dir {
		t.Fatal(got)
	}
	if got := d.w.Rel(filepath.Join(d.dir, "sub", "..hidden")); got != "..hidden" {
		t.Fatal(got)
	}
}

// Scenario 42 of BEHAVIOUR 25c.
func TestScenario42ABigOutputIsSpilledAndCanBeReadOn(t *testing.T) {
	d := newDesk(t)
	text := numbered(1, 50_000)
	r := d.w.Cap(engine.Call{ID: "call/../1", Name: "terminal"}, text, 0)
	if r.Spill == "" || filepath.Dir(r.Spill) != d.w.SpillDir() || len(r.Text) > 3_000 {
		t.Fatalf("%q, %d bytes", r.Spill, len(r.Text))
	}
	expect(t, r, engine.StatusDone, "50,000 lines", r.Spill, "line 1\nline 2\n", "offset=")
	if info, err := os.Stat(r.Spill); err != nil || info.Size() != int64(len(text)) || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	again := d.w.Cap(engine.Call{ID: "call/../1", Name: "terminal"}, text+"x", 0)
	if again.Spill == r.Spill {
		t.Fatal("a second output took the place of the first")
	}
	page := d.do("read_file", m{"path": r.Spill, "offset": 49_990})
	if expect(t, page, engine.StatusDone, "50000|line 50000"); page.Spill != "" {
		t.Fatal("what was read from it was spilled again")
	}
	if small := d.w.Cap(engine.Call{ID: "c"}, " \n", 0); small.Text != "(no output)" {
		t.Fatalf("%q", small.Text)
	}
	cut := tools.NewWorkspace(d.dir, "").Cap(engine.Call{ID: "c"}, text, 1000)
	if expect(t, cut, engine.StatusDone, "[cut:"); len(cut.Text) > 1300 || cut.Spill != "" {
		t.Fatalf("%d bytes", len(cut.Text))
	}
}

func TestAStoppedReadSaysNothing(t *testing.T) {
	d := newDesk(t)
	d.put("a.txt", "x")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	tool, c, _ := d.r.Resolve(d.call("read_file", m{"path": "a.txt"}))
	if _, err := tool.Run(ctx, c, nil); err == nil {
		t.Fatal("a cancelled call has a result")
	}
}

func TestAFileThatDidNotChangeIsNotSentTwice(t *testing.T) {
	d := newDesk(t)
	path := d.put("a.txt", "one\ntwo\n")
	read := m{"path": "a.txt"}
	expect(t, d.do("read_file", read), engine.StatusDone, "1|one")
	expect(t, d.do("read_file", read), engine.StatusDone, "unchanged since it was read")
	expect(t, d.do("read_file", read), engine.StatusFailed, "was not read again")
	expect(t, d.do("read_file", m{"path": "a.txt", "offset": 2}), engine.StatusDone, "2|two")
	expect(t, d.doCtx(engine.WithAgent(context.Background(), "child"), "read_file", read), engine.StatusDone, "1|one")
	for range 2 { // a script has no chat to look it up in
		expect(t, d.doCtx(tools.Scripted(context.Background()), "read_file", read), engine.StatusDone, "1|one")
	}
	later := time.Now().Add(time.Second)
	d.put("a.txt", "one\nTWO\n")
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	expect(t, d.do("read_file", read), engine.StatusDone, "2|TWO")
	d.w.Forget() // the chat was summarised, or went back
	expect(t, d.do("read_file", read), engine.StatusDone, "2|TWO")
	expect(t, d.do("write_file", m{"path": "a.txt", "content": "three\n"}), engine.StatusDone)
	expect(t, d.do("read_file", read), engine.StatusDone, "1|three")
}

func TestAResultThatIsShortenedCanBeReadFromItsFileWithoutTheKeysOfTheProgram(t *testing.T) {
	d := newDesk(t)
	d.w.Mask(func(s string) string { return strings.ReplaceAll(s, "sk-secret", "[key]") })
	d.put("a.txt", strings.Repeat("a line with sk-secret in it\n", 400))
	r := d.do("read_file", m{"path": "a.txt"})
	short := d.w.Shorten(r)
	if short.Spill == "" || len(short.Text) > 3_000 || !strings.Contains(short.Text, "read_file(path=") {
		t.Fatalf("%+v", short)
	}
	expect(t, d.do("read_file", m{"path": short.Spill, "offset": 400}), engine.StatusDone, "400|a line with [key] in it")
	expect(t, d.do("read_file", m{"path": "a.txt"}), engine.StatusDone, "1|a line") // it does not stand in the chat: it may be read again
	again := d.w.Shorten(short)
	if again.Text != short.Text {
		t.Fatal("shortened twice")
	}
	d.w.SetLimit(2_000)
	if r := d.do("read_file", m{"path": "a.txt", "limit": 300}); len(r.Text) > 2_300 || !strings.Contains(r.Text, "use offset=") {
		t.Fatalf("%d characters: %s", len(r.Text), r.Text)
	}
}
