//go:build unix

package prompt

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAPipeInPlaceOfAFileDoesNotHang(t *testing.T) {
	_, sub := repo(t, nil)
	if err := syscall.Mkfifo(filepath.Join(sub, "AGENTS.md"), 0o600); err != nil {
		t.Skip(err)
	}
	rules, warnings := Rules(sub)
	if len(rules) != 0 || len(warnings) != 1 || !strings.Contains(warnings[0], "not a plain file") {
		t.Errorf("%v %v", rules, warnings)
	}
}
