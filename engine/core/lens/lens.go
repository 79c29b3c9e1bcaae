// Package lens tells what fills the model's window, item by item, and keeps what the user pinned or left out in the
// session's row. It refuses to change a message: what is left out of a request stays in the chat.
package lens

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/core/journal"
	"talaria/engine/core/past"
	"talaria/engine/tools"
)

// Lens implements engine.Lens over the session that a journal writes.
type Lens struct {
	journal *journal.Journal
	specs   func(tell func([]engine.Spec))
	price   func(engine.Route, engine.Usage) *float64
}

// New returns a lens on the session of j. Specs tells, later, which tools every request names; price is nil when it is not
// known.
func New(j *journal.Journal, specs func(tell func([]engine.Spec)), price func(engine.Route, engine.Usage) *float64) Lens {
	return Lens{j, specs, price}
}

// Tools waits for what specs tells; none when ctx ends before.
func (l Lens) Tools(ctx context.Context) []engine.Spec {
	told := make(chan []engine.Spec, 1)
	l.specs(func(s []engine.Spec) { told <- s })
	select {
	case s := <-told:
		return s
	case <-ctx.Done():
		return nil
	}
}

// previewRunes is how much of an item's text is shown.
const previewRunes = 2000

// Items lists what fills the window.
func (l Lens) Items(ctx context.Context) ([]engine.LensItem, error) {
	recs, err := l.journal.Records(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the session: %w", err)
	}
	items := l.fixed(ctx)
	row, turn := l.journal.Session(), 0
	calls := map[string]engine.Call{}
	for _, m := range past.Restore(recs).Messages {
		if m.Aside {
			continue // never sent
		}
		if m.Role == engine.RoleUser && !m.Steer && !m.Summary {
			turn++
		}
		for _, c := range m.Calls() {
			calls[c.ID] = c
		}
		one := item(m, calls)
		one.Turn, one.Tokens = turn, agent.Size(m)
		one.Pinned, one.Dropped = slices.Contains(row.Pinned, m.ID), slices.Contains(row.Dropped, m.ID)
		items = append(items, one)
	}
	for i := range items {
		items[i].Price = l.price(row.Route, engine.Usage{Input: items[i].Tokens})
	}
	return items, nil
}

// fixed are the items that stand at the beginning of every request.
func (l Lens) fixed(ctx context.Context) []engine.LensItem {
	const always = "every request begins with it"
	system := l.journal.Session().System
	items := []engine.LensItem{{Kind: engine.LensSystem, Name: "System prompt", Text: head(system), Tokens: agent.Estimate(system, nil, nil), NoPin: always, NoDrop: always}}
	if system == "" {
		items[0].Name = "System prompt, built with the first message"
	}
	var own, servers []engine.Spec
	for _, s := range l.Tools(ctx) {
		if strings.HasPrefix(s.Name, "mcp_") {
			servers = append(servers, s)
		} else {
			own = append(own, s)
		}
	}
	for _, group := range []struct {
		name  string
		specs []engine.Spec
		drop  string
	}{{"Tools", own, "tools.disabled_toolsets leaves tools out"}, {"Tools of MCP servers", servers, "/mcp shows the servers; mcp_servers in config.yaml leaves one out"}} {
		if len(group.specs) == 0 {
			continue
		}
		var names []string
		for _, s := range group.specs {
			names = append(names, s.Name)
		}
		items = append(items, engine.LensItem{Kind: engine.LensTools, Name: fmt.Sprintf("%s (%d)", group.name, len(names)), Text: strings.Join(names, ", "),
			Tokens: agent.Estimate("", nil, group.specs), NoPin: always, NoDrop: group.drop})
	}
	return items
}

// item describes a message.
func item(m engine.Message, calls map[string]engine.Call) engine.LensItem {
	one := engine.LensItem{ID: m.ID, At: m.At, Text: head(m.Text()), Name: first(m.Text())}
	switch {
	case m.Summary:
		one.Kind, one.Name = engine.LensSummary, "Summary of what came before"
	case m.Role == engine.RoleUser:
		one.Kind = engine.LensUser
	case m.Role == engine.RoleTool:
		one.Kind = engine.LensResult
		var names, texts []string
		for _, r := range m.Results() {
			name := r.Name
			if c, ok := calls[r.CallID]; ok {
				name = tools.Line(c)
			}
			names, texts = append(names, name), append(texts, r.Text)
		}
		one.Name, one.Text = strings.Join(names, ", "), head(strings.Join(texts, "\n"))
	default:
		one.Kind = engine.LensReply
		if one.Name == "" {
			var names []string
			for _, c := range m.Calls() {
				names = append(names, tools.Line(c))
			}
			one.Name = "Calls: " + strings.Join(names, ", ")
			one.NoDrop = "a call must stay where its result is: drop the result"
		}
	}
	if m.Text() == "" {
		one.NoPin = "only words are kept word for word, and this has none"
	}
	if one.Name == "" {
		one.Name = "(no text)"
	}
	return one
}

func first(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

func head(text string) string {
	if r := []rune(text); len(r) > previewRunes {
		return string(r[:previewRunes])
	}
	return text
}

// Pin keeps a message word for word when the history is summarised.
func (l Lens) Pin(ctx context.Context, id string, on bool) error {
	one, err := l.find(ctx, id)
	switch {
	case err != nil:
		return err
	case on && one.NoPin != "":
		return errors.New(one.NoPin)
	case on && one.Dropped:
		return errors.New("it is left out of what is sent; take it back first")
	}
	l.change(func(s *engine.Session) { s.Pinned = with(s.Pinned, id, on) })
	return nil
}

// Drop leaves out what a message says, from the next request on.
func (l Lens) Drop(ctx context.Context, id string, on bool) error {
	one, err := l.find(ctx, id)
	switch {
	case err != nil:
		return err
	case on && one.NoDrop != "":
		return errors.New(one.NoDrop)
	}
	l.change(func(s *engine.Session) {
		s.Dropped = with(s.Dropped, id, on)
		if on {
			s.Pinned = with(s.Pinned, id, false)
		}
	})
	return nil
}

// change changes the session's row and has it stored.
func (l Lens) change(f func(*engine.Session)) {
	l.journal.Change(f)
	l.journal.FoldSoon()
}

func (l Lens) find(ctx context.Context, id string) (engine.LensItem, error) {
	items, err := l.Items(ctx)
	if err != nil {
		return engine.LensItem{}, err
	}
	i := slices.IndexFunc(items, func(i engine.LensItem) bool { return i.ID == id })
	if i < 0 || id == "" {
		return engine.LensItem{}, errors.New("it is not in the window any more")
	}
	return items[i], nil
}

// with returns ids with id or without it. The old list may be read elsewhere, so it is left as it is.
func with(ids []string, id string, on bool) []string {
	out := slices.DeleteFunc(slices.Clone(ids), func(have string) bool { return have == id })
	if on {
		out = append(out, id)
	}
	return out
}
