package composer

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"talaria/themes"
	"talaria/ui/style"
)

func sheet(t testing.TB) style.Sheet {
	theme, err := themes.Load("dusk")
	if err != nil {
		t.Fatal(err)
	}
	return style.New(theme, false)
}

var named = map[string]tea.Key{
	"enter": {Code: tea.KeyEnter}, "tab": {Code: tea.KeyTab}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
	"backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete}, "esc": {Code: tea.KeyEscape},
	"shift+enter": {Code: tea.KeyEnter, Mod: tea.ModShift}, "alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt},
	"ctrl+left": {Code: tea.KeyLeft, Mod: tea.ModCtrl}, "ctrl+right": {Code: tea.KeyRight, Mod: tea.ModCtrl},
}

// press sends keys by name: "ctrl+k", "alt+b", "up"; what is none of these is typed.
func press(c *Composer, keys ...string) (handled bool) {
	for _, k := range keys {
		handled, _ = c.Update(key(k))
	}
	return handled
}

func key(k string) tea.KeyPressMsg {
	if v, ok := named[k]; ok {
		return tea.KeyPressMsg(v)
	}
	if r, ok := strings.CutPrefix(k, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: []rune(r)[0], Mod: tea.ModCtrl}
	}
	if r, ok := strings.CutPrefix(k, "alt+"); ok {
		return tea.KeyPressMsg{Code: []rune(r)[0], Mod: tea.ModAlt}
	}
	return tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
}

func write(c *Composer, s string) {
	for len(s) > 0 {
		n := next(s)
		c.Update(tea.KeyPressMsg{Code: tea.KeyExtended, Text: s[:n]})
		s = s[n:]
	}
}

func plain(lines []string) string { return ansi.Strip(strings.Join(lines, "\n")) }

func want(t *testing.T, c *Composer, value string) {
	t.Helper()
	if got := c.Value(); got != value {
		t.Fatalf("the prompt holds %q, want %q", got, value)
	}
}

func TestTypingEditingAndMoving(t *testing.T) {
	c := New(sheet(t))
	write(c, "fix the auth tests")
	press(c, "alt+b", "alt+b", "ctrl+k")
	want(t, c, "fix the ")
	press(c, "ctrl+y")
	want(t, c, "fix the auth tests")
	press(c, "home", "ctrl+f", "delete", "end", "ctrl+w")
	want(t, c, "fx the auth ")
	press(c, "ctrl+_")
	want(t, c, "fx the auth tests")
	press(c, "ctrl+_", "ctrl+_")
	want(t, c, "fix the ")
	press(c, "alt+_")
	want(t, c, "fix the auth tests")
}

func TestUndoTakesBackAWordOfTypingAtATime(t *testing.T) {
	c := New(sheet(t))
	write(c, "one two")
	press(c, "ctrl+_")
	want(t, c, "one ")
	press(c, "ctrl+_", "ctrl+_")
	want(t, c, "")
	if press(c, "ctrl+_"); !c.Empty() {
		t.Fatal("undo went past the beginning")
	}
}

func TestKillsInARowAreYankedAsOneAndOlderOnesByYankPop(t *testing.T) {
	c := New(sheet(t))
	write(c, "alpha beta gamma")
	press(c, "ctrl+w", "ctrl+w")
	write(c, "x")
	press(c, "ctrl+u")
	want(t, c, "")
	press(c, "ctrl+y")
	want(t, c, "alpha x")
	press(c, "alt+y")
	want(t, c, "beta gamma")
}

