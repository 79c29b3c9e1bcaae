package skill

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"talaria/engine"
)

//go:embed skill_manage.md
var manageDoc string

type manageIn struct {
	Action    string `json:"action" enum:"create,edit,patch,delete,write_file,remove_file"`
	Name      string `json:"name"`
	Content   string `json:"content,omitempty"`
	Category  string `json:"category,omitempty"`
	FilePath  string `json:"file_path,omitempty"`
	OldString string `json:"old_string,omitempty"`
	NewString string `json:"new_string,omitempty"`
}

// change is what a call would do to one file: write text, or take it away. whole is a skill that is taken away.
type change struct {
	dir    string // of the skill
	file   string // below dir
	before string // "" for a new one
	after  string
	gone   bool
	whole  bool
}

func (c change) path() string {
	if c.whole {
		return c.dir
	}
	return filepath.Join(c.dir, filepath.FromSlash(c.file))
}

// folders are where further files of a skill may be.
var folders = []string{"references", "templates", "scripts", "assets"}

// plan works out what a call would do, and does nothing. The error says what is wrong in words for the model.
func (l *Library) plan(in manageIn) (change, error) {
	name := bare(in.Name)
	switch {
	case l.o.User == "":
		return change{}, errors.New("there is no folder for skills")
	case !goodName.MatchString(name):
		return change{}, fmt.Errorf("the name %q is not usable: small letters, digits, - _ . and at most %d characters", short(in.Name, 80), maxName)
	case in.Category != "" && !goodName.MatchString(in.Category):
		return change{}, fmt.Errorf("the category %q is not usable: small letters, digits, dots, dashes and underscores", short(in.Category, 80))
	}
	s, there := l.own(name)
	if in.Action == "create" {
		if there {
			return change{}, fmt.Errorf("the skill %s is there already: use edit or patch", name)
		}
		dir := filepath.Join(l.o.User, in.Category, name)
		if exists(dir) {
			return change{}, fmt.Errorf("the folder %s is there already", dir)
		}
		return l.text(change{dir: dir, file: entryName, after: in.Content}, name)
	}
	if !there {
		if other, ok := l.Find(name); ok {
			return change{}, fmt.Errorf("the skill %s belongs to %s and is not changed by this tool", name, other.Dir)
		}
		return change{}, fmt.Errorf("there is no skill %s of the user's own", name)
	}
	return l.planIn(s, in)
}

// planIn is plan for a skill that is there.
func (l *Library) planIn(s Skill, in manageIn) (change, error) {
	c := change{dir: s.Dir, file: entryName}
	switch in.Action {
	case "delete":
		c.whole, c.gone = true, true
		return c, nil
	case "write_file", "remove_file":
		file, err := further(in.FilePath)
		if err != nil {
			return c, err
		}
		c.file = file
	case "patch":
		if in.FilePath != "" && in.FilePath != entryName {
			file, err := further(in.FilePath)
			if err != nil {
				return c, err
			}
			c.file = file
		}
	case "edit":
	default:
		return c, fmt.Errorf("there is no action %q", short(in.Action, 40))
	}
	before, err := readIn(s.Dir, c.file, 4*maxFile)
	if err != nil && !(errors.Is(err, fs.ErrNotExist) && in.Action == "write_file") {
		return c, fmt.Errorf("%s cannot be read: %w", c.file, err)
	}
	c.before = before
	switch in.Action {
	case "remove_file":
		c.gone = true
		return c, nil
	case "patch":
		switch n := strings.Count(before, in.OldString); {
		case in.OldString == "":
			return c, errors.New("old_string is empty")
		case n == 0:
			return c, errors.New("old_string does not stand in the file. Read it with skill_view and copy the text exactly")
		case n > 1:
			return c, fmt.Errorf("old_string stands at %d places: give more of the text around it", n)
		}
		c.after = strings.Replace(before, in.OldString, in.NewString, 1)
	default:
		c.after = in.Content
	}
	return l.text(c, s.Name)
}

