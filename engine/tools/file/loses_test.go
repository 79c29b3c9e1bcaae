package file

import (
	"strings"
	"testing"
)

func TestWhatAChangeWouldTakeAwayIsNamed(t *testing.T) {
	d := newDesk(t)
	big := strings.Repeat("a line of somebody else\n", 200)
	d.put("big.txt", big)
	d.put("small.txt", "a\n")
	for want, args := range map[string][2]any{
		"":                             {"write_file", map[string]any{"path": "small.txt", "content": "x"}},
		" ":                            {"write_file", map[string]any{"path": "new.txt", "content": "x"}},
		"it replaces all of big.txt":   {"write_file", map[string]any{"path": "big.txt", "content": "x"}},
		"it deletes small.txt":         {"patch", map[string]any{"patch": "*** Begin Patch\n*** Delete File: small.txt\n*** End Patch"}},
		"it deletes big.txt, other.go": {"patch", map[string]any{"patch": "*** Begin Patch\n*** Delete File: big.txt\n*** Add File: x\n+x\n*** Delete File: other.go\n*** End Patch"}},
		"  ":                           {"patch", map[string]any{"path": "big.txt", "old_string": "a", "new_string": "b"}},
	} {
		got := Loses(d.w, d.call(args[0].(string), args[1]))
		if want = strings.TrimSpace(want); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%v: %q, want %q", args, got, want)
		}
	}
	d.do("read_file", map[string]any{"path": "big.txt"})
	if got := Loses(d.w, d.call("write_file", map[string]any{"path": "big.txt", "content": "x"})); got != "" {
		t.Errorf("a file that was read: %q", got)
	}
}
