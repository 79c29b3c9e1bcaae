package shell

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

func plainWords(t *testing.T, text string) (words []string, c Command, ok bool) {
	t.Helper()
	f, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		t.Fatal(err)
	}
	all, ok := Plain(text, f)
	if !ok || len(all) != 1 {
		return nil, Command{}, false
	}
	return all[0].Words, all[0], true
}

func TestTheStatusOfACommandIsTheOnlyVariableThatIsPlain(t *testing.T) {
	if words, _, ok := plainWords(t, "echo $?"); !ok || !slices.Equal(words, []string{"echo", "$?"}) {
		t.Errorf("%q, %v", words, ok)
	}
	for _, text := range []string{"$?", "$? x", "echo $?x", "echo x$?", `echo "$?"`, "echo ${?}x", "echo $1", "echo $$", "echo $!", "echo $-", "echo $@", "echo $HOME", "echo ${#?}", "echo $(x)"} {
		if words, _, ok := plainWords(t, text); ok {
			t.Errorf("%s is taken for plain: %q", text, words)
		}
	}
}

func TestAPatternInALongOptionIsPlainUntilAFileHasItsName(t *testing.T) {
	dir := t.TempDir()
	_, c, ok := plainWords(t, "grep -rn TODO src --include=*.ts")
	if !ok || !c.Patterns() {
		t.Fatal("it is not plain")
	}
	if words, ok := c.Spread([]string{dir}); !ok || !slices.Contains(words, "--include=*.ts") {
		t.Errorf("%q, %v", words, ok)
	}
	if err := os.WriteFile(filepath.Join(dir, "--include=x.ts"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if words, ok := c.Spread([]string{dir}); ok {
		t.Errorf("a file can be taken for the option: %q", words)
	}
	for _, text := range []string{"x -i*", "x --*", "x --a*=b", "x --A=*", "x --a=-*", "x --a=**", "x --a=[b]*", "x --a=$b*", "x --=*"} {
		if words, _, ok := plainWords(t, text); ok {
			t.Errorf("%s is taken for plain: %q", text, words)
		}
	}
}
