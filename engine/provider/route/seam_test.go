package route

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// joined is kept with the continuation said in pieces of size bytes.
func joined(kept, said string, size int) string {
	s, out := newSeam(kept), kept
	for said != "" {
		n := min(size, len(said))
		for n < len(said) && !utf8.RuneStart(said[n]) {
			n++
		}
		out += s.add(said[:n])
		said = said[n:]
	}
	return out + s.end()
}

// everyWay joins in pieces of every size and fails when the size matters.
func everyWay(t *testing.T, kept, said string) string {
	t.Helper()
	want := joined(kept, said, len(said)+1)
	for _, size := range []int{1, 2, 3, 7, 40} {
		if got := joined(kept, said, size); got != want {
			t.Fatalf("%q + %q in pieces of %d is %q, whole it is %q", kept, said, size, got, want)
		}
	}
	return want
}

func TestAContinuationIsJoinedWithoutRepeatAndWithoutGlue(t *testing.T) {
	for _, c := range []struct{ kept, said, want string }{
		{"Hello wor", "ld", "Hello world"},
		{"Hello wor", "world", "Hello world"},
		{"Hello wor", "Hello world, again", "Hello world, again"},
		{"The quick brown", " fox", "The quick brown fox"},
		{"The quick brown ", "quick brown fox", "The quick brown fox"},
		{"The quick brown fox ", "\n\nquick brown fox jumps", "The quick brown fox jumps"},
		{"The quick brown fox", "", "The quick brown fox"},
		{"The fox met the dog, and the", "fox ran", "The fox met the dog, and the fox ran"},
		{"In the beginning the", "theory was", "In the beginning the theory was"},
		{"It is done.", "Next comes the test", "It is done. Next comes the test"},
		{"First,", "second", "First, second"},
		{"a,b,", "c", "a,b,c"},
		{"pi is 3.", "14", "pi is 3.14"},
		{"`engine.", "Fold`", "`engine.Fold`"},
		{"```go\nx := engine.", "Fold{}", "```go\nx := engine.Fold{}"},
		{"- yes\n- yes\n", "- yes\n- no", "- yes\n- yes\n- yes\n- no"},
		{"value = 10\nvalue = 10\n", "value = 10\nvalue = 11\n", "value = 10\nvalue = 10\nvalue = 10\nvalue = 11\n"},
		{"It is preconfigured", "configured", "It is preconfiguredconfigured"},
		{"| --- |", " --- |", "| --- | --- |"},
		{"mur", "mur", "murmur"},
		{"我们先读解析器的测试,然后修改解析器", "然后修改解析器的代码", "我们先读解析器的测试,然后修改解析器的代码"},
		{"    if x {\n        ", "    y()", "    if x {\n            y()"},
		{"It ends here.", "It ends here.", "It ends here."},
		{"bad \xff.", "Next", "bad \xff.Next"},
	} {
		if got := everyWay(t, c.kept, c.said); got != c.want {
			t.Errorf("%q + %q is %q, want %q", c.kept, c.said, got, c.want)
		}
	}
}

// prose holds what makes joins hard: lists, a table, code, words in words, other scripts.
const prose = "The parser reads a list, and the list may end in a comma. Therefore `engine.Fold` is asked first.\n\n" +
	"1. Into the loop: anyone who understands the cannon cannot miss it.\n2. Into the test, again and again.\n\n" +
	"| name | size |\n| --- | --- |\n| a | 10 |\n| b | 10 |\n\n```go\nfunc (p *Parser) next() error {\n\tif err := p.read(); err != nil {\n\t\treturn err\n\t}\n" +
	"\tif err := p.skip(); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n```\n\nNaïve café users say: über 1000000 Wörter, 我们先读解析器。 Done!  Two spaces — and an end.\n"

func TestAModelThatGoesOnExactlyIsNeverChanged(t *testing.T) {
	for i := range prose {
		if i > 0 {
			if got := joined(prose[:i], prose[i:], 3); got != prose {
				t.Errorf("cut at %d, %q + %q: %q", i, tail(prose[:i]), head(prose[i:]), tail(got[:min(len(got), i+30)]))
			}
		}
	}
}

func TestAModelThatSaysItsLastWordsAgainIsNotHeardTwice(t *testing.T) {
	tried := 0
	for i := 60; i < len(prose); i++ {
		if !utf8.RuneStart(prose[i]) {
			continue
		}
		for _, words := range []int{4, 8, 16} {
			from := strings.TrimRight(prose[:i], " \n")
			for range words {
				from = strings.TrimRight(from[:max(0, strings.LastIndexAny(from, " \n"))], " \n")
			}
			at := len(from)
			for at < i && (prose[at] == ' ' || prose[at] == '\n' || prose[at] == '\t') {
				at++
			}
			if i-at > longestOverlap || at == i || signs(prose[at:i]) < 8 || strings.Index(prose[:i], prose[at:i]) < at {
				continue
			}
			tried++
			if got := joined(prose[:i], prose[at:], 3); got != prose {
				t.Errorf("cut at %d, begun again at %d (%q): %q", i, at, prose[at:i], tail(got[:min(len(got), i+40)]))
			}
		}
	}
	if tried < 1000 {
		t.Errorf("only %d cuts were tried", tried)
	}
}

func TestALongTextThatIsBegunAnewIsHeardOnce(t *testing.T) {
	text := strings.Repeat("A line of a long text.\n", 400)
	if got := joined(text, text+"The end.", 5); got != text+"The end." {
		t.Errorf("%d bytes, want %d", len(got), len(text)+8)
	}
}

func head(s string) string { return s[:min(len(s), 30)] }
func tail(s string) string { return s[max(0, len(s)-40):] }

func FuzzSeam(f *testing.F) {
	f.Add("Hello wor", "world, and more", 3)
	f.Add("one two three four five", "three four five six", 1)
	f.Add("The end.", "The end.", 2)
	f.Fuzz(func(t *testing.T, kept, said string, size int) {
		if size < 1 || !utf8.ValidString(said) {
			t.Skip()
		}
		whole, cut := joined(kept, said, len(said)+1), joined(kept, said, size)
		if whole != cut {
			t.Fatalf("%q + %q: %q in one piece, %q in pieces of %d", kept, said, whole, cut, size)
		}
		rest := strings.TrimPrefix(whole, kept)
		if !strings.HasPrefix(whole, kept) || !strings.HasSuffix(said, rest) && strings.TrimPrefix(rest, " ") != said {
			t.Fatalf("%q + %q is %q", kept, said, whole)
		}
	})
}
