package skill

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"talaria/engine"
)

// shelf is a library over three folders.
type shelf struct {
	*testing.T
	*Library
	dir string
}

func newShelf(t *testing.T, files map[string]string) *shelf {
	s := &shelf{T: t, dir: t.TempDir()}
	for name, text := range files {
		s.write(name, text)
	}
	at := func(name string) string { return filepath.Join(s.dir, name) }
	s.Library = New(Options{Project: func() string { return at("project") }, User: at("user"), Extra: []string{at("extra")}, Threat: func(text string, strict bool) string {
		if strings.Contains(text, "EVIL") || strict && strings.Contains(text, "STRICT") {
			return "is evil"
		}
		return ""
	}})
	return s
}

func (s *shelf) write(name, text string) {
	s.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
}

func (s *shelf) read(name string) string {
	s.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.Fatal(err)
	}
	return string(b)
}

func (s *shelf) run(tool string, args map[string]any) engine.Result {
	s.Helper()
	for _, t := range s.Tools() {
		if t.Spec().Name == tool {
			b, _ := json.Marshal(args)
			r, err := t.Run(s.Context(), engine.Call{ID: "c", Name: tool, Args: string(b)}, &bytes.Buffer{})
			if err != nil {
				s.Fatal(err)
			}
			return r
		}
	}
	s.Fatal("no tool " + tool)
	return engine.Result{}
}

func skillText(name, description, body string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\nversion: 1\nmetadata: {tags: [a]}\n---\n\n" + body + "\n"
}

var plenty = map[string]string{
	"user/release/SKILL.md":               skillText("release", "How to release", "Run make release."),
	"user/release/references/api.md":      "the api",
	"user/release/.hidden":                "x",
	"user/writing/blog/SKILL.md":          skillText("blog", "Write a post", "Be brief."),
	"user/bare/SKILL.md":                  "# Bare\n\nNo front matter here.",
	"user/broken/SKILL.md":                "---\nname: [\n---\nx",
	"user/endless/SKILL.md":               "---\nname: endless\n",
	"user/Shouting/SKILL.md":              skillText("LOUD", "x", "y"),
	"user/elsewhere/SKILL.md":             "---\nname: elsewhere\ndescription: x\nplatforms: [plan9]\n---\ny",
	"user/.trash/old/SKILL.md":            skillText("old", "x", "y"),
	"user/notes.txt":                      "no skill",
	"project/release/SKILL.md":            skillText("release", "The project's way", "Ask the lead."),
	"project/evil/SKILL.md":               skillText("evil", "EVIL words", "x"),
	"project/sly/SKILL.md":                skillText("sly", "harmless", "EVIL inside"),
	"extra/shared/SKILL.md":               skillText("shared", "From elsewhere", "x"),
	"extra/shared/scripts/deep/a/b.sh":    "echo",
	"extra/deep/one/two/three/S/SKILL.md": skillText("toodeep", "x", "y"),
}

func TestSkillsAreFoundAndTheProjectsOwnComesFirst(t *testing.T) {
	s := newShelf(t, plenty)
	var good, bad []string
	for _, one := range s.All() {
		if one.Fault == "" {
			good = append(good, one.Category+"/"+one.Name+"="+string(one.Source))
		} else {
			bad = append(bad, one.Name)
		}
	}
	if want := []string{"/bare=user", "/release=project", "/shared=extra", "/sly=project", "writing/blog=user"}; !slices.Equal(good, want) {
		t.Errorf("good: %q, want %q", good, want)
	}
	slices.Sort(bad)
	if want := []string{"LOUD", "broken", "elsewhere", "endless", "evil"}; !slices.Equal(bad, want) {
		t.Errorf("bad: %q, want %q", bad, want)
	}
	index := s.Index()
	for _, want := range []string{"- release: The project's way\n", "- writing/blog: Write a post\n", "- bare: Bare\n"} {
		if !strings.Contains(index, want) {
			t.Errorf("no %q in %s", want, index)
		}
	}
	if strings.Contains(index, "EVIL") || New(Options{}).Index() != "" {
		t.Error("the index holds what was left out, or speaks of no skills")
	}
}

func TestTheIndexStaysSmall(t *testing.T) {
	files := map[string]string{}
	for i := range 200 {
		name := "skill-" + string(rune('a'+i%26)) + string(rune('a'+i/26))
		files["user/"+name+"/SKILL.md"] = skillText(name, strings.Repeat("words ", 100), "x")
	}
	s := newShelf(t, files)
	if index := s.Index(); len(index) > indexChars+400 || !strings.Contains(index, "more: skills_list") || index != s.Index() {
		t.Fatalf("%d characters, or not the same twice", len(index))
	}
}

