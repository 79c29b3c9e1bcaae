package guard

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"talaria/engine"
	"talaria/engine/guard/rule"
	"talaria/engine/guard/shell"
)

var ruled = []string{"npm test", "ls -la src", "git status --short", "go test ./...", "cp a b", "./build.sh x", "echo 'a b'", "make test"}

var strangers = []string{"touch P", "curl x", "rm P", "git push", "npm publish", "cat .env", "ls /etc", "sudo npm test", "FOO=1 npm test", "npm test > P", "$(touch P)", "sh -c 'touch P'", "touch${IFS}P"}

// A command for which there is a rule never passes together with one for which there is none, however they are joined;
// and it passes as often as it comes.
func TestRuledCommandNeverCarriesAnother(t *testing.T) {
	h := newHouse(t)
	h.answer = engine.Answer{Choice: engine.ChoiceSession}
	for _, c := range ruled {
		h.run(c)
	}
	h.answer = engine.Answer{}
	joints := []string{" && ", "; ", " | ", " || ", " & ", "\n", " |& ", ";\n", "&&", "|"}
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(rt, "n")
		var b strings.Builder
		stranger := rapid.IntRange(-1, n-1).Draw(rt, "stranger")
		clean := stranger < 0
		for i := range n {
			if i > 0 {
				j := rapid.SampledFrom(joints).Draw(rt, "joint")
				clean = clean && j != " & "
				b.WriteString(j)
			}
			if i == stranger {
				b.WriteString(rapid.SampledFrom(strangers).Draw(rt, "other"))
				continue
			}
			b.WriteString(rapid.SampledFrom(ruled).Draw(rt, "ruled"))
		}
		got := h.command(b.String())
		if clean && got != "pass" {
			rt.Fatalf("%q is covered: %s", b.String(), got)
		}
		if !clean && got == "pass" {
			rt.Fatalf("%q passed", b.String())
		}
	})
}

func TestTextThatKeepsTheGuardBusyIsAskedSoon(t *testing.T) {
	h := newHouse(t)
	deep := "ls"
	for range 40 {
		deep = "sh -c " + shell.Join([]string{deep})
		if len(deep) > 200_000 {
			break
		}
	}
	var grow strings.Builder
	grow.WriteString("A0=xxxxxxxx\n")
	for i := range 60 {
		grow.WriteString("A" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + "=$A0$A0$A0$A0; A0=$A" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + "\n")
	}
	var tree strings.Builder
	for i := range 20 {
		tree.WriteString("f" + string(rune('a'+i)) + "() { f" + string(rune('b'+i)) + "; f" + string(rune('b'+i)) + "; }\n")
	}
	tree.WriteString("fa")
	for name, text := range map[string]string{
		"deep": deep, "grow": grow.String() + "echo $A0", "tree": tree.String(), "braces": "rm " + strings.Repeat("{a,b}", 30), "sequence": "rm -rf {1..100000000}",
		"many": strings.Repeat("rm -rf a b c d e f;", 3000), "wide": "printf '%999999999d' 1 | sh; $(printf '%*d' 99999999 1)", "nested": strings.Repeat("$(", 300) + "ls" + strings.Repeat(")", 300),
		"parens": strings.Repeat("(", 5000), "loops": "for a in {1..90}; do for b in {1..90}; do rm -rf $a/$b; done; done", "long": "echo " + strings.Repeat("x", 2<<20),
	} {
		began := time.Now()
		done := make(chan string, 1)
		go func() {
			shell.Analyse(text, shell.Options{Land: h.g.land(h.ws), Lookup: h.o.Lookup})
			done <- ""
		}()
		select {
		case <-done:
			t.Logf("%s: %s", name, time.Since(began))
		case <-time.After(60 * time.Second):
			t.Fatalf("%s: still busy", name)
		}
		if got := h.command(text); got == "pass" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestGatesMayAskAtTheSameTime(t *testing.T) {
	h := newHouse(t)
	var mu sync.Mutex
	h.o.Ask = func(context.Context, engine.Question) (engine.Answer, error) {
		mu.Lock()
		defer mu.Unlock()
		return engine.Answer{Choice: engine.ChoiceSession}, nil
	}
	h.g = New(h.o)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, c := range ruled {
				if v := h.run(c); v.Decision != engine.Pass {
					t.Errorf("%s: %+v", c, v)
				}
			}
		})
	}
	wg.Wait()
}

