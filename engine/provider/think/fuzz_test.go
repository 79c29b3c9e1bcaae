package think

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/soak"
)

// pieces is what random replies are made of.
var pieces = []string{
	"<think>", "</think>", "<think", ">", "</", "<", "< think >", "<reasoning>", "</reasoning>", "<mm:think>", "</mm:think>",
	"[THINK]", "[/THINK]", "◁think▷", "◁/think▷", "<思考>", "</思考>", "<thought a=\"b\">", "</thought>", "`", "``", "```", "~~~", "\n", "\n\n",
	"\r\n", " ", "  ", "\t", "a", "Hello", "—", "思", "\xe6", "\xe2\x97", "=", "\"",
}

func randomReply(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(24) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// told feeds s in the given pieces and returns all the scrubber tells, by kind and in order.
func told(cut []string) (visibleText, thoughts, all string) {
	var by [3]strings.Builder
	var order strings.Builder
	s := newScrubber(func(k kind, t string) { by[k].WriteString(t); order.WriteString(t) })
	for _, c := range cut {
		s.feed(c)
	}
	s.end()
	return by[visible].String(), by[thought].String(), order.String()
}

// checkCuts fails when the way s is cut matters, or when anything of s is lost.
func checkCuts(t *testing.T, s string, r *rand.Rand) {
	t.Helper()
	v, th, all := told([]string{s})
	if all != s {
		t.Fatalf("%q: the pieces make %q", s, all)
	}
	wantText, wantThought := Clean(s)
	if wantText != v {
		t.Fatalf("%q: Clean gives text %q, the scrubber %q", s, wantText, v)
	}
	cuts := [][]string{bytesOf(s, 1), bytesOf(s, 2), bytesOf(s, 3), bytesOf(s, 7), randomCut(s, r)}
	for _, cut := range cuts {
		if v2, th2, _ := told(cut); v2 != v || th2 != th {
			t.Fatalf("%q:\ntext %q, thought %q\ncut %q:\ntext %q, thought %q", s, v, th, cut, v2, th2)
		}
		var f engine.Fold
		c := newChannel()
		for _, p := range cut {
			for _, d := range c.add(engine.TextDelta{Text: p}) {
				f.Add(d)
			}
		}
		for _, d := range c.end() {
			f.Add(d)
		}
		if m := f.Message(time.Time{}); m.Text() != wantText || m.Reasoning() != wantThought {
			t.Fatalf("%q cut %q: folded text %q, reasoning %q, want %q, %q", s, cut, m.Text(), m.Reasoning(), wantText, wantThought)
		}
	}
}

func randomCut(s string, r *rand.Rand) []string {
	var out []string
	for len(s) > 0 {
		n := 1 + r.IntN(len(s))
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}

func TestEveryCutOfRandomRepliesGivesTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		checkCuts(t, randomReply(r), r)
	}
}

// Without a ">" there is no tag, and so nothing to take out.
func TestTextWithoutTagsIsNeverChanged(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	harmless := []string{"`", "```", "~~~", "\n", " ", "a", "<", "</", "<div", "<think", "</think", "[", "◁", "think", "思考", "\r\n", "\xe2"}
	for range 4_000 {
		var b strings.Builder
		for range r.IntN(20) {
			b.WriteString(harmless[r.IntN(len(harmless))])
		}
		if v, th := Clean(b.String()); v != b.String() || th != "" {
			t.Fatalf("%q: text %q, reasoning %q", b.String(), v, th)
		}
	}
}

func FuzzCuts(f *testing.F) {
	for _, s := range []string{
		"<think>a</think>b", "Hello <think>secret reasoning</think> World", "Use the `<think>` tag", "```\n<think>x</think>\n```",
		"a ` b <think>c</think> `` d\n<think>", "x <think> y <reasoning>z</reasoning>", "<think a='b'>c</think>", "◁think▷a◁/think▷",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkCuts(t, s, rand.New(rand.NewPCG(uint64(len(s)), 5))) })
}

// hardReplies are a megabyte each, of the kind that makes a careless scrubber quadratic.
var hardReplies = map[string]string{
	"prose":              strings.Repeat("Some words, a `span` and a line.\n", 1<<15),
	"open mid-line":      "Hello <think>" + strings.Repeat("words and words ", 1<<16),
	"many open mid-line": strings.Repeat("a <think> b <reasoning> ", 1<<16/2),
	"unclosed block":     "<think>" + strings.Repeat("   \n", 1<<18),
	"less-than":          strings.Repeat("<", 1<<20),
	"almost a tag":       strings.Repeat("<think a=", 1<<17),
	"long attribute":     strings.Repeat("<think a=\""+strings.Repeat("x", 300), 1<<12),
	"one long line":      "` <think>" + strings.Repeat("``` x <think> ", 1<<16),
	"backticks":          strings.Repeat("`", 1<<20),
	"runs of all sizes":  runsOfAllSizes(1 << 20),
}

func runsOfAllSizes(n int) string {
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		b.WriteString(strings.Repeat("`", i) + "<think>")
	}
	return b.String()
}

func BenchmarkMegabyteInOneByteDeltas(b *testing.B) {
	for name, s := range hardReplies {
		b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				c := newChannel()
				for i := range len(s) {
					c.add(engine.TextDelta{Text: s[i : i+1]})
				}
				c.end()
			}
		})
	}
}

// Eight times the text must not take 64 times the processor time.
func TestTimeGrowsWithTheLengthOnly(t *testing.T) {
	took := func(s string) time.Duration {
		began := soak.Spent()
		c := newChannel()
		for i := range len(s) {
			c.add(engine.TextDelta{Text: s[i : i+1]})
		}
		c.end()
		return soak.Spent() - began
	}
	for name, s := range hardReplies {
		part, whole := took(s[:len(s)/64]), took(s[:len(s)/8])
		if whole > 24*part+20*time.Millisecond { // linear: 8 times, quadratic: 64
			t.Errorf("%s: %v for a 64th, %v for an eighth", name, part, whole)
		}
	}
}
