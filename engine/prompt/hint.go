package prompt

import (
	"fmt"
	"path/filepath"
)

// maxHint is how many characters of a directory's instructions ride on a result.
const maxHint = 8000

// Hint reads the instruction file of a directory below root, which the caller knows to be trusted. Name is relative to root,
// "" where there is none; one that cannot be passed on says why in its text.
func Hint(dir, root string) (name, text string) {
	for _, kind := range ruleNames {
		if kind.up {
			continue
		}
		path := inDir(dir, kind.names)
		if path == "" {
			continue
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return "", ""
		}
		text, err := readRule(path, root, "")
		if err != nil {
			return name, fmt.Sprintf("[it was not read: %v]", err)
		}
		if rules, _ := cleaned(name, text, maxHint); len(rules) > 0 {
			return name, rules[0].Text
		}
		return "", ""
	}
	return "", ""
}
