package style

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"talaria/themes"
)

// payloads are the sequences of U01 with the text that must be left of each.
var payloads = map[string]string{
	"a\x1b]52;c;ZXZpbA==\ab":                   "ab",
	"a\x1b]0;pwn\ab":                           "ab",
	"a\x1b]8;;http://x.test/\atext\x1b]8;;\ab": "atextb",
	"a\x1b[2Jb\x1b[10Ac\x1b[6nd":               "abcd",
	"a\x1bcb":                                  "ab",
	"a\x1bPqxyz\x1b\\b":                        "ab",
	"a\x1b]never ends":                         "anever ends",
	"a\x1b]0;x\nnext line\a":                   "a0;x\nnext line",
	"a\u009b2Jb":                               "ab",
	"a\x9b2Jb":                                 "ab",
	"a\u009d0;pwn\u009cb":                      "ab",
	"a\x9d0;pwn\x9cb":                          "ab",
	"a\x1b(Bb\x1b7c\x1b=d":                     "abcd",
	"a\x1b[31;1mred\x1b[0mb":                   "aredb",
	"a\x00\b\vb\x7fc":                          "abc",
	"a\r\nb\rc\td":                             "a\nb\nc\td",
	"a\xffb":                                   "a\uFFFDb",
	"a\u202eb\u2066c\ufeffd":                   "abcd",
	"\x1b":                                     "",
	"\x1b[":                                    "",
	"\x1b[12;":                                 "",
	"👩‍👩‍👧 한글 é":                               "👩‍👩‍👧 한글 é",
	"\x1b]\x1b]\x1b]52;c;eA==\aend":            "end",
	"plain é text with \uFFFD that was there": "plain é text with \uFFFD that was there",
}

func TestU01NoSequenceSurvivesSafe(t *testing.T) {
	for in, want := range payloads {
		if got := Safe(in); got != want {
			t.Errorf("Safe(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestU01SafeHoldsForAnyBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.SampledFrom([]byte("\x1b]P[;05m\a\\\n\t\r a\x9b\x9c\x9d\xc2\xe4\xb8\xad\x80"))).Draw(t, "bytes"))
		got := Safe(s)
		if !utf8.ValidString(got) || got != Safe(got) {
			t.Fatalf("Safe(%q) = %q is not settled", s, got)
		}
		for _, r := range got {
			if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
				t.Fatalf("Safe(%q) = %q keeps %U", s, got, r)
			}
		}
		for _, line := range strings.Split(OnlySGR("\x1b[1m"+s), "\n") {
			if left := strings.ReplaceAll(stripSGR(line), "\t", ""); left != Safe(left) {
				t.Fatalf("OnlySGR(%q) keeps %q", s, line)
			}
		}
	})
}

func stripSGR(s string) string {
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			return s
		}
		j := strings.IndexByte(s[i:], 'm')
		if j < 0 || strings.Trim(s[i+2:i+j], "0123456789;:") != "" {
			return s
		}
		s = s[:i] + s[i+j+1:]
	}
}

func TestOnlySGRKeepsColours(t *testing.T) {
	in := "\x1b[1;38;2;1;2;3mbold\x1b[m \x1b[2Jcleared \x1b]52;c;eA==\acopied"
	if got, want := OnlySGR(in), "\x1b[1;38;2;1;2;3mbold\x1b[m cleared copied"; got != want {
		t.Errorf("OnlySGR = %q, want %q", got, want)
	}
}

func TestA09ApprovalTextShowsWhatHides(t *testing.T) {
	for in, want := range map[string]string{
		"echo ok\x1b[2K\rls":     `echo ok\x1b[2K\rls`,
		"a\u202eb\u200bc\u00a0d": "a<U+202E>b<U+200B>c<U+00A0>d",
		"a\tb\nc":                "a\\tb⏎\nc",
		"x\u009b2J\xfe":          `x<U+009B>2J\xfe`,
		"ls -la 한글 é":            "ls -la 한글 é",
		"\U000e0041\u3164\u2028": "<U+E0041><U+3164><U+2028>",
	} {
		if got := Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
	}
	long := strings.Repeat("a", 5000) + "; rm -rf x"
	if !strings.HasSuffix(Visible(long), "; rm -rf x") {
		t.Error("the end of a long command is cut off")
	}
}