func FuzzCommand(f *testing.F) {
	for _, v := range verdicts {
		f.Add(v.command)
	}
	for _, form := range chained {
		f.Add(strings.ReplaceAll(form, "%s", "ls"))
	}
	for _, e := range append(corpus(f, "bypass.txt"), corpus(f, "harmless.txt")...) {
		f.Add(e.command)
	}
	g := New(Options{Roots: []string{"/nowhere/ws"}, Home: "/nowhere", Allow: []string{"command ls"}, Lookup: func(string) (string, bool) { return "", false }})
	f.Fuzz(func(t *testing.T, command string) {
		r := shell.Analyse(command, shell.Options{Land: g.land("/nowhere/ws"), Lookup: g.o.Lookup})
		words, plain := shell.Plain(command, r.File)
		if !plain || len(r.Dangers) > 0 || r.Broken != "" {
			return
		}
		if left, _, ok := g.uncovered(words, "/nowhere/ws"); !ok || len(left.items) > 0 {
			return
		}
		// What passes is ls and nothing else, and two independent readings agree on its words: that of the
		// rules, and the expansion that the hard line goes by.
		if len(r.Steps) != len(words) {
			t.Fatalf("%q passes: %q, but runs %q", command, fmt.Sprint(words), r.Steps)
		}
		for i, step := range r.Steps {
			bare := rule.Bare(words[i].Words)
			if step[0] != "ls" && !slices.Contains(idle, step[0]) || !slices.Equal(step, bare) && !strings.Contains(command, "~") && !words[i].Patterns() {
				t.Errorf("%q passes: %q, but runs %q", command, bare, step)
			}
		}
	})
}

// However deep a dangerous command stands in wrappers and in texts that shells read, it is seen.
func TestADangerIsSeenThroughAnyNesting(t *testing.T) {
	fronts := [][]string{{"sudo"}, {"sudo", "-u", "dev", "--"}, {"env", "A=1"}, {"env", "-i"}, {"timeout", "-k", "1", "5"}, {"nice", "-n", "5"}, {"nohup"}, {"setsid"}, {"command"}, {"exec"}, {"busybox"}, {"stdbuf", "-oL"},
		{"xargs", "-n1"}, {"find", ".", "-exec"}, {"time"}, {"strace", "-f"}, {"flock", "l"}, {"watch"}, {"doas"}, {"ionice", "-c3"}}
	texts := [][]string{{"sh", "-c"}, {"bash", "-lc"}, {"eval"}, {"su", "-c"}, {"env", "-S"}, {"ssh", "host"}, {"script", "-qc"}, {"trap"}, {"dash", "-c"}, {"sudo", "bash", "-c"}}
	h := newHouse(t)
	rapid.Check(t, func(rt *rapid.T) {
		words := []string{"rm", "-rf", "build"}
		for range rapid.IntRange(1, 4).Draw(rt, "deep") {
			if rapid.Bool().Draw(rt, "text") {
				front := rapid.SampledFrom(texts).Draw(rt, "front")
				words = append(slices.Clone(front), shell.Join(words))
				if front[0] == "trap" {
					words = append(words, "EXIT")
				}
				continue
			}
			front := rapid.SampledFrom(fronts).Draw(rt, "front")
			words = append(slices.Clone(front), words...)
			if front[0] == "find" {
				words = append(words, ";")
			}
		}
		text := shell.Join(words)
		if got := h.command(text); got != "ask" || !strings.Contains(h.asked[0].Danger, "deletes a directory tree") {
			rt.Fatalf("%s: %s %+v", text, got, h.asked)
		}
	})
}
