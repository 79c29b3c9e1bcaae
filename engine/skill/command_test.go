package skill

import (
	"strings"
	"testing"
)

func newPrompts(t *testing.T, files map[string]string) *shelf {
	s := newShelf(t, files)
	o := s.Library.o
	o.Commands, o.ProjectCommands = s.dir+"/mine", func() string { return s.dir + "/theirs" }
	s.Library = New(o)
	return s
}

func TestAUserSendsAKeptPromptWithItsWords(t *testing.T) {
	s := newPrompts(t, map[string]string{
		"mine/fix.md":    "---\ndescription: Fix an issue\nargument-hint: number [hint]\n---\nFix issue $1 of this repository.\nMore: $ARGUMENTS. Never touch $9 nor $10 or $ARGUMENTSX.",
		"mine/plain.md":  "# Look around\nSay what you see.",
		"theirs/fix.md":  "Ours: $ARGUMENTS",
		"mine/deploy.md": "Deploy.",
	})
	for typed, want := range map[string]string{
		"/deploy":             "/deploy\n\nDeploy.",
		"/deploy to staging":  "/deploy to staging\n\nDeploy.\n\nto staging",
		"/plain":              "/plain\n\n# Look around\nSay what you see.",
		"/fix 17 in the cart": "/fix 17 in the cart\n\nOurs: 17 in the cart",
	} {
		if got, ok := s.Expand(typed); !ok || got != want {
			t.Errorf("%s: %q, %v", typed, got, ok)
		}
	}
	o := s.Library.o
	o.ProjectCommands = func() string { return "" } // not trusted
	s.Library = New(o)
	want := "/fix 17 x\n\nFix issue 17 of this repository.\nMore: 17 x. Never touch  nor $10 or $ARGUMENTSX."
	if got, _ := s.Expand("/fix 17 x"); got != want {
		t.Errorf("%q", got)
	}
	var names []string
	for _, c := range s.Commands() {
		names = append(names, c.Name+"|"+c.Description+"|"+c.Args+"|"+string(c.Source))
	}
	if got := strings.Join(names, " "); got != "deploy|Deploy.||user fix|Fix an issue|number [hint]|user init|write AGENTS.md, what an agent has to know of this project|[what matters]|built-in plain|Look around||user" {
		t.Error(got)
	}
}

func TestACommandThatCannotBeUsedSaysWhy(t *testing.T) {
	s := newPrompts(t, map[string]string{
		"mine/empty.md": "---\ndescription: nothing\n---\n", "mine/bad name.md": "x", "mine/open.md": "---\nno end", "theirs/evil.md": "EVIL", "mine/.hidden.md": "x", "mine/text.txt": "x",
		"mine/evil2.md": "EVIL, but the user's own words",
	})
	faults := map[string]string{}
	for _, c := range s.Commands() {
		faults[c.Name] = c.Fault
	}
	for name, part := range map[string]string{"empty": "empty", "bad name": "name", "open": "no end", "evil": "is evil"} {
		if !strings.Contains(faults[name], part) {
			t.Errorf("%s: %q", name, faults[name])
		}
		if _, ok := s.Expand("/" + name); ok {
			t.Errorf("%s can be sent", name)
		}
	}
	if len(faults) != 6 || faults["evil2"] != "" {
		t.Errorf("%v", faults)
	}
}

func TestASkillStandsBeforeACommandOfItsName(t *testing.T) {
	s := newPrompts(t, map[string]string{"user/dev/deploy/SKILL.md": "---\nname: deploy\ndescription: d\n---\nBody of the skill", "mine/deploy.md": "Command"})
	if got, ok := s.Expand("/deploy now"); !ok || !strings.Contains(got, "Body of the skill") {
		t.Errorf("%q", got)
	}
}
