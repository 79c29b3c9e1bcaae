package prompt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Limits of one instruction file. Characters are runes; what is over maxRule is cut in the middle.
const (
	maxRule = 20000
	maxRead = 4 << 20 // bytes; no instruction file is larger
)

// Rule is an instruction file of the project as it goes into the prompt.
type Rule struct {
	Path string // as it is named to the model: relative to the directory, or absolute above it
	Text string
}

func (r Rule) section() string {
	return fmt.Sprintf("# Project instructions from %s\nThe project's own rules; the user's words outweigh them.\n\n%s", oneLine(r.Path), r.Text)
}

// ruleNames are the instruction files, best first, in small letters: only the first kind that is there is read. Up says
// that the directories up to the git root are looked at as well.
var ruleNames = []struct {
	names []string
	up    bool
}{
	{[]string{".hermes.md", "hermes.md"}, true},
	{[]string{"agents.md"}, false},
	{[]string{"claude.md"}, false},
	{[]string{".cursorrules"}, false},
}

// Rules reads the instruction file of dir, which the caller knows to be trusted. The warnings tell of what was cut,
// blocked or could not be read; nothing of that is an error, since the session goes on without it.
func Rules(dir string) ([]Rule, []string) {
	root, _ := Git(dir)
	for _, kind := range ruleNames {
		path := findRule(dir, root, kind.names, kind.up)
		if path == "" {
			continue
		}
		name := path
		if rel, err := filepath.Rel(dir, path); err == nil && !strings.HasPrefix(rel, "..") {
			name = rel
		}
		text, err := readRule(path, dir, root)
		if err != nil {
			return nil, []string{fmt.Sprintf("%s was not read: %v", name, err)}
		}
		rules, warnings := rule(name, text)
		if kind.names[0] == ".cursorrules" {
			more, also := cursorRules(dir, root)
			rules, warnings = append(rules, more...), append(warnings, also...)
		}
		return rules, warnings
	}
	return cursorRules(dir, root)
}

// cursorRules reads the files of .cursor/rules, which go with .cursorrules; all together they have room for one file.
func cursorRules(dir, root string) (rules []Rule, warnings []string) {
	paths, _ := filepath.Glob(filepath.Join(dir, ".cursor", "rules", "*.mdc")) // the pattern is right
	left := maxRule
	for _, path := range paths {
		name := filepath.Join(".cursor", "rules", filepath.Base(path))
		text, err := readRule(path, dir, root)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("%s was not read: %v", name, err))
			continue
		}
		found, warned := rule(name, text)
		warnings = append(warnings, warned...)
		for _, r := range found {
			if left -= utf8.RuneCountInString(r.Text); left < 0 {
				return rules, append(warnings, fmt.Sprintf("%s and what follows it in .cursor/rules was left out: together they are longer than %d characters", name, maxRule))
			}
			rules = append(rules, r)
		}
	}
	return rules, warnings
}

// rule makes a Rule of a file's text, cleaned, checked and cut.
func rule(name, text string) ([]Rule, []string) { return cleaned(name, text, maxRule) }

// cleaned is rule with room for most characters.
func cleaned(name, text string, most int) ([]Rule, []string) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if lower := strings.ToLower(name); strings.HasSuffix(lower, "hermes.md") || strings.HasSuffix(lower, ".mdc") {
		text = strings.TrimSpace(frontMatter.ReplaceAllString(text, ""))
	}
	if text == "" {
		return nil, nil
	}
	if why := threat(text); why != "" {
		blocked := fmt.Sprintf("[BLOCKED: %s was left out, since it %s]", oneLine(name), why)
		return []Rule{{name, blocked}}, []string{fmt.Sprintf("%s was left out: it %s. Look at it, or start with --ignore-rules.", name, why)}
	}
	cut, lost := shorten(text, most)
	if lost == 0 {
		return []Rule{{name, text}}, nil
	}
	return []Rule{{name, cut}}, []string{fmt.Sprintf("%s is longer than %d characters: %d in its middle were left out", name, most, lost)}
}

var frontMatter = regexp.MustCompile(`(?s)\A---[ \t]*\r?\n.*?\r?\n---[ \t]*(\r?\n|\z)`)

// shorten keeps the head and the tail of a text that is too long, and says what is missing between them.
func shorten(text string, most int) (string, int) {
	r := []rune(text)
	if len(r) <= most {
		return text, 0
	}
	headPart, tailPart := most*70/100, most*20/100
	lost := len(r) - headPart - tailPart
	return fmt.Sprintf("%s\n\n[... %d of %d characters left out here ...]\n\n%s", string(r[:headPart]), lost, len(r), string(r[len(r)-tailPart:])), lost
}

// findRule returns the path of the first of names that stands in dir, or above it up to the git root; "" when none does.
func findRule(dir, root string, names []string, up bool) string {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if path := inDir(at, names); path != "" {
			return path
		}
		if !up || root == "" || at == root || at == filepath.Dir(at) {
			return ""
		}
	}
}

// inDir looks for names without minding letter case, the earlier name first.
func inDir(dir string, names []string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, name := range names {
		for _, e := range entries {
			if strings.ToLower(e.Name()) == name && !e.IsDir() {
				return filepath.Join(dir, e.Name())
			}
		}
	}
	return ""
}

// readRule reads path, which must be a plain file inside the project once links are followed: a link to a secret
// elsewhere would send that to the provider, and a pipe would never end.
func readRule(path, dir, root string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	home := dir
	if root != "" {
		home = root
	}
	if home, err = filepath.EvalSymlinks(home); err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(home, real); err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("it is a link to %s, outside the project", real)
	}
	if info, err := os.Stat(real); err != nil {
		return "", err
	} else if !info.Mode().IsRegular() {
		return "", errors.New("it is not a plain file")
	}
	f, err := os.Open(real)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxRead+1))
	if err == nil && len(data) > maxRead {
		err = fmt.Errorf("it is larger than %d MB", maxRead>>20)
	}
	return string(data), err
}

// Found lists what dir has that is only read when the directory is trusted: instruction files, and .talaria with a
// configuration, skills or commands. Nothing is opened. The paths are relative to dir where they are below it.
func Found(dir string) []string {
	root, _ := Git(dir)
	var found []string
	for _, kind := range ruleNames {
		if path := findRule(dir, root, kind.names, kind.up); path != "" {
			if rel, err := filepath.Rel(dir, path); err == nil {
				path = rel
			}
			found = append(found, path)
		}
	}
	if rules, _ := filepath.Glob(filepath.Join(dir, ".cursor", "rules", "*.mdc")); len(rules) > 0 {
		found = append(found, filepath.Join(".cursor", "rules"))
	}
	for _, name := range []string{"config.yaml", "skills", "commands"} {
		if _, err := os.Lstat(filepath.Join(dir, ".talaria", name)); err == nil {
			found = append(found, filepath.Join(".talaria", name))
		}
	}
	return found
}
