package skill

import (
	"context"
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"talaria/engine"
)

//go:embed skills_list.md
var listDoc string

//go:embed skill_view.md
var viewDoc string

// Tools are the tools of the library.
func (l *Library) Tools() []engine.Tool {
	spec := func(name, doc string, e engine.Effect) engine.Spec {
		return engine.Spec{Name: name, Doc: doc, Effect: e, Toolset: "skills"}
	}
	return []engine.Tool{
		engine.NewTool(spec("skills_list", listDoc, engine.Reads), l.runList, nil),
		engine.NewTool(spec("skill_view", viewDoc, engine.Reads), l.runView, nil),
		engine.NewTool(spec("skill_manage", manageDoc, engine.Writes), l.runManage, l.touches),
	}
}

type listIn struct {
	Category string `json:"category,omitempty"`
}

func (l *Library) runList(_ context.Context, c engine.Call, in listIn, _ engine.Output) (engine.Result, error) {
	var b strings.Builder
	n := 0
	for _, s := range l.All() {
		if s.Fault != "" || in.Category != "" && s.Category != in.Category {
			continue
		}
		n++
		fmt.Fprintf(&b, "%s", s.Name)
		if s.Category != "" {
			fmt.Fprintf(&b, " (%s)", plain(s.Category))
		}
		fmt.Fprintf(&b, ": %s\n", s.Description)
	}
	if n == 0 {
		b.WriteString("There are no skills. skill_manage(action=\"create\") makes one.")
	}
	r := engine.Succeeded(c, b.String())
	r.Note = fmt.Sprintf("%d skills", n)
	return r, nil
}

type viewIn struct {
	Name     string `json:"name"`
	FilePath string `json:"file_path,omitempty"`
}

func (l *Library) runView(_ context.Context, c engine.Call, in viewIn, _ engine.Output) (engine.Result, error) {
	s, ok := l.Find(bare(in.Name))
	if !ok {
		return engine.Failed(c, "there is no skill %q. skills_list names them.", short(in.Name, maxName)), nil
	}
	if in.FilePath == "" {
		text, err := l.View(s)
		if err != nil {
			return engine.Failed(c, "the skill %s cannot be read: %v", s.Name, err), nil
		}
		return engine.Succeeded(c, text), nil
	}
	text, err := readIn(s.Dir, in.FilePath, maxFile)
	if err != nil {
		return engine.Failed(c, "%s of the skill %s cannot be read: %v. Its files: %s", short(in.FilePath, 200), s.Name, err, strings.Join(files(s.Dir), ", ")), nil
	}
	if strings.ContainsRune(text, 0) {
		return engine.Failed(c, "%s is no text", short(in.FilePath, 200)), nil
	}
	return engine.Succeeded(c, text), nil
}

// bare takes the category off a name as the index writes it.
func bare(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// View is the text of a skill with the list of its further files. A text of a project or of a folder of others is
// looked at first: who trusts a directory has not read every file in it.
func (l *Library) View(s Skill) (string, error) {
	text, err := readIn(s.Dir, entryName, 4*maxText)
	if err != nil {
		return "", err
	}
	if s.Source != User {
		if why := l.o.Threat(text, false); why != "" {
			return "", fmt.Errorf("it was left out, since it %s", why)
		}
	}
	_, body, err := split(text)
	if err != nil {
		return "", err
	}
	if r := []rune(body); len(r) > maxText {
		body = string(r[:maxText]) + "\n[cut here]"
	}
	out := fmt.Sprintf("# Skill %s\nFolder: %s\n\n%s", s.Name, s.Dir, strings.TrimSpace(body))
	if list := files(s.Dir); len(list) > 0 {
		out += "\n\nFurther files, read with skill_view(name, file_path): " + strings.Join(list, ", ")
	}
	return out, nil
}

// maxListed is how many further files of a skill are named.
const maxListed = 100

// files are the paths of a skill's further files below its folder.
func files(dir string) []string {
	var all []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { // what cannot be read is not listed
		if err != nil || len(all) >= maxListed {
			return filepath.SkipDir
		}
		rel, relErr := filepath.Rel(dir, path)
		switch {
		case relErr != nil, rel == ".":
		case strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return filepath.SkipDir
			}
		case d.Type().IsRegular() && rel != entryName:
			all = append(all, filepath.ToSlash(rel))
		}
		return nil
	})
	slices.Sort(all)
	return all
}

// exists reports whether something is at path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
