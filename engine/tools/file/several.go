package file

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/tools"
	"talaria/engine/tools/envelope"
	"talaria/engine/tools/match"
)

// patchSeveral makes all changes of a patch, or none.
func (w space) patchSeveral(ctx context.Context, c engine.Call, in patchIn) (engine.Result, error) {
	files, err := parsePatch(in)
	if err != nil {
		return engine.Badly(c, "%v. Nothing was changed.", err), nil
	}
	unlock, err := w.lockAll(ctx, touchedBy(files))
	if err != nil {
		return engine.Result{}, err
	}
	defer unlock()
	changes, err := w.planSeveral(files)
	if err != nil {
		return failedWrite(c, err), nil
	}
	return w.applyAll(ctx, c, changes)
}

// parsePatch reads the patch of a call.
func parsePatch(in patchIn) ([]envelope.File, error) {
	if in.Old != "" || in.New != "" {
		return nil, errors.New("give either patch, or path, old_string and new_string")
	}
	files, err := envelope.Parse(in.Patch)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, path := range touchedBy(files) {
		if slices.Contains(strings.Split(strings.ReplaceAll(path, `\`, "/"), "/"), "..") {
			return nil, fmt.Errorf("the path %s leads upwards; name the file itself", path)
		}
		if seen[path] {
			return nil, fmt.Errorf("%s stands in the patch twice; put all its hunks under one header", path)
		}
		seen[path] = true
	}
	return files, nil
}

func touchedBy(files []envelope.File) []string {
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
		if f.To != "" {
			paths = append(paths, f.To)
		}
	}
	return paths
}

// lockAll takes the locks of all paths, always in the same order, so that two patches never wait for one another.
func (w space) lockAll(ctx context.Context, paths []string) (unlock func(), err error) {
	var real []string
	for _, p := range paths {
		if abs, err := w.Abs(p); err == nil { // what is wrong with a path is told by the plan
			real = append(real, tools.Real(abs))
		}
	}
	slices.Sort(real)
	var held []func()
	unlock = func() {
		for _, u := range held {
			u()
		}
	}
	for _, p := range slices.Compact(real) {
		u, err := w.Lock(ctx, p)
		if err != nil {
			unlock()
			return nil, err
		}
		held = append(held, u)
	}
	return unlock, nil
}

// planSeveral works out all changes without making any. Its errors are meant for the model.
func (w space) planSeveral(files []envelope.File) ([]change, error) {
	var all []change
	for _, f := range files {
		ch, err := w.loadChange(f.Path)
		if err != nil {
			return nil, fmt.Errorf("%w; no file was changed", err)
		}
		switch {
		case f.Kind == envelope.Add && ch.info != nil:
			return nil, fmt.Errorf("%s is there already; use \"*** Update File\". No file was changed", ch.name)
		case f.Kind == envelope.Add:
			ch.new = []byte(f.Content)
			err = refuseMarker(f.Content, nil)
		case ch.info == nil:
			return nil, fmt.Errorf("%w. No file was changed", w.missing(ch.path, ch.name))
		case f.Kind == envelope.Delete:
			ch.gone = true
		default:
			ch, err = withHunks(ch, f.Hunks)
		}
		if err != nil {
			return nil, err
		}
		if f.To == "" {
			if f.Kind == envelope.Update && bytes.Equal(ch.old, ch.new) {
				return nil, fmt.Errorf("%w in %s: its hunks leave it as it is", errUnchanged, ch.name)
			}
			all = append(all, ch)
			continue
		}
		to, err := w.loadChange(f.To)
		if err == nil && to.info != nil {
			err = fmt.Errorf("%s is there already, so %s cannot be moved to it", to.name, ch.name)
		}
		if err != nil {
			return nil, fmt.Errorf("%w; no file was changed", err)
		}
		to.new, to.mode, ch.gone = ch.new, ch.info.Mode(), true
		all = append(all, to, ch)
	}
	return all, nil
}

// withHunks finds the place of every hunk, in order, and returns the change that they make together.
func withHunks(ch change, hunks []envelope.Hunk) (change, error) {
	ch.new = ch.old
	if len(hunks) == 0 {
		return ch, nil
	}
	var edits []match.Edit
	from := 0
	for _, h := range hunks {
		if err := editable(ch, h.New); err != nil {
			return ch, err
		}
		e, how, err := place(ch.old, h, from)
		if err != nil {
			return ch, explainHunk(ch, h, from, err)
		}
		if how != "" {
			ch.how = how
		}
		edits = append(edits, e)
		from = e.End
		if i := bytes.IndexByte(ch.old[from:], '\n'); from > 0 && ch.old[from-1] != '\n' && i >= 0 {
			from += i + 1 // the line was changed: the next hunk begins after it
		}
	}
	ch.new, ch.count = match.Splice(ch.old, edits), len(edits)
	ch.line = 1 + bytes.Count(ch.old[:edits[0].Start], []byte("\n"))
	return ch, nil
}

// place finds where h belongs in data, from a byte on. A text that stands at several places is looked for in what the
// anchors lead to, and must be there once.
func place(data []byte, h envelope.Hunk, from int) (match.Edit, string, error) {
	if h.Old == "" {
		return insertion(data, h, from)
	}
	e, how, err := once(data[from:], h)
	at := from
	var many match.Many
	if errors.As(err, &many) && len(h.Anchors) > 0 {
		start, end, aerr := match.Block(data, h.Anchors, from)
		if aerr != nil {
			return e, "", aerr
		}
		at = start
		e, how, err = once(data[start:end], h)
	}
	if err != nil {
		return e, "", err
	}
	e.Start, e.End = e.Start+at, e.End+at
	return e, how, nil
}

func once(data []byte, h envelope.Hunk) (match.Edit, string, error) {
	edits, how, err := match.Find(data, h.Old, h.New, false)
	if err == match.ErrNone && !bytes.HasSuffix(data, []byte("\n")) { // the last line has no end in the file
		edits, how, err = match.Find(data, strings.TrimSuffix(h.Old, "\n"), strings.TrimSuffix(h.New, "\n"), false)
	}
	if err != nil {
		return match.Edit{}, "", err
	}
	return edits[0], how, nil
}

var errNowhere = errors.New("the hunk has no line of the file in it: put some lines around the place, or an @@ line")

// insertion is the place of a hunk that only adds: after its anchor, or at the end where it says so.
func insertion(data []byte, h envelope.Hunk, from int) (match.Edit, string, error) {
	at := len(data)
	switch {
	case len(h.Anchors) > 0:
		start, _, err := match.Block(data, h.Anchors, from)
		if err != nil {
			return match.Edit{}, "", err
		}
		at = start
	case !h.AtEnd && len(data) > 0:
		return match.Edit{}, "", errNowhere
	}
	put := []byte(h.New)
	if mostlyCRLF(data) {
		put = bytes.ReplaceAll(put, []byte("\n"), []byte("\r\n"))
	}
	if at > 0 && data[at-1] != '\n' {
		put = append([]byte("\n"), put...)
	}
	return match.Edit{Start: at, End: at, Text: put}, "", nil
}

// explainHunk says why the place of a hunk was not found.
func explainHunk(ch change, h envelope.Hunk, from int, err error) error {
	var many match.Many
	if errors.As(err, &many) {
		before := bytes.Count(ch.old[:from], []byte("\n"))
		for i := range many.Lines {
			many.Lines[i] += before
		}
		err = many
	} else if err != match.ErrNone && err != match.ErrEscaped {
		return fmt.Errorf("the hunk at line %d of the patch: %v. No file was changed", h.Line, err)
	}
	why := explainMatch(ch, patchIn{Old: h.Old, New: h.New}, err).Error()
	why = strings.NewReplacer("old_string", fmt.Sprintf("the hunk at line %d of the patch", h.Line), "nothing changed", "no file was changed",
		", or set replace_all", " or an @@ line").Replace(why)
	return errors.New(why)
}

// applyAll makes the changes, each in one step. When one fails, those before it are taken back.
func (w space) applyAll(ctx context.Context, c engine.Call, all []change) (engine.Result, error) {
	if err := ctx.Err(); err != nil {
		return engine.Result{}, err
	}
	for _, ch := range all {
		if !ch.fresh() {
			return failedWrite(c, staleError(ch.name)), nil
		}
	}
	var text, diff strings.Builder
	r := engine.Succeeded(c, "")
	add, del := 0, 0
	for i, ch := range all {
		if err := w.make(ch); err != nil {
			r := engine.Failed(c, "cannot write %s: %v. No file was changed.", ch.name, err)
			if back := w.unmake(all[:i]); back != nil {
				r = engine.Failed(c, "cannot write %s: %v. Taking back what was changed before it failed too: %v.", ch.name, err, back)
			}
			return r, nil
		}
		full := ch.fullDiff()
		a, d := countDiff(full)
		add, del = add+a, del+d
		diff.WriteString(full)
		r.Changed = append(r.Changed, ch.path)
		fmt.Fprintf(&text, "%s %s (+%d −%d)\n", ch.verb(), ch.name, a, d)
		if ch.how != "" {
			fmt.Fprintf(&text, "A hunk did not match exactly; it was found with %s. Check what changed:\n%s\n", ch.how, tools.CutLine(full, maxDiffInText))
		}
	}
	r.Text, r.Diff = strings.TrimSuffix(text.String(), "\n"), cutDiff(diff.String())
	r.Note = fmt.Sprintf("+%d −%d", add, del)
	if len(all) > 1 {
		r.Note = tools.Plural(len(all), "file", "files") + " " + r.Note
	}
	return r, nil
}

// make makes one change.
func (w space) make(ch change) error {
	defer w.Changing(ch.path)()
	if ch.gone {
		if err := os.Remove(ch.path); err != nil {
			return err
		}
		w.Saw(ch.path, nil)
		return nil
	}
	var err error
	if ch.info == nil && ch.mode != 0 {
		err = Replace(ch.path, ch.new, ch.mode)
	} else {
		_, err = replaceFile(ch.path, ch.new, ch.info)
	}
	if err != nil {
		return err
	}
	now, err := os.Lstat(ch.path)
	if err == nil {
		w.Saw(ch.path, now)
	}
	return err
}

// unmake takes back changes that were made.
func (w space) unmake(done []change) error {
	var all error
	for _, ch := range slices.Backward(done) {
		var err error
		if ch.info == nil {
			err = os.Remove(ch.path)
			w.Saw(ch.path, nil)
		} else if err = Replace(ch.path, ch.old, ch.info.Mode()); err == nil {
			w.Forget(ch.path)
		}
		all = errors.Join(all, err)
	}
	return all
}