func TestASkillIsReadWithItsFiles(t *testing.T) {
	s := newShelf(t, plenty)
	if r := s.run("skill_view", map[string]any{"name": "writing/blog"}); !strings.Contains(r.Text, "Be brief.") || strings.Contains(r.Text, "version") {
		t.Errorf("%+v", r)
	}
	if r := s.run("skill_view", map[string]any{"name": "shared"}); !strings.Contains(r.Text, "scripts/deep/a/b.sh") {
		t.Errorf("%+v", r)
	}
	if r := s.run("skill_view", map[string]any{"name": "shared", "file_path": "scripts/deep/a/b.sh"}); r.Text != "echo" {
		t.Errorf("%+v", r)
	}
	for _, bad := range []map[string]any{{"name": "nobody"}, {"name": "sly"}, {"name": "evil"}, {"name": "shared", "file_path": "../../user/notes.txt"}, {"name": "shared", "file_path": "/etc/passwd"}, {"name": "shared", "file_path": "scripts"}} {
		if r := s.run("skill_view", bad); r.Status != engine.StatusFailed {
			t.Errorf("%v: %+v", bad, r)
		}
	}
	if r := s.run("skills_list", nil); !strings.Contains(r.Text, "blog (writing): Write a post") || r.Note != "5 skills" {
		t.Errorf("%+v", r)
	}
}

func TestALinkOfAProjectLeadsNowhere(t *testing.T) {
	s := newShelf(t, plenty)
	s.write("secret/SKILL.md", skillText("secret", "x", "the secret"))
	for link, to := range map[string]string{"project/linked": "../secret", "user/mine": "../secret", "project/release/references": "../../secret", "project/inner/SKILL.md": "../../secret/SKILL.md"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(s.dir, link)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(s.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	one, ok := s.Find("secret")
	if !ok || one.Source != User {
		t.Errorf("a link of the user's own is not followed: %+v", one)
	}
	if r := s.run("skill_view", map[string]any{"name": "release", "file_path": "references/SKILL.md"}); r.Status != engine.StatusFailed {
		t.Errorf("%+v", r)
	}
	if _, ok := s.Find("inner"); ok {
		t.Error("a project's SKILL.md that is a link was read")
	}
}

func TestASkillIsMadeChangedAndTakenAway(t *testing.T) {
	s := newShelf(t, nil)
	args := func(kv ...string) map[string]any {
		m := map[string]any{"name": "deploy"}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i]] = kv[i+1]
		}
		return m
	}
	for _, step := range []map[string]any{
		args("action", "create", "category", "ops", "content", skillText("deploy", "How to deploy", "Step one.")),
		args("action", "patch", "old_string", "Step one.", "new_string", "Step one, then two."),
		args("action", "write_file", "file_path", "scripts/run.sh", "content", "echo hi"),
		args("action", "patch", "file_path", "scripts/run.sh", "old_string", "hi", "new_string", "ho"),
		args("action", "write_file", "file_path", "references/x.md", "content", "x"),
		args("action", "remove_file", "file_path", "references/x.md"),
	} {
		if r := s.run("skill_manage", step); r.Status != engine.StatusDone || len(r.Changed) != 1 || r.Diff == "" {
			t.Fatalf("%v: %+v", step, r)
		}
	}
	if got := s.read("user/ops/deploy/SKILL.md"); !strings.Contains(got, "then two") {
		t.Error(got)
	}
	if got := s.read("user/ops/deploy/scripts/run.sh"); got != "echo ho" {
		t.Error(got)
	}
	if r := s.run("skill_view", map[string]any{"name": "deploy"}); !strings.Contains(r.Text, "scripts/run.sh") || strings.Contains(r.Text, "x.md") {
		t.Errorf("%+v", r)
	}
	if r := s.run("skill_manage", args("action", "delete")); r.Status != engine.StatusDone {
		t.Fatalf("%+v", r)
	}
	if _, ok := s.Find("deploy"); ok {
		t.Error("it is still there")
	}
	kept, err := filepath.Glob(filepath.Join(s.dir, "user/.trash/deploy-*"))
	if err != nil || len(kept) < 4 {
		t.Errorf("kept %q", kept)
	}
}

