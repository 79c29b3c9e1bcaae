package composer

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"talaria/ui/style"
)

// vimmed is a prompt with vim's modes, in NORMAL with the cursor where "|" stands.
func vimmed(t *testing.T, text string) *Composer {
	t.Helper()
	c := New(style.Sheet{})
	c.SetModal(true)
	before, after, _ := strings.Cut(text, "|")
	c.SetValue(before + after)
	c.pos = len(before)
	c.vim.normal = true
	return c
}

// presses gives keys as a person types them: <esc>, <ctrl+r> and so on, else characters.
func presses(c *Composer, in string) {
	for in != "" {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(in, "<"), ">"); ok && in[0] == '<' && len(name) > 1 {
			in = rest
			switch name {
			case "esc":
				c.Escape()
			case "ctrl+r":
				c.Update(tea.KeyPressMsg{Code: 'r', Mod: tea.ModCtrl})
			case "bs":
				c.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
			case "nl":
				c.Update(tea.KeyPressMsg{Code: 'j', Mod: tea.ModCtrl})
			}
			continue
		}
		r := []rune(in)[0]
		in = in[len(string(r)):]
		c.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// shows is the text with the cursor in it.
func shows(c *Composer) string { return c.text[:c.pos] + "|" + c.text[c.pos:] }

func TestVimMovesAndChangesAsVimDoes(t *testing.T) {
	for _, c := range []struct{ text, keys, want string }{
		// motions
		{"|one two", "l", "o|ne two"}, {"on|e", "l", "on|e"}, {"on|e\ntwo", "h", "o|ne\ntwo"}, {"o|ne", "5h", "|one"}, {"on|e", "<bs>", "o|ne"},
		{"|one, two", "w", "one|, two"}, {"|one, two", "ww", "one, |two"}, {"|one, two", "W", "one, |two"}, {"|a b c d", "3w", "a b c |d"},
		{"a\n|\n\nb", "w", "a\n\n|\nb"}, {"|a\n\nb", "w", "a\n|\nb"}, {"one |two", "w", "one tw|o"},
		{"one two|", "b", "one |two"}, {"one, |two", "b", "one|, two"}, {"one, |two", "B", "|one, two"}, {"|one", "b", "|one"},
		{"|one two", "e", "on|e two"}, {"on|e two", "e", "one tw|o"}, {"|a-b c", "E", "a-|b c"}, {"|one", "2e", "on|e"},
		{"  one |two", "0", "|  one two"}, {"  one |two", "^", "  |one two"}, {"|one\ntwo", "$", "on|e\ntwo"}, {"|one\ntwo", "2$", "one\ntw|o"},
		{"one\n  t|wo", "gg", "|one\n  two"}, {"|one\n  two", "G", "one\n  |two"}, {"|a\nb\nc", "2G", "a\n|b\nc"}, {"a\nb\n|c", "2gg", "a\n|b\nc"},
		{"|one.two.", "f.", "one|.two."}, {"|one.two.", "2f.", "one.two|."}, {"|one.two.", "t.", "on|e.two."}, {"one.two|.", "F.", "one|.two."},
		{"one.tw|o", "T.", "one.|two"}, {"|one.two.", "f.;", "one.two|."}, {"|one.two.", "2f.,", "one|.two."}, {"on|e.two.", "t.;", "one.tw|o."},
		{"|one\n.", "f.", "|one\n."}, {"|a\n\nb\n\nc", "}}", "a\n\nb\n|\nc"}, {"a\n\nb\n\n|c", "{", "a\n\nb\n|\nc"},
		{"one\n|two", "k", "|one\ntwo"}, {"o|ne\ntwo", "j", "one\nt|wo"}, {"|a\nb\nc", "2j", "a\nb\n|c"},
		// operators
		{"|one two three", "dw", "|two three"}, {"|one two three", "d2w", "|three"}, {"|one two three", "2dw", "|three"}, {"one |two\nthree", "dw", "one| \nthree"},
		{"|one, two", "de", "|, two"}, {"one two|", "db", "one| "}, {"one t|wo", "d0", "|wo"}, {"one |two\nx", "d$", "one| \nx"}, {"one |two\nx", "D", "one| \nx"},
		{"|one.two", "df.", "|two"}, {"|one.two", "dt.", "|.two"}, {"one.tw|o", "dF.", "one|o"},
		{"a\n|b\nc", "dd", "a\n|c"}, {"a\n|b", "dd", "|a"}, {"|a\nb\nc", "2dd", "|c"}, {"|a", "dd", "|"}, {"|a\nb\nc", "dj", "|c"}, {"a\nb\n|c", "dk", "|a"}, {"a\n|b\nc", "dG", "|a"}, {"a\nb|\nc", "dgg", "|c"},
		{"|a", "dj", "|a"}, {"|abc", "x", "|bc"}, {"|abc", "2x", "|c"}, {"ab|c", "x", "a|b"}, {"ab|c", "X", "a|c"}, {"|abc", "9x", "|"},
		{"|one two", "cwsix<esc>", "si|x two"}, {"|one two three", "c2wsix<esc>", "si|x three"}, {"one| two", "cw-<esc>", "one|-two"}, {"on|e", "cwx<esc>", "on|x"},
		{"  o|ne\ntwo", "ccx<esc>", "|x\ntwo"}, {"o|ne", "Sx<esc>", "|x"}, {"o|ne", "sx<esc>", "o|xe"}, {"o|ne two", "Cx<esc>", "o|x"}, {"one\n|two", "cGx<esc>", "one\n|x"},
		{"a (b (c|) d) e", "di(", "a (b (|) d) e"}, {"a (b| (c) d) e", "dib", "a (|) e"}, {"a (b| (c) d) e", "da(", "a | e"}, {"x{|}y", "di{", "x{|}y"},
		{`say "h|i there" now`, `di"`, `say "|" now`}, {`|say "hi"`, `ci"yo<esc>`, `say "y|o"`}, {`say "h|i" now`, `da"`, `say | now`},
		{"one t|wo three", "diw", "one | three"}, {"one t|wo three", "daw", "one |three"}, {"one t|wo", "daw", "on|e"}, {"one |two-x", "ciWy<esc>", "one |y"}, {"one|  two", "diw", "one|two"},
		// yank and put
		{"|one two", "ywP", "one| one two"}, {"|ab", "xp", "b|a"}, {"|a\nb", "yyp", "a\n|a\nb"}, {"a\n|b", "yyP", "a\n|b\nb"}, {"|a\nb", "ddp", "b\n|a"}, {"|a\nb", "yj2p", "a\n|a\nb\na\nb\nb"},
		{"a|b", "ylp", "ab|b"}, {"a\n|b", "yk", "|a\nb"}, {"|a", "p", "|a"}, {"|a\nb", "Yjp", "a\nb\n|a"},
		// single commands
		{"|abc", "rx", "|xbc"}, {"|abc", "2rx", "x|xc"}, {"|aBc", "~~~", "Ab|C"}, {"a|\n  b\nc", "J", "a| b\nc"}, {"|a\nb\nc", "3J", "a b| c"}, {"|a", "J", "|a"},
		{"|abc", "xxu", "|bc"}, {"|abc", "xxuu", "|abc"}, {"|abc", "xxuu<ctrl+r>", "|bc"}, {"|abc", "xx2u2<ctrl+r>", "|bc"},
		{"|one two", "cwa bit longer<esc>u", "|one two"}, {"|one two", "cwsix<esc>u<ctrl+r>", "si|x two"},
		{"|a b c", "dw.", "|c"}, {"|a b c", "cwx<esc>w.w.", "x x |x"}, {"|a\nb", "ox<esc>.", "a\nx\n|x\nb"}, {"|abc", "x.u", "|bc"}, {"|a", "ib<esc>...", "|bbbba"},
		// where INSERT begins
		{"a|b", "ix<esc>", "a|xb"}, {"a|b", "ax<esc>", "ab|x"}, {"  a|b", "Ix<esc>", "  |xab"}, {"|ab", "Ax<esc>", "ab|x"}, {"|a\nb", "ox<esc>", "a\n|x\nb"}, {"a\n|b", "Ox<esc>", "a\n|x\nb"},
		{"|ab", "ione<nl>two<esc>", "one\ntw|oab"},
		// what means nothing changes nothing
		{"|ab", "Z", "|ab"}, {"|ab", "dZx", "|b"}, {"|ab", "gqx", "|b"}, {"|ab", "d<esc>x", "|b"}, {"|ab", "99999x", "|"}, {"|ab", "di)", "|ab"}, {"|", "xdwddpuwbe$0fx;", "|"},
		// what is one piece for the eye is one for vim
		{"|e\u0301x", "x", "|x"}, {"|👩‍👩‍👧 ab", "dw", "|ab"}, {"日|本 語", "dw", "日|語"}, {"|日本語", "l", "日|本語"}, {"a|é b", "fb", "aé |b"},
	} {
		got := vimmed(t, c.text)
		presses(got, c.keys)
		if s := shows(got); s != c.want {
			t.Errorf("%q %s: %q, want %q", c.text, c.keys, s, c.want)
		}
		if got.Mode() != Normal {
			t.Errorf("%q %s: the mode is %s", c.text, c.keys, got.Mode())
		}
	}
}

func TestVimBeginsEveryMessageInInsert(t *testing.T) {
	c := New(style.Sheet{})
	if c.Escape() || c.Mode() != "" {
		t.Error("modes without vim")
	}
	c.SetModal(true)
	presses(c, "dd")
	if c.text != "dd" || c.Mode() != Insert {
		t.Errorf("%q in %s", c.text, c.Mode())
	}
	if !c.Escape() || c.Mode() != Normal || c.Escape() {
		t.Error("Esc leaves INSERT once, and then is not the prompt's")
	}
	presses(c, "d")
	if !c.Escape() || c.Escape() {
		t.Error("Esc leaves a command that is not whole, once")
	}
	c.Reset()
	if c.Mode() != Insert {
		t.Error("after a message is INSERT")
	}
	c.Escape()
	presses(c, "/mo")
	if c.text != "/mo" || c.Mode() != Insert {
		t.Errorf("a slash on an empty prompt: %q in %s", c.text, c.Mode())
	}
}

func TestVimUndoesTheFirstTextWordByWord(t *testing.T) {
	c := New(style.Sheet{})
	c.SetModal(true)
	presses(c, "one two three<esc>u")
	if c.text != "one two " {
		t.Errorf("%q", c.text)
	}
}

func TestVimTreatsAPasteAsOneUnitAndKeepsItWhenItWasCut(t *testing.T) {
	c := vimmed(t, "|ab")
	long := strings.Repeat("line\n", 20)
	c.Update(tea.PasteMsg{Content: long})
	presses(c, "0x")
	if c.Value() != "ab" {
		t.Fatalf("%q", c.Value())
	}
	c.Reset() // sent
	presses(c, "<esc>p")
	if c.Value() != long {
		t.Errorf("what was cut before a message was sent is gone: %q", c.Value())
	}
}

func TestAPasteThatWasKilledComesBackAfterAMessageWasSent(t *testing.T) {
	c := New(style.Sheet{})
	long := strings.Repeat("line\n", 20)
	c.Update(tea.PasteMsg{Content: long})
	c.Update(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
	presses(c, "x")
	c.Reset()
	c.Update(tea.KeyPressMsg{Code: 'y', Mod: tea.ModCtrl})
	if c.Value() != long {
		t.Errorf("%q", c.Value())
	}
}

func TestVimWalksTheHistoryPastTheFirstAndTheLastRow(t *testing.T) {
	c := vimmed(t, "|draft")
	c.SetHistory([]string{"newest", "older"})
	presses(c, "kk")
	if c.Value() != "older" {
		t.Errorf("%q", c.Value())
	}
	presses(c, "jj")
	if c.Value() != "draft" {
		t.Errorf("%q", c.Value())
	}
}

func FuzzVim(f *testing.F) {
	for _, s := range []string{"ddp", "cwx\x1b.u", "d2fxP", "yiwP", "3dw.", "xu;,", "gg}G{", "vV%", "d0D$J~r\n", "kkjjo\x1b"} {
		f.Add("one, two\n\n  thr(e)e \"x\" é日👩‍👩‍👧", s, 5)
	}
	f.Fuzz(func(t *testing.T, text, in string, at int) {
		if len(in) > 60 || len(text) > 2000 {
			return
		}
		c := New(style.Sheet{})
		c.SetModal(true)
		c.SetHistory([]string{"sent"})
		c.Update(tea.PasteMsg{Content: strings.Repeat("long\n", 12)})
		c.SetValue(text)
		for range at % 7 {
			c.Update(tea.KeyPressMsg{Code: tea.KeyLeft})
		}
		c.Escape()
		for _, r := range in {
			if r == 0x1b {
				c.Escape()
				continue
			}
			c.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
			if c.pos < 0 || c.pos > len(c.text) {
				t.Fatalf("the cursor is at %d of %d", c.pos, len(c.text))
			}
			whole := 0 // the cursor stands between two units
			for whole < c.pos {
				whole += next(c.text[whole:])
			}
			if whole != c.pos {
				t.Fatalf("the cursor stands within a unit of %q at %d", c.text, c.pos)
			}
		}
		c.View(20, 3)
	})
}
