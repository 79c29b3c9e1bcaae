package agent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"talaria/engine"
)

const (
	russian = "Он не спеша прошёл по длинному коридору, открыл тяжёлую дверь и остановился: в комнате никого не было, только часы на стене показывали половину третьего. "
	chinese = "他慢慢地走过长长的走廊，推开沉重的门，停了下来：房间里没有人，只有墙上的钟指着两点半。"
	english = "He walked slowly along the corridor, opened the heavy door and stopped: there was nobody in the room, and the clock on the wall said half past two. "
	asJSON  = `{"id":1042,"name":"widget","tags":["a","b"],"price":{"amount":12.5,"currency":"EUR"},"active":true},` + "\n"
)

// source is Go with many tabs: this package.
func source(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	var b strings.Builder
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(data)
	}
	return b.String()
}

// The figures of LIBRARIES: against the o200k tokenizer, letters/3.8 gave 0.68 of the tokens of Go with many tabs, so
// 2.6 characters a token; signs/2.6 gave 1.28 of Russian, so 3.3; Chinese has 1.25. English prose has about 4.4 and JSON
// about 2.9 by the same tokenizer. An estimate may be somewhat too high, which compresses early; too low overflows.
func TestTheEstimateIsHonestForEveryKindOfText(t *testing.T) {
	for name, c := range map[string]struct {
		text     string
		perToken float64
	}{
		"English": {english, 4.4}, "Russian": {russian, 3.3}, "Chinese": {chinese, 1.25}, "JSON": {asJSON, 2.9}, "Go": {source(t), 2.6 / 0.9}, // comments are prose
	} {
		real := float64(utf8.RuneCountInString(c.text)) / c.perToken
		ratio := float64(tokens(c.text)) / real
		t.Logf("%-8s %.2f of the tokens", name, ratio)
		if ratio < 0.9 || ratio > 1.35 {
			t.Errorf("%s: %d tokens estimated, about %.0f real: %.2f", name, tokens(c.text), real, ratio)
		}
	}
	if n := tokens("The quick brown fox jumps over the lazy dog."); n != 10 {
		t.Errorf("a sentence of ten tokens has %d", n)
	}
	if n := tokens(strings.Repeat("iVBORw0KGgoAAAANSUhEUgAA", 100)); n < 600 { // as letters/3.8 gives, and no less
		t.Errorf("2400 characters of base64 are %d tokens", n)
	}
}

// However far the estimate is off for a session's kind of text, the server's count corrects it.
func TestRealUsageCorrectsTheEstimate(t *testing.T) {
	for _, off := range []float64{0.5, 1, 1.8} {
		var m meter
		for range 4 {
			m.counted(engine.Usage{Input: int(1000 * off)}, 1000, 3)
		}
		c := &conversation{memo: &memo{}, meter: m, messages: make([]engine.Message, 4)}
		c.messages[3] = engine.Message{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: strings.Repeat(english, 20)}}}
		more := float64(Size(c.messages[3])) * off
		if got := float64(c.size(nil)); got < 1000*off+more*0.9 || got > 1000*off+more*1.1 {
			t.Errorf("off by %.1f: size %.0f, want about %.0f", off, got, 1000*off+more)
		}
	}
}

// TestTheQuickWayThroughARunCountsTheSame compares it with the way of every single character.
func TestTheQuickWayThroughARunCountsTheSame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringMatching(`([a-z]{1,9}|[A-Z]|[0-9]{1,5}|[ \n\t]{1,3}|[é中—{}]{1,3}){0,30}`)).Draw(rt, "s")
		var slow tally
		for _, r := range s {
			slow.add(r)
		}
		slow.flush()
		want := slow.n + int(float64(slow.other)/otherPerToken+float64(slow.wide)/cjkPerToken+0.5)
		if got := tokens(s); got != want {
			rt.Fatalf("%q: %d, want %d", s, got, want)
		}
	})
}
