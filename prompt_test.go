package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestThePromptIsWrittenInTheEditorAndAKilledOneLosesNothing: the editor has the terminal, the screen comes back without
// a key, and an editor that is killed before it saves leaves the prompt as it was.
func TestThePromptIsWrittenInTheEditorAndAKilledOneLosesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, want string }{
		"saves":  {`test -t 0 && printf 'better' >"$1"`, "better"},
		"killed": {`kill -9 $$`, "a draft"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			ed := filepath.Join(t.TempDir(), "ed")
			if err := os.WriteFile(ed, []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			d.env = append(d.env, "VISUAL=", "EDITOR="+ed)
			p := d.open("--demo")
			p.sees(ready)
			p.presses("a draft")
			p.sees("a draft")
			p.presses("\x07") // Ctrl+G
			if c.want == "a draft" {
				p.sees("did not end well")
			}
			p.until("the text in the prompt", func(string) bool { return strings.Contains(p.prompt(), c.want) })
			p.presses("\x03")
			p.quits()
		})
	}
}

// TestAFileThatIsNamedIsSent: "@" finds it, the chip says what goes, and the model has its text.
func TestAFileThatIsNamedIsSent(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.write("notes.txt", "the word is heron\n")
	m := d.model("reply\ntext Heron.\n")
	p := d.open()
	p.sees(ready)
	p.presses("what is in @note")
	p.sees("notes.txt")
	p.presses("\t")
	p.sees("[@notes.txt 18 bytes]")
	p.says("now?")
	p.sees("Attached @notes.txt (18 bytes).", "Heron.")
	if sent := m.asks(t, 1); !strings.Contains(fmt.Sprint(sent), "the word is heron") {
		t.Errorf("the model was sent %v", sent)
	}
	p.quits()
}
