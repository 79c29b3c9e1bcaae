package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"talaria/engine"
)

// What a result shows of a long text from outside, in characters.
const (
	foreignHead = 6000
	foreignTail = 2000
)

// Foreign returns a successful result with text that came from source outside, marked as data. A long one is kept whole
// in the spill folder, marked as well, and its head and tail are shown.
func (w *Workspace) Foreign(c engine.Call, source, text string) engine.Result {
	text = strings.ToValidUTF8(text, "\uFFFD")
	size := utf8.RuneCountInString(text)
	if size <= ResultChars {
		return engine.Succeeded(c, engine.Untrusted(source, text))
	}
	path, err := w.Spill(c.ID, engine.Untrusted(source, text))
	where := fmt.Sprintf("All of it is in %s: read on with read_file(path=%q, offset=N, limit=N), or find a place with search_files on that path.", path, path)
	if err != nil {
		where = fmt.Sprintf("The rest could not be kept: %v.", err)
	}
	runes := []rune(text)
	shown := fmt.Sprintf("%s\n[... %s characters left out here ...]\n%s", string(runes[:foreignHead]), Grouped(size-foreignHead-foreignTail), string(runes[len(runes)-foreignTail:]))
	r := engine.Succeeded(c, fmt.Sprintf("The answer is long: %s characters. %s\n%s", Grouped(size), where, engine.Untrusted(source, shown)))
	r.Spill = path
	return r
}
