package terminal

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

var errNone = errors.New("there is no folder")

// cleaned feeds the pieces of s and returns the finished text and what the screen saw.
func cleaned(s string, cut func() int) (string, string) {
	var text, screen strings.Builder
	c := cleaner{commit: func(p []byte) { text.Write(p) }, show: func(p []byte) { screen.Write(p) }}
	for len(s) > 0 {
		n := min(max(cut(), 1), len(s))
		c.feed([]byte(s[:n]))
		s = s[n:]
	}
	c.finish()
	return text.String(), screen.String()
}

func TestOutputIsCleanedHoweverItIsCut(t *testing.T) {
	for in, want := range map[string]string{
		"plain\n":                                "plain\n",
		"no end":                                 "no end",
		"\x1b[1;31mred\x1b[0m\n":                 "red\n",
		"\x1b]0;title\x07x\x1b]8;;u\x1b\\y\n":    "xy\n",
		"\x1b(Ba\x1bMb\n":                        "ab\n",
		"\x1b]never ends\nnext line\n":           "\nnext line\n",
		"\x1bPq...\x1b\\sixel\n":                 "sixel\n",
		"10%\r20%\r100%\ndone\n":                 "100%\ndone\n",
		"10%\r":                                  "10%",
		"dos\r\nlines\r\n":                       "dos\nlines\n",
		"abc\b\b\bxyz\n":                         "xyz\n",
		"ä\bö\n":                                 "ö\n",
		"bell\x07 nul\x00 del\x7f\n":             "bell nul del\n",
		"😀 é 日本\n":                               "😀 é 日本\n",
		"bad \xff\xfe \xe2\x82 A \xc3":           "bad \uFFFD\uFFFD \uFFFD\uFFFD A \uFFFD",
		"half \xf0\x9f":                          "half \uFFFD",
		"c1 \u009b31mred \u009d0;t\x07x\u0085":   "c1 red x",
		strings.Repeat("x", 3*maxLine) + "é\r\n": strings.Repeat("x", 3*maxLine) + "é\n",
	} {
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 1))
			got, _ := cleaned(in, func() int { return 1 + r.IntN(int(seed)*seed3(len(in))+1) })
			if got != want {
				t.Fatalf("%.60q: got %.80q, want %.80q", in, got, want)
			}
		}
	}
}

// seed3 makes pieces grow with the length of the input, so that a long one is not cut into single bytes twenty times.
func seed3(n int) int { return 1 + n/100 }

func TestScreenShowsEveryStateOfAProgressLine(t *testing.T) {
	var screen strings.Builder
	c := cleaner{commit: func([]byte) {}, show: func(p []byte) { screen.Write(p) }}
	for _, s := range []string{"10%", "\r20%", "\r30%\n", "end\n"} {
		c.feed([]byte(s))
		c.peek()
	}
	if got := screen.String(); got != "10%\n20%\n30%\nend\n" {
		t.Errorf("got %q", got)
	}
}

func TestH13CutsAreBetweenCharacters(t *testing.T) {
	for shift := range 4 {
		k := &capture{open: func(string) (string, error) { return "", errNone }}
		s := strings.Repeat("x", headChars-2+shift) + strings.Repeat("😀", 100) + strings.Repeat("é", tailChars)
		for len(s) > 0 {
			n := min(997, len(s))
			for n < len(s) && !utf8.RuneStart(s[n]) {
				n++
			}
			k.Write([]byte(s[:n]))
			s = s[n:]
		}
		if out := k.String(); !utf8.ValidString(out) || strings.ContainsRune(out, utf8.RuneError) {
			t.Errorf("shift %d: a character was cut", shift)
		}
	}
}

func FuzzCleaner(f *testing.F) {
	f.Add([]byte("a\x1b[1mb\rc\xff\n"), uint8(3))
	f.Fuzz(func(t *testing.T, in []byte, n uint8) {
		whole, _ := cleaned(string(in), func() int { return len(in) })
		parts, screen := cleaned(string(in), func() int { return int(n) })
		if whole != parts {
			t.Errorf("%q cut at %d: %q, whole %q", in, n, parts, whole)
		}
		for _, s := range []string{parts, screen} {
			if !utf8.ValidString(s) || strings.ContainsAny(s, "\x1b\r\b\x00\x07") {
				t.Errorf("%q became %q", in, s)
			}
		}
	})
}