func TestEveryWayToBreakALine(t *testing.T) {
	for _, k := range []string{"shift+enter", "alt+enter", "ctrl+j"} {
		c := New(sheet(t))
		press(c, "a", k, "b")
		want(t, c, "a\nb")
	}
	c := New(sheet(t))
	write(c, `a\`)
	if text, ok := c.Submit(); ok {
		t.Fatalf("a backslash at the end sent %q", text)
	}
	press(c, "b")
	if text, ok := c.Submit(); !ok || text != "a\nb" {
		t.Fatalf("sent %q, %v", text, ok)
	}
	c.SetValue(`C:\dir\\`)
	if text, ok := c.Submit(); !ok || text != `C:\dir\\` {
		t.Fatalf("two backslashes are text: %q, %v", text, ok)
	}
}

func TestCtrlDDeletesForwardAndIsTheOwnersOnAnEmptyPrompt(t *testing.T) {
	c := New(sheet(t))
	if press(c, "ctrl+d") {
		t.Fatal("an empty prompt took Ctrl+D")
	}
	press(c, "a", "b", "home", "ctrl+d")
	want(t, c, "b")
	for _, k := range []string{"enter", "tab", "esc", "ctrl+c", "ctrl+x"} {
		if k != "tab" && press(c, k) {
			t.Fatalf("the prompt took %s", k)
		}
	}
}

func TestOneKeyDeletesOneVisibleCharacter(t *testing.T) {
	for _, s := range []string{"👨‍👩‍👧‍👦", "e\u0301", "🇩🇪", "👍🏽", "한", "क्षि", "\u202e", "\x1b"} {
		c := New(sheet(t))
		press(c, "a")
		c.Insert(s)
		press(c, "backspace")
		want(t, c, "a")
		c.Insert(s)
		press(c, "left", "delete")
		want(t, c, "a")
	}
}

func TestU05CursorColumnWithWideCharacters(t *testing.T) {
	c := New(sheet(t))
	write(c, "한글中文日本語ABC")
	_, cur := c.View(80, 5)
	if cur.X-2 != 17 || cur.Y != 0 {
		t.Fatalf("the cursor is %d cells after the prompt, row %d; want 17, 0", cur.X-2, cur.Y)
	}
	press(c, "left", "left", "left", "left")
	if _, cur = c.View(80, 5); cur.X-2 != 12 {
		t.Fatalf("after four steps left it is at %d, want 12", cur.X-2)
	}
}

func TestEveryViewHasACursorOfItsOwn(t *testing.T) {
	c := New(sheet(t))
	_, a := c.View(40, 3)
	_, b := c.View(40, 3)
	if a == b {
		t.Fatal("the renderer compares cursors by pointer: two views must not share one")
	}
}

func TestUpWalksDraftsThenHistoryAndDownBringsTheDraftBack(t *testing.T) {
	c := New(sheet(t))
	c.View(40, 5)
	c.SetHistory([]string{"newest", "two\nlines", "oldest"})
	write(c, "cleared")
	c.Clear()
	write(c, "half a thought")
	for _, s := range []string{"cleared", "newest", "two\nlines", "oldest", "oldest"} {
		press(c, "up")
		want(t, c, s)
	}
	for _, s := range []string{"two\nlines", "newest", "cleared", "half a thought"} {
		press(c, "down")
		want(t, c, s)
	}
	if press(c, "down") {
		t.Fatal("below the draft there is nothing")
	}
}

func TestUpMovesInsideADraftBeforeItLeavesIt(t *testing.T) {
	c := New(sheet(t))
	c.SetHistory([]string{"sent"})
	c.SetValue("first\nsecond")
	c.View(40, 5)
	press(c, "up", "x")
	want(t, c, "firstx\nsecond")
	press(c, "up")
	want(t, c, "sent")
}

func TestAnEditedRecallIsTheDraftAndTheOldDraftIsInTheRing(t *testing.T) {
	c := New(sheet(t))
	c.SetHistory([]string{"sent"})
	write(c, "draft")
	press(c, "up", "!")
	want(t, c, "sent!")
	press(c, "up")
	want(t, c, "draft")
	press(c, "down")
	want(t, c, "sent!")
}

func TestHeldEnterSendsWhenNothingFollows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(sheet(t))
		write(c, "hi")
		time.Sleep(time.Second)
		before := time.Now()
		msg := c.Enter(time.Now())().(SendMsg)
		if d := time.Since(before); d > 10*time.Millisecond {
			t.Fatalf("a typed Enter waited %v", d)
		}
		if text, ok := c.Send(msg); !ok || text != "hi" {
			t.Fatalf("sent %q, %v", text, ok)
		}
		if _, ok := c.Send(msg); ok {
			t.Fatal("one Enter sent twice")
		}
	})
}

func TestTextAndEnterInOneReadSend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(sheet(t))
		write(c, "hello")
		if text, ok := c.Send(c.Enter(time.Now())().(SendMsg)); !ok || text != "hello" {
			t.Fatalf("sent %q, %v", text, ok)
		}
	})
}

func TestU03PastedNewlineDoesNotSubmit(t *testing.T) {
	for _, s := range []string{"line1\nline2", "line1\rline2", "line1\r\nline2"} { // (a) to (c) are one message
		c := New(sheet(t))
		c.Update(tea.PasteMsg{Content: s})
		want(t, c, "line1\nline2")
	}
	for _, slow := range []time.Duration{0, 20 * time.Millisecond} { // (d), with a fast and a slow screen
		synctest.Test(t, func(t *testing.T) {
			c := New(sheet(t))
			sends := make(chan tea.Msg, 10)
			for _, line := range []string{"line1", "line2"} {
				for _, r := range line {
					write(c, string(r))
					time.Sleep(slow)
				}
				cmd := c.Enter(time.Now())
				go func() { sends <- cmd() }()
				time.Sleep(slow / 4)
			}
			synctest.Wait()
			time.Sleep(time.Second)
			for range 2 {
				if text, ok := c.Send((<-sends).(SendMsg)); ok {
					t.Fatalf("with %v a key the paste sent %q", slow, text)
				}
			}
			want(t, c, "line1\nline2")
			if text, ok := c.Send(c.Enter(time.Now())().(SendMsg)); !ok || text != "line1\nline2" {
				t.Fatalf("afterwards Enter sent %q, %v", text, ok)
			}
		})
	}
}

func TestU04LargeAndSpecialPastesAreKeptByteForByte(t *testing.T) {
	c := New(sheet(t))
	c.Update(tea.PasteMsg{Content: `C:\ProgramData\Blizzard Entertainment\Battle.net\Cache`})
	want(t, c, `C:\ProgramData\Blizzard Entertainment\Battle.net\Cache`)

	c = New(sheet(t))
	big := strings.Repeat("123456789\n", 100_000)
	c.Update(tea.PasteMsg{Content: big})
	want(t, c, big)
	if got := plain(first(c.View(80, 10))); got != "❯ [Pasted 100000 lines #1]" {
		t.Fatalf("shown as %q", got)
	}
	c.Update(tea.PasteMsg{Content: big})
	want(t, c, big)
	if rows, _ := c.View(80, 10); len(rows) != 10 {
		t.Fatalf("pasted again it opens: %d rows", len(rows))
	}
	press(c, "x")
	want(t, c, big+"x")
}

func first(rows []string, _ *tea.Cursor) []string { return rows }

func TestAPasteIsOnePieceUntilItIsOpened(t *testing.T) {
	c := New(sheet(t))
	text := strings.Repeat("row\n", 9)
	press(c, "a")
	c.Update(tea.PasteMsg{Content: text})
	press(c, "b")
	if got := plain(first(c.View(80, 5))); got != "❯ a[Pasted 9 lines #1]b" {
		t.Fatalf("shown as %q", got)
	}
	press(c, "left", "backspace")
	want(t, c, "ab")
	press(c, "ctrl+_")
	want(t, c, "a"+text+"b")
	if press(c, "end", "left"); !c.Expand() {
		t.Fatal("nothing was opened")
	}
	want(t, c, "a"+text+"b")
	if rows, _ := c.View(80, 20); len(rows) != 10 {
		t.Fatalf("%d rows", len(rows))
	}
	c.Reset()
	c.Update(tea.PasteMsg{Content: strings.Repeat("x", 801)})
	if got := plain(first(c.View(80, 5))); got != "❯ [Pasted 801 characters #1]" {
		t.Fatalf("shown as %q", got)
	}
}

func TestClearedDraftsKeepTheirPastes(t *testing.T) {
	c := New(sheet(t))
	text := strings.Repeat("row\n", 9)
	c.Update(tea.PasteMsg{Content: text})
	c.Clear()
	press(c, "up")
	want(t, c, text)
}

func TestU01PastedControlCharactersAreShownNotSent(t *testing.T) {
	c := New(sheet(t))
	evil := "a\x1b]52;c;ZXZpbA==\x07b\u009b2Jc\u202ed\x00\x1b[31m"
	c.Update(tea.PasteMsg{Content: evil})
	want(t, c, evil)
	c.Update(tea.PasteMsg{Content: "bad \xff\xfe1\xfe bytes"})
	if !strings.HasSuffix(c.Value(), "bad \uFFFD1\uFFFD bytes") {
		t.Fatalf("invalid UTF-8 was kept: %q", c.Value())
	}
	rows, _ := c.View(200, 10)
	got := strings.Join(rows, "\n")
	for _, r := range plain(rows) {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0x202e {
			t.Fatalf("%U reached the screen in %q", r, got)
		}
	}
	if strings.Contains(got, "\x1b]") || !strings.Contains(got, "]52;c;") {
		t.Fatalf("shown as %q", got)
	}
}

func TestU07VerySmallTerminal(t *testing.T) {
	c := New(sheet(t))
	write(c, "한글😀 some words that wrap")
	c.Insert("\n\n" + strings.Repeat("가", 50))
	for _, size := range [][2]int{{0, 0}, {1, 1}, {2, 2}, {7, 3}, {10, 4}, {3, -1}, {-5, 2}} {
		rows, cur := c.View(size[0], size[1])
		if len(rows) < 1 || len(rows) > max(size[1], 1) || cur.Y >= len(rows) {
			t.Fatalf("%v: %d rows, cursor in %d", size, len(rows), cur.Y)
		}
		for _, r := range rows {
			if w := ansi.StringWidth(r); size[0] > 1 && w > size[0] {
				t.Fatalf("%v: a row of %d cells: %q", size, w, r)
			}
		}
		press(c, "up", "down", "up")
	}
	if rows, _ := c.View(200, 50); len(rows) != 3 {
		t.Fatalf("at 200x50 there are %d rows", len(rows))
	}
}

func TestSoftWrapBreaksAfterBlanksAndScrollsWithTheCursor(t *testing.T) {
	c := New(sheet(t))
	c.SetValue("one two three four five six")
	rows, cur := c.View(13, 2)
	if got := plain(rows); got != "… three four \n  five six" || cur.X != 10 || cur.Y != 1 {
		t.Fatalf("%q, cursor %d,%d", got, cur.X, cur.Y)
	}
	press(c, "up", "up")
	rows, cur = c.View(13, 2)
	if got := plain(rows); got != "❯ one two \n▾ three four " || cur.Y != 0 {
		t.Fatalf("%q, cursor %d,%d", got, cur.X, cur.Y)
	}
}

func TestOnlyATextThatBeginsWithAPasteIsPasted(t *testing.T) {
	c := New(sheet(t))
	c.Update(tea.PasteMsg{Content: "/etc/passwd is odd"})
	if press(c, "!"); !c.Pasted() {
		t.Fatal("a pasted path would be taken for a command")
	}
	c.Reset()
	write(c, "/model ")
	if c.Update(tea.PasteMsg{Content: "gpt"}); c.Pasted() {
		t.Fatal("a typed command is none any more")
	}
	press(c, "ctrl+u")
	c.Update(tea.PasteMsg{Content: "x"})
	if press(c, "backspace", "/"); c.Pasted() {
		t.Fatal("what was pasted is gone")
	}
}

func TestPlaceholderIsShownOnlyWhileEmpty(t *testing.T) {
	c := New(sheet(t))
	c.SetPlaceholder("Ask anything")
	if got := plain(first(c.View(40, 3))); got != "❯ Ask anything" {
		t.Fatal(got)
	}
	press(c, "x")
	if got := plain(first(c.View(40, 3))); got != "❯ x" {
		t.Fatal(got)
	}
}

func TestWhateverIsPressedTheCursorIsOnScreenAndNothingOverflows(t *testing.T) {
	all := []string{"left", "right", "up", "down", "home", "end", "backspace", "delete", "ctrl+k", "ctrl+u", "ctrl+w",
		"ctrl+y", "alt+y", "alt+b", "alt+f", "ctrl+_", "alt+_", "shift+enter", "ctrl+d"}
	texts := []string{"a", " ", "한", "👨‍👩‍👧", "e\u0301", "\t", "\x1b", "\u0600", "\u0301", "long words here ", strings.Repeat("p\n", 9)}
	s := sheet(t)
	rapid.Check(t, func(t *rapid.T) {
		c := New(s)
		c.SetHistory([]string{"older text", "other\ntext"})
		width, height := rapid.IntRange(4, 30).Draw(t, "width"), rapid.IntRange(1, 6).Draw(t, "height")
		for range rapid.IntRange(1, 60).Draw(t, "n") {
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 0:
				press(c, rapid.SampledFrom(all).Draw(t, "key"))
			case 1:
				write(c, rapid.SampledFrom(texts[:9]).Draw(t, "text"))
			case 2:
				c.Update(tea.PasteMsg{Content: rapid.SampledFrom(texts).Draw(t, "paste")})
			}
			rows, cur := c.View(width, height)
			if len(rows) < 1 || len(rows) > height || cur.Y < 0 || cur.Y >= len(rows) || cur.X < 0 || cur.X >= width {
				t.Fatalf("%d rows, cursor %d,%d in %dx%d", len(rows), cur.X, cur.Y, width, height)
			}
			for _, r := range rows {
				if w := ansi.StringWidth(r); w > width {
					t.Fatalf("a row of %d cells in %d: %q", w, width, r)
				}
			}
		}
	})
}

func BenchmarkU04PasteAMegabyte(b *testing.B) {
	big := strings.Repeat("123456789\n", 100_000)
	s := sheet(b)
	for b.Loop() {
		c := New(s)
		c.Update(tea.PasteMsg{Content: big})
		c.View(80, 10)
	}
}

func BenchmarkTypeIntoAMegabyte(b *testing.B) {
	c := New(sheet(b))
	c.SetValue(strings.Repeat("123456789\n", 100_000))
	for b.Loop() {
		press(c, "x")
		c.View(80, 10)
	}
}

// A paste without brackets ends in an Enter that is held; a Backspace right behind it deletes what stands before the cursor
// then, which is the line break.
func TestAnEditingKeyComesAfterTheEnterThatIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(sheet(t))
		write(c, "line1")
		msg := c.Enter(time.Now())
		press(c, "backspace", "2")
		if _, ok := c.Send(msg().(SendMsg)); ok {
			t.Fatal("the Enter was sent although keys followed it")
		}
		want(t, c, "line12")
	})
}
