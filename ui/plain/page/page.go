// Package page is what the overlays of the screen show, as lines to be read: each begins with what it is about. It refuses
// to ask anything: a page that can change something is told what by its argument ("pin 3", "remove 2"), whose numbers are
// those of the lines.
package page

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"talaria/engine"
	"talaria/ui/changes"
	"talaria/ui/chrome"
	"talaria/ui/style"
	"talaria/ui/turn"
)

func one(s string) string { return strings.Join(strings.Fields(style.Safe(s)), " ") }

func line(format string, args ...any) string { return one(fmt.Sprintf(format, args...)) }

// numbered reads "word N", N from 1 to n; it returns N from 0.
func numbered(arg, word string, n int) (int, bool) {
	rest, ok := strings.CutPrefix(arg, word+" ")
	i, err := strconv.Atoi(strings.TrimSpace(rest))
	return i - 1, ok && err == nil && i >= 1 && i <= n
}

// Report is a page of facts about the program: a line for each, with what is marked and known of it.
func Report(ctx context.Context, reports engine.Reports, name string) (out []string, err error) {
	r, err := reports.Report(ctx, name)
	if err != nil {
		return nil, err
	}
	for _, row := range r.Rows {
		text := one(row.Name)
		if row.Mark != "" {
			text += ", " + one(row.Mark)
		}
		if more := news(row.Text, text); more != "" {
			text += ", " + more
		}
		out = append(out, text)
	}
	if len(r.Rows) == 0 && r.Text != "" {
		for _, l := range strings.Split(strings.Trim(style.Safe(r.Text), "\n"), "\n") {
			out = append(out, "  "+l)
		}
	}
	switch {
	case r.Note != "":
		out = append(out, line("Note: %s.", strings.TrimSuffix(r.Note, ".")))
	case len(out) == 0:
		out = append(out, "Note: there are none.")
	}
	return out, nil
}

// heard is how many characters of one fact are read: a list is heard from its beginning to the end.
const heard = 240

// news is what text says beside what was said: its lines that were not, of a long one the first sentence.
func news(text, said string) string {
	var lines []string
	for _, l := range strings.Split(text, "\n") {
		if l = one(l); l != "" && !strings.Contains(said, l) {
			lines = append(lines, l)
		}
	}
	text = strings.Join(lines, " ")
	if len(text) <= heard {
		return text
	}
	sentence, _, ok := strings.Cut(text, ". ")
	if !ok || len(sentence) > heard {
		return string([]rune(text)[:min(heard, len([]rune(text)))]) + " ..."
	}
	return sentence + "."
}

var kinds = map[engine.FileKind]string{engine.FileAdded: "new", engine.FileModified: "modified", engine.FileDeleted: "deleted"}

// Diff is what the session did to files, or with last its last turn.
func Diff(ctx context.Context, t engine.Timeline, last bool) (out []string, err error) {
	d, err := changes.Read(ctx, t, last)
	if err != nil {
		return nil, err
	}
	for i, f := range d.Files {
		out = append(out, line("Changed: %s, %s, %d added, %d removed.", f.Name, kinds[f.Kind], f.Add, f.Del))
		for _, l := range strings.Split(strings.Trim(style.Safe(d.Diffs[i]), "\n"), "\n") {
			out = append(out, "  "+l)
		}
	}
	switch {
	case d.Note != "":
		out = append(out, line("Note: %s.", d.Note))
	case len(d.Files) == 0:
		out = append(out, "Note: no file was changed.")
	}
	return out, nil
}

// Usage is what the session used; route is the one it asks now.
func Usage(ctx context.Context, ledger engine.Ledger, route engine.Route) (out []string, err error) {
	b, err := ledger.Bill(ctx)
	if err != nil {
		return nil, err
	}
	u := b.Total
	out = append(out, line("Usage: cost %s, input %s tokens, from the cache %s, into the cache %s, output %s.", chrome.Cost(route, b.Cost), turn.Count(u.Input), turn.Count(u.CacheRead),
		turn.Count(u.CacheWrite), turn.Count(u.Output)))
	for _, m := range append(append([]engine.Share{}, b.Models...), b.Side) {
		if m.Usage != (engine.Usage{}) {
			out = append(out, line("%s: %s, %s in, %s out.", m.Name, chrome.Cost(route, m.Cost), turn.Count(m.Usage.Input+m.Usage.CacheRead+m.Usage.CacheWrite), turn.Count(m.Usage.Output)))
		}
	}
	return out, nil
}

