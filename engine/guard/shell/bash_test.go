package shell

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
	"pgregory.net/rapid"
)

// What a rule reads as plain words, bash passes to the program as the same words.
func TestPlainWordsAreThoseOfBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not there")
	}
	dir := t.TempDir()
	plain := 0
	rapid.Check(t, func(t *rapid.T) {
		tail := rapid.StringMatching(`([a-c]|\\.|'[a \\"$]{0,3}'|"[a \\'~*]{0,3}"|[ \t"'\\$~{},*?\[\]#!=/.:@%^+-]|\\\n|2>&1|>/dev/null){0,8}`).Draw(t, "tail")
		f, _ := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true)).Parse(strings.NewReader("p "+tail), "")
		all, ok := Plain("p "+tail, f)
		if !ok || len(all) != 1 || all[0].Patterns() || strings.Contains(tail, "~") || strings.Contains(tail, "$?") { // a number, for which $? stands in a rule
			return
		}
		plain++
		cmd := exec.Command(bash, "-c", "p() { printf '%s\\0' \"$@\" >&3; }\nexec 3>&1\np "+tail+"\n")
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%q: %v", tail, err)
		}
		got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		want := all[0].Words[1:]
		if len(want) == 0 {
			want = []string{""}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: bash passes %q, the rule reads %q", tail, got, want)
		}
	})
	if plain == 0 {
		t.Error("nothing was compared")
	}
}