// text checks what is to be kept.
func (l *Library) text(c change, name string) (change, error) {
	if c.after == c.before {
		return c, errors.New("this would change nothing")
	}
	if why := l.o.Threat(c.after, true); why != "" {
		return c, fmt.Errorf("this text is not kept, since it %s", why)
	}
	if c.file != entryName {
		if len(c.after) > maxFile {
			return c, fmt.Errorf("the file is larger than %d KB", maxFile>>10)
		}
		return c, nil
	}
	h, body, err := split(c.after)
	switch {
	case err != nil:
		return c, fmt.Errorf("this is no SKILL.md: %w", err)
	case utf8.RuneCountInString(c.after) > maxText:
		return c, fmt.Errorf("a SKILL.md has at most %d characters; put details into references/", maxText)
	case h.Name != name:
		return c, fmt.Errorf("the front matter must begin the file and hold name: %s (three dashes, name, description, three dashes)", name)
	case strings.TrimSpace(h.Description) == "" || utf8.RuneCountInString(h.Description) > maxDescription:
		return c, fmt.Errorf("the front matter needs a description of at most %d characters that says when the skill is for", maxDescription)
	case strings.TrimSpace(body) == "":
		return c, errors.New("there is no text after the front matter")
	}
	return c, nil
}

// own is a skill of the user's own folder, also one with a fault.
func (l *Library) own(name string) (Skill, bool) {
	for _, s := range l.in(root{l.o.User, User}) {
		if s.Name == name {
			return s, true
		}
	}
	return Skill{}, false
}

// further checks the path of a further file of a skill.
func further(p string) (string, error) {
	clean := path.Clean(filepath.ToSlash(p))
	top, rest, ok := strings.Cut(clean, "/")
	for _, f := range folders {
		if ok && top == f && rest != "" && clean == strings.TrimSuffix(p, "/") && filepath.IsLocal(filepath.FromSlash(clean)) {
			return clean, nil
		}
	}
	return "", fmt.Errorf("the path %q is not usable: a file below %s/", short(p, 200), strings.Join(folders, "/, "))
}

// touches names the file that a call would change, so that the user is asked about it.
func (l *Library) touches(in manageIn) []string {
	c, err := l.plan(in)
	if err != nil {
		return nil
	}
	return []string{c.path()}
}

// Preview is the diff of what a call to skill_manage would do; "" for other calls and for those that would fail.
func (l *Library) Preview(call engine.Call) string {
	var in manageIn
	if call.Name != "skill_manage" || json.Unmarshal([]byte(call.Args), &in) != nil {
		return ""
	}
	c, err := l.plan(in)
	if err != nil || c.whole {
		return ""
	}
	return c.diff()
}

func (c change) diff() string { return udiff.Unified(c.path(), c.path(), c.before, c.after) }

func (l *Library) runManage(_ context.Context, call engine.Call, in manageIn, _ engine.Output) (engine.Result, error) {
	c, err := l.plan(in)
	if err != nil {
		return engine.Failed(call, "nothing was changed: %v", err), nil
	}
	if err := l.carryOut(c); err != nil {
		return engine.Failed(call, "the skill could not be changed: %v", err), nil
	}
	name := bare(in.Name)
	r := engine.Succeeded(call, fmt.Sprintf("Done: %s of the skill %s (%s). It is in the index from the next session on; skill_view shows it now.", in.Action, name, c.path()))
	r.Changed = []string{c.path()}
	if !c.whole {
		r.Diff = c.diff()
	}
	return r, nil
}

// carryOut makes the change. What was there is moved or copied to .trash first.
func (l *Library) carryOut(c change) error {
	if err := os.MkdirAll(l.o.User, 0o700); err != nil {
		return err
	}
	r, err := os.OpenRoot(l.o.User) // nothing below leads out of it, whatever is a link there
	if err != nil {
		return err
	}
	defer r.Close()
	dir, err := filepath.Rel(l.o.User, c.dir)
	if err != nil {
		return err
	}
	kept := filepath.Join(".trash", filepath.Base(dir)+"-"+time.Now().Format("20060102-150405.000000"))
	if c.whole {
		if err := r.MkdirAll(".trash", 0o700); err != nil {
			return err
		}
		return r.Rename(dir, kept)
	}
	target := filepath.Join(dir, filepath.FromSlash(c.file))
	if c.before != "" || c.gone {
		old := filepath.Join(kept, filepath.FromSlash(c.file))
		if err := r.MkdirAll(filepath.Dir(old), 0o700); err != nil {
			return err
		}
		if c.gone {
			return r.Rename(target, old)
		}
		if err := r.WriteFile(old, []byte(c.before), 0o600); err != nil {
			return err
		}
	}
	if err := r.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	return replace(r, target, c.after)
}

// replace writes a file whole or not at all.
func replace(r *os.Root, target, text string) error {
	beside := target + ".new-" + engine.NewID("")
	err := r.WriteFile(beside, []byte(text), 0o600)
	if err == nil {
		err = r.Rename(beside, target)
	}
	if err != nil {
		_ = r.Remove(beside) // the first error is the one to tell
	}
	return err
}