// Context lists what fills the window. "pin N" keeps one word for word, "drop N" leaves it out of what is sent; once more
// takes that back.
func Context(ctx context.Context, lens engine.Lens, arg string) (out []string, err error) {
	items, err := lens.Items(ctx)
	if err != nil {
		return nil, err
	}
	if n, ok := numbered(arg, "pin", len(items)); ok {
		if items[n].NoPin != "" {
			return nil, fmt.Errorf("it cannot be pinned: %s", items[n].NoPin)
		}
		err = lens.Pin(ctx, items[n].ID, !items[n].Pinned)
	} else if n, ok := numbered(arg, "drop", len(items)); ok {
		if items[n].NoDrop != "" && !items[n].Dropped {
			return nil, fmt.Errorf("it cannot be dropped: %s", items[n].NoDrop)
		}
		err = lens.Drop(ctx, items[n].ID, !items[n].Dropped)
	} else if arg != "" {
		return nil, fmt.Errorf("it takes pin or drop with a number of the list, which has %d", len(items))
	}
	if err == nil {
		items, err = lens.Items(ctx)
	}
	for i, it := range items {
		state := map[bool]string{true: ", pinned"}[it.Pinned] + map[bool]string{true: ", dropped"}[it.Dropped]
		out = append(out, line("%d. %s, %s, %s tokens%s", i+1, it.Kind, it.Name, turn.Count(it.Tokens), state))
	}
	if len(items) == 0 {
		out = append(out, "Note: nothing is sent yet.")
	}
	return out, err
}

// Why is what decided on the latest n calls, newest first.
func Why(ctx context.Context, rules engine.Permissions, n int) (out []string, err error) {
	all, err := rules.Rulings(ctx, n)
	for _, r := range all {
		asked := ""
		if r.Asked {
			asked = ", you were asked and answered " + r.Choice
		}
		out = append(out, line("%s, %s: %s, because of %s, mode %s%s.", r.At.Local().Format("15:04:05"), r.Action, r.Verdict, r.By, r.Mode, asked))
	}
	if len(all) == 0 {
		out = append(out, "Note: nothing was decided yet in this run.")
	}
	return out, err
}

// Memory is what is remembered, under one count. "add TEXT" adds to the notes, "remove N" takes one away.
func Memory(ctx context.Context, book engine.Remembered, arg string) (out []string, err error) {
	pages, err := book.Pages(ctx)
	if err != nil {
		return nil, err
	}
	entries := listed(pages)
	text, add := strings.CutPrefix(arg, "add ")
	n, remove := numbered(arg, "remove", len(entries))
	switch {
	case add:
		err = book.Change(ctx, "memory", "", strings.TrimSpace(text))
	case remove:
		err = book.Change(ctx, entries[n].page, entries[n].text, "")
	case arg != "":
		err = fmt.Errorf("it takes add and a text, or remove and a number of the list, which has %d", len(entries))
	}
	if err == nil && (add || remove) {
		pages, err = book.Pages(ctx)
	}
	if err != nil {
		return nil, err
	}
	for i, e := range listed(pages) {
		out = append(out, line("%d. %s: %s", i+1, e.page, e.text))
	}
	if len(out) == 0 {
		out = append(out, "Note: nothing is remembered yet.")
	}
	return out, nil
}

// entry is one thing that is remembered.
type entry struct{ page, text string }

func listed(pages []engine.NotePage) (all []entry) {
	for _, p := range pages {
		for _, text := range p.Entries {
			all = append(all, entry{p.Name, text})
		}
	}
	return all
}

// Background lists commands in the background.
func Background(all []engine.Process) (out []string) {
	for i, p := range all {
		state := "runs"
		if !p.Running {
			state = fmt.Sprintf("ended with %d", p.Exit)
		}
		out = append(out, line("%d. %s, %s, log %s", i+1, p.Command, state, p.Log))
	}
	if len(all) == 0 {
		out = append(out, "Note: nothing runs in the background.")
	}
	return out
}

// End is the command that "end N" names, "" for another argument.
func End(all []engine.Process, arg string) string {
	if n, ok := numbered(arg, "end", len(all)); ok {
		return all[n].ID
	}
	return ""
}
