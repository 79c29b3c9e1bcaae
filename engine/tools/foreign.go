package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"talaria/engine"
)

// foreignPart is how much is shown of a text from outside that is longer than a result may be, in characters.
const foreignPart = 8000

// Foreign returns a successful result with text that came from source outside, marked as data. More than ResultChars is
// kept whole in the spill folder and shown in part.
func (w *Workspace) Foreign(c engine.Call, source, text string) engine.Result {
	limit := ResultChars
	if utf8.RuneCountInString(text) > limit {
		limit = foreignPart
	}
	text, spill := w.Outside(c, source, text, limit)
	r := engine.Succeeded(c, text)
	r.Spill = spill
	return r
}

// Outside marks text that came from source outside as data. Of more than limit characters it shows the first four fifths
// and the end, and keeps the whole, marked as well, in the file spill.
func (w *Workspace) Outside(c engine.Call, source, text string, limit int) (marked, spill string) {
	text = strings.ToValidUTF8(text, "\uFFFD")
	size := utf8.RuneCountInString(text)
	if size <= limit {
		return engine.Untrusted(source, text), ""
	}
	where, path := w.whole(c, source, text)
	runes, head := []rune(text), limit*4/5
	shown := fmt.Sprintf("%s\n[... %s characters left out here ...]\n%s", string(runes[:head]), Grouped(size-limit), string(runes[size-(limit-head):]))
	return fmt.Sprintf("This is long: %s characters. %s\n%s", Grouped(size), where, engine.Untrusted(source, shown)), path
}

// Shortened is as Outside, for a text that another model has made short.
func (w *Workspace) Shortened(c engine.Call, source, text, brief string) (marked, spill string) {
	where, path := w.whole(c, source, text)
	return fmt.Sprintf("This is long: %s characters. What follows is a summary by another model. %s\n%s", Grouped(utf8.RuneCountInString(text)), where,
		engine.Untrusted("a summary of "+source, brief)), path
}

// whole keeps text in a file and says how to read it.
func (w *Workspace) whole(c engine.Call, source, text string) (where, path string) {
	path, err := w.Spill(c.ID, engine.Untrusted(source, text))
	if err != nil {
		return fmt.Sprintf("The rest could not be kept: %v.", err), ""
	}
	return fmt.Sprintf("All of it is in %s: read on with read_file(path=%q, offset=N, limit=N), or find a place with search_files on that path.", path, path), path
}
