package rule

import (
	"path"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// words are what commands are made of.
var words = rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom([]string{"npm", "test", "run", "build", "git", "push", "status", "go", "vet", "./x", "-v", "--flag", "a b", "it's", "*", "$X", "", "\\", "src/a.go", "café", "timeout", "5", "CI=1", "nice"}),
	rapid.StringMatching(`[a-zA-Z0-9 '"$\\*?(){}|&;<>./=-]{1,8}`)), 1, 6)

// The text of a rule is the whole rule: what it says allows the same command ever after, in its folder, and a rule
// allows nothing but what begins with its words, or is it.
func TestARuleAllowsWhatItSaysAndNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		command := words.Draw(t, "command")
		if strings.TrimSpace(command[0]) == "" || len(Bare(command)) == 0 || Bare(command)[0] == "" {
			return
		}
		other := rapid.OneOf(words, rapid.Custom(func(t *rapid.T) []string { // a neighbour of the command
			o := slices.Clone(command)
			at := rapid.IntRange(0, len(o)-1).Draw(t, "at")
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0:
				o[at] += "x"
			case 1:
				o = slices.Delete(o, at, at+1)
			case 2:
				o = append(o, "more")
			case 3:
				o = slices.Insert(o, at, "in")
			}
			return o
		})).Draw(t, "other")
		for _, r := range ForCommand(command, "/ws", false).Rules {
			back, ok := Parse(r.String(), "/ws", "/home/u")
			back.Dir = r.Dir
			if !ok || !back.Same(r) || !slices.Equal(back.words, r.words) {
				t.Fatalf("%q reads back as %q (%q)", r, back, back.words)
			}
			if !back.Covers(command, []string{"/ws"}) {
				t.Fatalf("%q does not allow the command it was made for: %q", r, command)
			}
			if r.Dir != "" && back.Covers(command, []string{"/ws", "/ws/sub"}) {
				t.Fatalf("%q allows another program in another folder", r)
			}
			if len(other) == 0 || len(Bare(other)) == 0 {
				continue
			}
			within := slices.Equal(other, r.words)
			if bare := Bare(other); r.Kind == Command {
				within = len(bare) >= len(r.words) && slices.Equal(bare[:len(r.words)], r.words)
			}
			if got := back.Covers(other, []string{"/ws"}); got != within {
				t.Fatalf("%q, asked about %q: %v", r, other, got)
			}
		}
	})
}

func TestAFileRuleAllowsWhatItSaysAndNothingElse(t *testing.T) {
	name := rapid.StringMatching(`[a-zA-Z0-9 *?\[\]{}\\~.é-]{1,6}`)
	rapid.Check(t, func(t *rapid.T) {
		var parts []string
		for range rapid.IntRange(1, 4).Draw(t, "deep") {
			if n := name.Draw(t, "name"); n != "." && n != ".." {
				parts = append(parts, n)
			}
		}
		if len(parts) == 0 {
			return
		}
		real := "/ws/" + strings.Join(parts, "/")
		for _, o := range []string{real, "/ws/" + name.Draw(t, "a"), "/ws/" + strings.Join(parts, "/") + "x", path.Dir(real) + "/other", path.Dir(real) + "/deep/other", "/elsewhere/" + parts[0]} {
			if path.Clean(o) != o {
				continue
			}
			for i, r := range ForFile(Edit, real, "/ws").Rules {
				back, ok := Parse(r.String(), "/ws", "/home/u")
				if !ok || !back.Same(r) || !back.Matches(Edit, real) || back.Matches(Read, real) {
					t.Fatalf("%q reads back as %q, or does not allow %q", r, back, real)
				}
				within := o == real
				switch {
				case strings.HasSuffix(r.String(), "**"):
					tree := path.Dir(real)
					if r.String() == "edit **" {
						tree = "/ws"
					}
					within = o == tree || strings.HasPrefix(o, tree+"/")
				case i > 0:
					within = path.Dir(o) == path.Dir(real)
				}
				if got := back.Matches(Edit, o); got != within {
					t.Fatalf("%q, asked about %q: %v", r, o, got)
				}
			}
		}
	})
}

func TestLaddersGoFromTheExactToTheWide(t *testing.T) {
	for command, want := range map[string]string{
		"npm run build -- --x": "exactly npm run build -- --x; command npm run build*; command npm run",
		"git push origin main": "exactly git push origin main*; command git push origin; command git push",
		"go test ./...":        "exactly go test ./...; command go test ./...; command go test*; command go",
		"ls -la":               "exactly ls -la; command ls*",
		"cp a b":               "exactly cp a b*; command cp a b; command cp a; command cp",
		"python3 x.py --flag":  "exactly python3 x.py --flag*; command python3 x.py",
		"curl http://x":        "exactly curl http://x*",
		"timeout 9 go vet .":   "exactly timeout 9 go vet .; command go vet .; command go vet*; command go",
		"./gradlew test":       "exactly ./gradlew test*; command ./gradlew test; command ./gradlew",
		"docker compose up":    "exactly docker compose up*; command docker compose up; command docker compose",
	} {
		l := ForCommand(strings.Fields(command), "/ws", false)
		var got []string
		for i, r := range l.Rules {
			got = append(got, r.String()+map[bool]string{true: "*"}[i == l.At])
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%s:\n got %s\nwant %s", command, s, want)
		}
	}
	for host, want := range map[string]string{"api.example.com": "fetch api.example.com fetch *.example.com", "example.com": "fetch example.com", "10.0.0.1": "fetch 10.0.0.1", "localhost:80": "fetch localhost:80"} {
		var got []string
		for _, r := range ForHost(host).Rules {
			got = append(got, r.String())
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s", host, s)
		}
	}
}
