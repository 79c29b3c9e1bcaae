package memory

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// refusal is an edit that cannot be made; its text tells the model what to do instead.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

// Add appends an entry. One that stands there already is fine and changes nothing: added is false.
func (f *Files) Add(t Target, content string) (entries []string, added bool, err error) {
	content = strings.TrimSpace(content)
	if err := f.check(content); err != nil {
		return nil, false, err
	}
	entries, err = f.change(t, func(entries []string) ([]string, error) {
		if slices.Contains(entries, content) {
			return entries, nil
		}
		added = true
		return f.fit(t, append(entries, content))
	})
	return entries, added && err == nil, err
}

// Replace puts content in place of the one entry that holds old.
func (f *Files) Replace(t Target, old, content string) ([]string, error) {
	content = strings.TrimSpace(content)
	if err := f.check(content); err != nil {
		return nil, err
	}
	return f.change(t, func(entries []string) ([]string, error) {
		i, err := only(entries, old)
		if err != nil {
			return nil, err
		}
		entries[i] = content
		return f.fit(t, entries)
	})
}

// Remove takes out the one entry that holds old.
func (f *Files) Remove(t Target, old string) ([]string, error) {
	if f.ReadOnly {
		return nil, refuse("this session keeps nothing (--no-session), so the memory is not changed")
	}
	return f.change(t, func(entries []string) ([]string, error) {
		i, err := only(entries, old)
		if err != nil {
			return nil, err
		}
		return slices.Delete(entries, i, i+1), nil
	})
}

// Write replaces the whole file with what the user edited.
func (f *Files) Write(t Target, text string) error {
	entries := split(text)
	for _, e := range entries {
		if err := f.check(e); err != nil {
			return err
		}
	}
	_, err := f.change(t, func([]string) ([]string, error) { return f.fit(t, entries) })
	return err
}

// check refuses what must not be kept.
func (f *Files) check(content string) error {
	switch {
	case f.ReadOnly:
		return refuse("this session keeps nothing (--no-session), so nothing is remembered")
	case content == "":
		return refuse("there is no content to remember")
	case !utf8.ValidString(content):
		return refuse("the content is not valid text")
	case slices.ContainsFunc(strings.Split(content, "\n"), func(l string) bool { return strings.TrimSpace(l) == separator }):
		return refuse("the content holds the line %q, which separates entries; make two entries of it", separator)
	}
	if f.Threat != nil {
		if why := f.Threat(content); why != "" {
			return refuse("not remembered: the text %s", why)
		}
	}
	return nil
}

// only finds the entry that holds old. Several different ones are a question for the model; the same text twice is not.
func only(entries []string, old string) (int, error) {
	if old = strings.TrimSpace(old); old == "" {
		return 0, refuse("old_text says which entry is meant and must not be empty")
	}
	var found []int
	for i, e := range entries {
		if strings.Contains(e, old) {
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		return 0, refuse("no entry holds %q. The entries:\n%s", old, list(entries))
	}
	for _, i := range found[1:] {
		if entries[i] != entries[found[0]] {
			var hits []string
			for _, k := range found {
				hits = append(hits, entries[k])
			}
			return 0, refuse("%d entries hold %q; give more of the one that is meant:\n%s", len(found), old, list(hits))
		}
	}
	return found[0], nil
}

// fit refuses entries that are together longer than the limit, with what is needed to shorten them.
func (f *Files) fit(t Target, entries []string) ([]string, error) {
	if n, most := size(entries), f.Limits[t]; most > 0 && n > most {
		return nil, refuse("not remembered: that would be %d of at most %d characters. Replace or remove entries first, in this turn. The entries, with the new text:\n%s", n, most, list(entries))
	}
	return entries, nil
}

func list(entries []string) string {
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "- %s\n", strings.ReplaceAll(e, "\n", "\n  "))
	}
	return strings.TrimRight(b.String(), "\n")
}

// Usage is how full the file is: "67% — 1474/2200 characters".
func (f *Files) Usage(t Target, entries []string) string {
	n, most := size(entries), f.Limits[t]
	if most <= 0 {
		return fmt.Sprintf("%d characters", n)
	}
	return fmt.Sprintf("%d%% — %d/%d characters", n*100/most, n, most)
}

// Snapshot is the block for the system prompt: what is known now, "" when nothing is. An entry that a later hand made
// dangerous is left out and named.
func (f *Files) Snapshot(t Target) (string, error) {
	entries, err := f.Entries(t)
	if err != nil || len(entries) == 0 {
		return "", err
	}
	for i, e := range entries {
		if f.Threat == nil {
			break
		}
		if why := f.Threat(e); why != "" {
			entries[i] = fmt.Sprintf("[BLOCKED: an entry of %s %s]", f.Path(t), why)
		}
	}
	title := "# Memory: your own notes"
	if t == User {
		title = "# Memory: the user"
	}
	return fmt.Sprintf("%s (%s)\n%s", title, f.Usage(t, entries), join(entries)), nil
}
