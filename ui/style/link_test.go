package style

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

var osc8 = regexp.MustCompile("\x1b]8;[^;]*;([^\a\x1b]*)(?:\a|\x1b\\\\)")

// targets are where the links of a row lead, and the text of each.
func targets(t *testing.T, row string) (out []string) {
	t.Helper()
	ends := osc8.FindAllStringSubmatchIndex(row, -1)
	if len(ends)%2 != 0 {
		t.Fatalf("a link is not closed: %q", row)
	}
	for i := 0; i < len(ends); i += 2 {
		if closed := row[ends[i+1][2]:ends[i+1][3]]; closed != "" {
			t.Errorf("a link is not closed: %q", row)
		}
		out = append(out, row[ends[i][2]:ends[i][3]]+" "+ansi.Strip(row[ends[i][1]:ends[i+1][0]]))
	}
	return out
}

func TestAddressesAreLinksAndNothingElseChanges(t *testing.T) {
	for _, c := range []struct{ rows, want string }{
		{"no address", ""},
		{"see https://a.test/x.", "https://a.test/x https://a.test/x"},
		{"\x1b[1msee\x1b[0m \x1b[4;34mhttps://a.test/x?q=1&r=2\x1b[0m) and http://b.test", "https://a.test/x?q=1&r=2 https://a.test/x?q=1&r=2|http://b.test http://b.test"},
		{"한글 https://a.test/ 中文 https://b.test/y 語", "https://a.test/ https://a.test/|https://b.test/y https://b.test/y"},
		{"  https://a.test/01234567890123456789012\n  3456789/and/so/on is where", "https://a.test/012345678901234567890123456789/and/so/on https://a.test/01234567890123456789012" +
			"|https://a.test/012345678901234567890123456789/and/so/on 3456789/and/so/on"},
		{"ends here https://a.test/\nand the next row", "https://a.test/ https://a.test/"},
		{"javascript:alert(1) file:///etc/passwd", ""},
	} {
		before := strings.Split(c.rows, "\n")
		rows := Linked(strings.Split(c.rows, "\n"), 40, nil)
		var got []string
		for i, r := range rows {
			got = append(got, targets(t, r)...)
			if ansi.Strip(r) != ansi.Strip(before[i]) || Width(r) != Width(before[i]) {
				t.Errorf("%q became %q", before[i], r)
			}
			if without := osc8.ReplaceAllString(r, ""); ansi.Strip(without) != ansi.Strip(before[i]) {
				t.Errorf("%q lost something: %q", before[i], without)
			}
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q:\n%q, want\n%q", c.rows, strings.Join(got, "|"), c.want)
		}
	}
}

// TestWordsThatNameAFileAreLinksToIt: also with the line that follows, shortened, with blanks in an action, next to an address.
func TestWordsThatNameAFileAreLinksToIt(t *testing.T) {
	known := map[string]string{"src/cart.ts": "file:///w/src/cart.ts", "cart.ts": "file:///w/src/cart.ts", "src/…rt.ts": "file:///w/src/cart.ts", "my notes.md": "file:///w/my%20notes.md"}
	for _, c := range []struct{ row, want string }{
		{"\x1b[32m✓\x1b[0m Edit src/cart.ts  +3 −1", "file:///w/src/cart.ts src/cart.ts"},
		{"  @@ cart.ts  1–4 @@", "file:///w/src/cart.ts cart.ts"},
		{"✓ Read my notes.md  12 lines", "file:///w/my%20notes.md my notes.md"},
		{"✓ Read src/…rt.ts", "file:///w/src/cart.ts src/…rt.ts"},
		{"It is in `src/cart.ts:41-47`, and (src/cart.ts).", "file:///w/src/cart.ts src/cart.ts|file:///w/src/cart.ts src/cart.ts"},
		{"see https://a.test/src/cart.ts and src/cart.ts", "https://a.test/src/cart.ts https://a.test/src/cart.ts|file:///w/src/cart.ts src/cart.ts"},
		{"src/cart.tsx other/src/cart.ts", ""},
	} {
		row := Linked([]string{c.row}, 80, func(word string) string { return known[word] })[0]
		if got := strings.Join(targets(t, row), "|"); got != c.want {
			t.Errorf("%q: %q, want %q", c.row, got, c.want)
		}
		if osc8.ReplaceAllString(row, "") != c.row || Width(row) != Width(c.row) {
			t.Errorf("%q became %q", c.row, row)
		}
	}
}

func TestLinksOnlyWhereTheyAreKnown(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{"TERM": "xterm-256color"}, false}, {map[string]string{"TERM": "xterm-kitty"}, true}, {map[string]string{"TERM": "dumb", "KITTY_WINDOW_ID": "1"}, false},
		{map[string]string{"TERM": "xterm-256color", "VTE_VERSION": "7200"}, true}, {map[string]string{"TERM": "xterm", "VTE_VERSION": "4200"}, false},
		{map[string]string{"TERM": "screen-256color", "TERM_PROGRAM": "iTerm.app"}, false}, {map[string]string{"TERM": "xterm-256color", "TERM_PROGRAM": "vscode"}, true},
		{map[string]string{"TERM": "xterm-kitty", "TMUX": "x"}, false}, {map[string]string{"TERM": "xterm-256color", "WT_SESSION": "x"}, true},
	} {
		if got := Links(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %v", c.env, got)
		}
	}
}

func FuzzLinked(f *testing.F) {
	f.Add("https://a.test/x 한 https://\x1b[1mb.test/\x1b[0m", 10)
	f.Fuzz(func(t *testing.T, s string, width int) {
		width = 1 + max(0, width)%60
		s = Safe(s)
		before := Wrap(s, width)
		rows := Linked(Wrap(s, width), width, func(word string) string {
			if strings.Contains(word, "e") {
				return "file:///" + url.PathEscape(word)
			}
			return ""
		})
		for i := range rows {
			targets(t, rows[i])
			if ansi.Strip(rows[i]) != ansi.Strip(before[i]) {
				t.Errorf("%q became %q", before[i], rows[i])
			}
		}
	})
}

// What a frame of 60 rows pays for the links to files.
func BenchmarkLinkedRows(b *testing.B) {
	rows := make([]string, 60)
	for i := range rows {
		rows[i] = "\x1b[38;2;228;230;235mThe quick brown fox: it jumps over src/cart.ts and the lazy dog, see lib/none.go. \x1b[m"
	}
	for b.Loop() {
		Linked(slices.Clone(rows), 100, func(word string) string { return map[string]string{"src/cart.ts": "file:///w/src/cart.ts"}[word] })
	}
}
