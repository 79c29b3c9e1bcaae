package prompt

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Soul reads the user's own words of who the agent is, which stand in place of the built-in ones; "" without such a file.
// The warnings tell of what was cut, left out or could not be read.
func Soul(path string) (string, []string) {
	text, err := readRule(path, filepath.Dir(path), "")
	if errors.Is(err, fs.ErrNotExist) || path == "" {
		return "", nil
	}
	if err != nil {
		return "", []string{fmt.Sprintf("%s was not read: %v", filepath.Base(path), err)}
	}
	rules, warnings := rule(filepath.Base(path), text)
	if len(rules) == 0 || threat(text) != "" {
		return "", warnings // the built-in words are better than a line that says what is missing
	}
	return rules[0].Text, warnings
}
