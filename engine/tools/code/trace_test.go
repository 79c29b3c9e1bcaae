//go:build unix

package code

import (
	"strings"
	"testing"
)

// The author of a program sees where it went wrong in what was written, and nothing of what runs it.
func TestAnErrorNamesPlacesOfTheProgramAlone(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct{ code, want string }{
		{"throw new Error('boom')", "Error: boom\n\tat program:1:7"},
		{"let a = 1\nfunction f() { null.x }\nf()", "TypeError: Cannot read property 'x' of undefined\n\tat f (program:2:21)\n\tat program:3:2"},
		{"read({path: 'a'})\nread(1)", "TypeError: read takes one object with its arguments\n\tat program:2:5"},
		{"[1].map(() => shout({}))", "Error: denied by the user: not so loud\n\tat program:1:20\n\tat map (native)\n\tat program:1:8"},
		{"let x = ;", "SyntaxError: line 1:9 Unexpected token ; (and 2 more errors)"},
		{"throw {a: 1}", `{"a":1}`},
		{"throw 'at a/b (native)'", "at a/b (native)"},
		{"throw new Error('two\\nat lines/of (native)')", "Error: two"},
		{"const r = () => r()\nr()", "RangeError: too many calls in one another"},
	} {
		text := b.run(c.code).Text
		if !strings.Contains(text, "the program failed: "+c.want) {
			t.Errorf("%s\n%q, want\n%q", c.code, text, c.want)
		}
		if text += b.run("try { " + c.code + " } catch (e) { console.log(e) }").Text; strings.Contains(text, "talaria") || strings.Contains(text, "goja") || strings.Contains(text, ".go:") {
			t.Errorf("%s\nshows what runs it: %q", c.code, text)
		}
	}
}
