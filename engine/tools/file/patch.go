package file

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"talaria/engine"
	"talaria/engine/tools"
	"talaria/engine/tools/match"
)

//go:embed patch.md
var patchDoc string

type patchIn struct {
	Path       string `json:"path,omitempty"`
	Old        string `json:"old_string,omitempty"`
	New        string `json:"new_string,omitempty"`
	ReplaceAll bool   `json:"replace_all,omitempty"`
	Patch      string `json:"patch,omitempty"`
}

// maxDiffInText is how much of a tolerant edit's diff the model is shown.
const maxDiffInText = 4_000

func patchTool(w space) engine.Tool {
	spec := engine.Spec{Name: "patch", Doc: patchDoc, Effect: engine.Writes, Toolset: "file"}
	return engine.NewTool(spec, w.patch, func(in patchIn) []string {
		if in.Patch == "" {
			return w.touched(in.Path)
		}
		files, err := parsePatch(in)
		if err != nil {
			return nil // it will be refused
		}
		var paths []string
		for _, p := range touchedBy(files) {
			paths = append(paths, w.touched(p)...)
		}
		return paths
	})
}

func (w space) patch(ctx context.Context, c engine.Call, in patchIn, _ engine.Output) (engine.Result, error) {
	switch {
	case in.Patch != "":
		return w.patchSeveral(ctx, c, in)
	case in.Path == "":
		return engine.Badly(c, "path is missing. Give path, old_string and new_string, or a patch."), nil
	case in.Old == "":
		return engine.Badly(c, "old_string is empty. Say which text to replace; write_file makes new files."), nil
	}
	unlock, err := w.lockFor(ctx, in.Path)
	if err != nil {
		return engine.Result{}, err
	}
	defer unlock()
	ch, err := w.planPatch(in)
	if err != nil {
		return failedWrite(c, err), nil
	}
	r, err := w.apply(ctx, c, ch)
	if err != nil || r.Status != engine.StatusDone {
		return r, err
	}
	r.Text = fmt.Sprintf("Edited %s at line %d (%s).", ch.name, ch.line, r.Note)
	if ch.count > 1 {
		r.Text = fmt.Sprintf("Edited %s at %d places, the first at line %d (%s).", ch.name, ch.count, ch.line, r.Note)
	}
	if ch.how != "" {
		r.Text += fmt.Sprintf("\nold_string did not match exactly; it was found with %s. Check what changed:\n%s", ch.how, tools.CutLine(r.Diff, maxDiffInText))
	}
	return r, nil
}

// planPatch works out the change that in asks for. Its errors are meant for the model, without a final full stop.
func (w space) planPatch(in patchIn) (change, error) {
	ch, err := w.loadChange(in.Path)
	if err != nil {
		return ch, err
	}
	if ch.info == nil {
		return ch, w.missing(ch.path, ch.name)
	}
	if match.LF(in.Old) == match.LF(in.New) {
		return ch, fmt.Errorf("%w in %s: old_string and new_string are the same", errUnchanged, ch.name)
	}
	if err := editable(ch, in.New); err != nil {
		return ch, err
	}
	edits, how, err := match.Find(ch.old, in.Old, in.New, in.ReplaceAll)
	if err != nil {
		return ch, explainMatch(ch, in, err)
	}
	for _, e := range edits {
		if splitsCharacter(ch.old, e.Start, in.Old) {
			return ch, fmt.Errorf("%s is not UTF-8, and the match may begin inside one of its characters; nothing changed. Begin old_string earlier in the line", ch.name)
		}
	}
	ch.new, ch.how, ch.count = match.Splice(ch.old, edits), how, len(edits)
	ch.line = 1 + bytes.Count(ch.old[:edits[0].Start], []byte("\n"))
	if bytes.Equal(ch.old, ch.new) {
		return ch, fmt.Errorf("%w in %s: the text there is already as new_string has it", errUnchanged, ch.name)
	}
	return ch, nil
}

// editable refuses files and texts whose edit would damage them.
func editable(ch change, put string) error {
	if order := wideOrder(ch.old); order != nil {
		return fmt.Errorf("%s is %s; only files whose line ends and ASCII are single bytes can be edited. Nothing changed; convert it first (iconv), if that is wanted", ch.name, wideName(order))
	}
	if bytes.IndexByte(ch.old, 0) >= 0 {
		return fmt.Errorf("%s is binary (it has NUL bytes); nothing changed", ch.name)
	}
	if m := ownMarker.FindString(put); m != "" && !bytes.Contains(ch.old, []byte(m)) {
		return fmt.Errorf("the new text holds %q, which stands for text that was cut from a result. Nothing was written; put the real text there", m)
	}
	if utf8.Valid(ch.old) {
		return nil
	}
	if strings.ContainsRune(put, utf8.RuneError) {
		return fmt.Errorf("%s is not UTF-8, and the new text holds U+FFFD in place of bytes that cannot be shown. Nothing was written; edit around them", ch.name)
	}
	if eightBit(ch.old) && strings.ContainsFunc(put, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return fmt.Errorf("%s is in an old encoding, not UTF-8, and the new text has characters beyond ASCII, which would mix two encodings in it. Nothing was written; convert it first (iconv), if that is wanted", ch.name)
	}
	return nil
}

// splitsCharacter reports whether an edit at start may cut a character of an Asian encoding in two: its second byte can
// look like ASCII from '@' on.
func splitsCharacter(data []byte, start int, old string) bool {
	if start == 0 || start >= len(data) || old[0] < '@' || data[start-1] < utf8.RuneSelf {
		return false
	}
	r, n := utf8.DecodeLastRune(data[:start])
	return r == utf8.RuneError && n == 1
}

var escapedQuote = regexp.MustCompile(`\\["']`)

var gutter = regexp.MustCompile(`(?m)^\s*\d+\|`)

// explainMatch says why a place was not found, and what would help.
func explainMatch(ch change, in patchIn, err error) error {
	var many match.Many
	if errors.As(err, &many) {
		advice := "Add surrounding lines until it is unique, or set replace_all"
		if many.How != "" {
			advice = "It does not match exactly, so it must be unique (" + many.How + "). Copy it exactly from the file"
		}
		return fmt.Errorf("old_string matches %d places in %s (%s); nothing changed. %s", len(many.Lines), ch.name, lineWords(many.Lines), advice)
	}
	if err == match.ErrEscaped {
		return fmt.Errorf("the quotes of the new text are escaped (%s), and nothing in it calls for that: the backslashes would stand in %s; nothing changed. Send it without them", escapedQuote.FindString(in.New), ch.name)
	}
	text := fmt.Sprintf("old_string was not found in %s; nothing changed.", ch.name)
	if gutter.MatchString(in.Old) && !gutter.Match(ch.old) {
		text += " It seems to hold the N| line numbers of read_file: leave them out."
	}
	if strings.ContainsRune(in.Old, utf8.RuneError) {
		text += " It holds U+FFFD, which stands for bytes that are not UTF-8: leave them out."
	}
	if near := match.Nearest(strings.ToValidUTF8(match.LF(string(ch.old)), "\uFFFD"), match.LF(in.Old)); near != "" {
		text += " Nearest lines:\n" + near + "\nRead the place again and copy the text exactly"
	} else {
		text += " Nothing in it is like it; read the file again"
	}
	return errors.New(text)
}

func lineWords(lines []int) string {
	words := make([]string, 0, 11)
	for i, n := range lines {
		if i == 10 {
			words = append(words, "...")
			break
		}
		words = append(words, fmt.Sprint(n))
	}
	return "lines " + strings.Join(words, ", ")
}
