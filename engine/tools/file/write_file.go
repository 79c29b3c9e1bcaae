package file

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"talaria/engine"
	"talaria/engine/tools"
)

//go:embed write_file.md
var writeDoc string

type writeIn struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

func writeTool(w space) engine.Tool {
	spec := engine.Spec{Name: "write_file", Doc: writeDoc, Effect: engine.Writes, Toolset: "file"}
	return engine.NewTool(spec, w.write, func(in writeIn) []string { return w.touched(in.Path) })
}

func (w space) write(ctx context.Context, c engine.Call, in writeIn, _ engine.Output) (engine.Result, error) {
	unlock, err := w.lockFor(ctx, in.Path)
	if err != nil {
		return engine.Result{}, err
	}
	defer unlock()
	ch, err := w.planWrite(in)
	if errors.Is(err, errUnchanged) { // what was asked for is so: no failure
		r := engine.Succeeded(c, err.Error()+".")
		r.Note = errUnchanged.Error()
		w.Saw(ch.path, ch.info)
		return r, nil
	}
	if err != nil {
		return failedWrite(c, err), nil
	}
	r, err := w.apply(ctx, c, ch)
	if err != nil || r.Status != engine.StatusDone {
		return r, err
	}
	r.Text = fmt.Sprintf("Wrote %s: %s, %s (%s).", ch.name, lineCount(ch.new), sizeWord(int64(len(ch.new))), r.Note)
	if ch.info != nil && !utf8.Valid(ch.old) {
		r.Text += " It was not UTF-8 before; it is now."
	}
	return r, nil
}

// planWrite works out the change that in asks for: line ends and byte order mark of what is there stay when the new
// content has none of its own. Its errors are meant for the model, without a final full stop.
func (w space) planWrite(in writeIn) (change, error) {
	ch, err := w.loadChange(in.Path)
	if err != nil {
		return ch, err
	}
	ch.new = []byte(in.Content)
	if ch.info == nil {
		return ch, refuseMarker(in.Content, nil)
	}
	if order := wideOrder(ch.old); order != nil {
		return ch, fmt.Errorf("%s is %s, which write_file would lose; nothing was written. Remove or convert the file first, if that is wanted", ch.name, wideName(order))
	}
	if kind := binaryKind(ch.path, ch.old[:min(len(ch.old), sniffBytes)]); kind != "" {
		return ch, fmt.Errorf("%s is binary (%s, %s); nothing was written. Remove it first, if it is to become a text", ch.name, kind, sizeWord(ch.info.Size()))
	}
	if strings.ContainsRune(in.Content, utf8.RuneError) && !utf8.Valid(ch.old) {
		return ch, fmt.Errorf("%s is not UTF-8, and the content holds U+FFFD in place of bytes that cannot be shown. Nothing was written; change it with patch, which leaves those bytes alone", ch.name)
	}
	if err := refuseMarker(in.Content, ch.old); err != nil {
		return ch, err
	}
	if mostlyCRLF(ch.old) && !strings.Contains(in.Content, "\r\n") {
		ch.new = []byte(strings.ReplaceAll(in.Content, "\n", "\r\n"))
	}
	if bytes.HasPrefix(ch.old, utf8BOM) && !bytes.HasPrefix(ch.new, utf8BOM) {
		ch.new = append(bytes.Clone(utf8BOM), ch.new...)
	}
	if bytes.Equal(ch.old, ch.new) {
		return ch, fmt.Errorf("%w: %s has this content already", errUnchanged, ch.name)
	}
	return ch, nil
}

func mostlyCRLF(data []byte) bool {
	crlf := bytes.Count(data, []byte("\r\n"))
	return 2*crlf > bytes.Count(data, []byte("\n"))
}

// refuseMarker refuses content that holds a mark of ours for text that was left out: it would destroy that text.
func refuseMarker(content string, old []byte) error {
	if m := ownMarker.FindString(content); m != "" && !bytes.Contains(old, []byte(m)) {
		return fmt.Errorf("the content holds %q, which stands for text that was cut from a result. Nothing was written; read the missing part first", m)
	}
	return nil
}

func lineCount(data []byte) string {
	n := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	if n == 1 {
		return "1 line"
	}
	return tools.Grouped(n) + " lines"
}