func sheet(name string, ascii bool) Sheet {
	theme, err := themes.Load(name)
	if err != nil {
		panic(err)
	}
	return New(theme, ascii)
}

func TestAPathIsCutInItsMiddle(t *testing.T) {
	s := sheet("mono", false)
	path := "engine/provider/completions/decode_test.go"
	for w := -1; w <= 60; w++ {
		got := s.Middle(path, w)
		if Width(got) > max(0, w) {
			t.Fatalf("Middle to %d is %q", w, got)
		}
		if w >= 20 && !strings.HasSuffix(got, "/decode_test.go") {
			t.Errorf("Middle to %d loses the file's name: %q", w, got)
		}
		if w < len(path) && w > 0 && w >= 3 && !strings.Contains(got, "…") {
			t.Errorf("Middle to %d cuts without a sign: %q", w, got)
		}
	}
	if got := s.Middle("文档/说明/中文文件名.md", 14); Width(got) > 14 || !strings.Contains(got, "…") {
		t.Errorf("a wide path becomes %q", got)
	}
}

func TestTruncateCountsCells(t *testing.T) {
	s := sheet("mono", false)
	for in, want := range map[string]string{"abcdef": "abcd…", "한글한글": "한글…", "abcde": "abcde"} {
		if got := s.Truncate(in, 5); got != want {
			t.Errorf("Truncate(%q) = %q, want %q", in, got, want)
		}
	}
	if got := s.Spread("left", "0:31", 12); got != "left    0:31" {
		t.Errorf("Spread = %q", got)
	}
	if got := s.Spread("a long left side", "0:31", 10); got != "a long le…" {
		t.Errorf("Spread without room = %q", got)
	}
	if got := Untab("a\tb\n\tc"); got != "a   b\n    c" {
		t.Errorf("Untab = %q", got)
	}
}

func TestU09NothingIsWiderThanTheColumn(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("漢字", 30), "https://example.test/" + strings.Repeat("a", 120), strings.Repeat("x", 200),
		"some words, then " + strings.Repeat("漢", 9) + "。and more words — 한국어 단어들 and 👩‍👩‍👧 emoji",
	} {
		for w := 1; w < 60; w++ {
			var all string
			for _, line := range Wrap(text, w) {
				if Width(line) > w {
					t.Fatalf("width %d: %q is %d wide", w, line, Width(line))
				}
				all += line
			}
			if flat := strings.ReplaceAll(text, " ", ""); w > 1 && strings.ReplaceAll(all, " ", "") != flat {
				t.Fatalf("width %d loses text: %q", w, all)
			}
		}
	}
}

func TestWrapBreaksWhereAReaderWould(t *testing.T) {
	for _, c := range []struct {
		in   string
		w    int
		want string
	}{
		{"one two three", 8, "one two|three"},
		{"  indented text", 10, "  indented|text"},
		{"see https://a.test/bcd ok", 18, "see|https://a.test/bcd|ok"},
		{"漢字漢字。漢字", 8, "漢字漢|字。漢字"},
		{"a\n\nb", 8, "a||b"},
		{"", 8, ""},
	} {
		if got := strings.Join(Wrap(c.in, c.w), "|"); got != c.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.in, c.w, got, c.want)
		}
	}
}

func TestNoColourMeansNoSGR(t *testing.T) {
	s := sheet("mono", true)
	for _, r := range themes.Roles() {
		if got := s.Ink(r, "x"); got != "x" {
			t.Errorf("mono paints %s as %q", r, got)
		}
	}
	if got := sheet("dusk", false).Ink(themes.Error, "x"); !strings.HasPrefix(got, "\x1b[38;2;") {
		t.Errorf("dusk paints an error as %q", got)
	}
}