func TestWhatSkillManageRefuses(t *testing.T) {
	s := newShelf(t, plenty)
	good := skillText("release", "d", "b")
	before := s.read("user/release/SKILL.md")
	for why, args := range map[string]map[string]any{
		"not usable":              {"action": "create", "name": "My Skill", "content": good},
		"is there already":        {"action": "create", "name": "release", "content": good},
		"category":                {"action": "create", "name": "new", "category": "..", "content": skillText("new", "d", "b")},
		"hold name: new":          {"action": "create", "name": "new", "content": "just text"},
		"needs a description":     {"action": "create", "name": "new", "content": "---\nname: new\n---\nx"},
		"no text after":           {"action": "create", "name": "new", "content": skillText("new", "d", "")},
		"at most 100000":          {"action": "create", "name": "new", "content": skillText("new", "d", strings.Repeat("é", maxText))},
		"is evil":                 {"action": "create", "name": "new", "content": skillText("new", "d", "STRICT")},
		"does not stand":          {"action": "patch", "name": "release", "old_string": "nowhere", "new_string": "x"},
		"3 places":                {"action": "patch", "name": "release", "old_string": "re", "new_string": "x"},
		"old_string is empty":     {"action": "patch", "name": "release", "old_string": "", "new_string": "x"},
		"change nothing":          {"action": "edit", "name": "release", "content": before},
		"no skill nobody":         {"action": "delete", "name": "nobody"},
		"belongs to":              {"action": "delete", "name": "shared"},
		"below references/":       {"action": "write_file", "name": "release", "file_path": "x.md", "content": "x"},
		"\"scripts/../SKILL.md\"": {"action": "write_file", "name": "release", "file_path": "scripts/../SKILL.md", "content": "x"},
		"\"../scripts/x\"":        {"action": "write_file", "name": "release", "file_path": "../scripts/x", "content": "x"},
		"\"/scripts/x\"":          {"action": "write_file", "name": "release", "file_path": "/scripts/x", "content": "x"},
		"1024 KB":                 {"action": "write_file", "name": "release", "file_path": "assets/x", "content": strings.Repeat("x", maxFile+1)},
		"cannot be read":          {"action": "remove_file", "name": "release", "file_path": "assets/none"},
		"no action":               {"action": "explode", "name": "release"},
	} {
		if why == "3 places" {
			args["old_string"] = "ele"
		}
		if r := s.run("skill_manage", args); r.Status != engine.StatusFailed || !strings.Contains(r.Text, why) {
			t.Errorf("%s: %+v", why, r)
		}
	}
	if s.read("user/release/SKILL.md") != before {
		t.Error("a refused change changed something")
	}
}

// A link inside the skills folder is no way out of it, not for a write either.
func TestNoWriteFollowsALinkOutOfTheSkills(t *testing.T) {
	s := newShelf(t, plenty)
	out := filepath.Join(s.dir, "out")
	if err := os.MkdirAll(out, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(out, filepath.Join(s.dir, "user/release/scripts")); err != nil {
		t.Fatal(err)
	}
	s.run("skill_manage", map[string]any{"action": "write_file", "name": "release", "file_path": "scripts/x", "content": "x"})
	if exists(filepath.Join(out, "x")) {
		t.Fatal("it was written outside")
	}
}

func TestTheUserIsAskedAboutTheFileThatWouldChange(t *testing.T) {
	s := newShelf(t, plenty)
	call := engine.Call{Name: "skill_manage", Args: `{"action":"patch","name":"release","old_string":"Run make release.","new_string":"Run make ship."}`}
	for _, tool := range s.Tools() {
		if tool.Spec().Name == "skill_manage" {
			if got := tool.(engine.Toucher).Touches(call); !slices.Equal(got, []string{filepath.Join(s.dir, "user/release/SKILL.md")}) {
				t.Errorf("touches %q", got)
			}
		}
	}
	if diff := s.Preview(call); !strings.Contains(diff, "-Run make release.") || !strings.Contains(diff, "+Run make ship.") {
		t.Errorf("%s", diff)
	}
}

func TestASlashNameBecomesTheSkill(t *testing.T) {
	s := newShelf(t, plenty)
	text, ok := s.Expand("/release version 2")
	if !ok || !strings.Contains(text, "Ask the lead.") || !strings.HasSuffix(text, "What is asked: version 2") || !strings.HasPrefix(text, "/release\n") {
		t.Fatalf("%v %q", ok, text)
	}
	for _, no := range []string{"release", "/nobody", "/", "/etc/passwd", "/release/x", "hello /release", "/sly now", ""} {
		if text, ok := s.Expand(no); ok {
			t.Errorf("%q became %q", no, text)
		}
	}
}
