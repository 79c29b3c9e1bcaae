package guard

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"talaria/engine"
	"talaria/engine/guard/ledger"
	"talaria/engine/guard/rule"
)

// maxRulings is how many decisions are kept for /why.
const maxRulings = 300

// Keeper holds the rules that are in force and what was decided by them. It serves the gate and the permissions screen
// and is safe for concurrent use.
type Keeper struct {
	base, home  string
	book        *ledger.Ledger
	allow, deny []rule.Rule
	fleeting    bool
	now         func() time.Time

	mu      sync.Mutex
	session []granted
	rulings []engine.Ruling // oldest first
}

// granted is a rule that was given for this session.
type granted struct {
	rule.Rule
	made string
	at   time.Time
	id   string
}

// NewKeeper returns the keeper of a project. Base is the project's real root, where relative rules start; book may be
// nil: then nothing is remembered beyond the session. Allow and deny are the rules of the configuration; one that
// cannot be understood allows nothing.
func NewKeeper(base, home string, book *ledger.Ledger, allow, deny []string) *Keeper {
	k := &Keeper{base: base, home: home, book: book, now: time.Now}
	k.allow, k.deny = k.parse(allow), k.parse(deny)
	return k
}

// Fleeting makes k write nothing: what would be remembered for the project holds until the program ends (--no-session).
// What was remembered before counts.
func (k *Keeper) Fleeting() *Keeper {
	k.fleeting = true
	return k
}

func (k *Keeper) parse(texts []string) (all []rule.Rule) {
	for _, t := range texts {
		if r, ok := rule.Parse(t, k.base, k.home); ok {
			all = append(all, r)
		}
	}
	return all
}

// inForce are the rules that allow something now. Those of a file that cannot be read are not.
func (k *Keeper) inForce() []rule.Rule {
	all := slices.Clone(k.allow)
	entries, _ := k.entries()
	for _, e := range entries {
		if r, ok := k.remembered(e); ok {
			all = append(all, r)
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, g := range k.session {
		all = append(all, g.Rule)
	}
	return all
}

func (k *Keeper) entries() ([]ledger.Entry, error) {
	if k.book == nil {
		return nil, nil
	}
	return k.book.Entries(k.base)
}

func (k *Keeper) remembered(e ledger.Entry) (rule.Rule, bool) {
	r, ok := rule.Parse(e.Rule, k.base, k.home)
	r.Dir = e.Dir
	return r, ok && r.String() == e.Rule
}

// grant puts rules in force: for the session, or for the project from now on. An error means that they hold for the
// session only.
func (k *Keeper) grant(rules []rule.Rule, made string, always bool) (err error) {
	for _, r := range rules {
		if always && k.book != nil && !k.fleeting {
			if err = k.book.Add(k.base, ledger.Entry{Rule: r.String(), Dir: r.Dir, Made: made, At: k.now()}); err == nil {
				continue
			}
		}
		k.mu.Lock()
		if !slices.ContainsFunc(k.session, func(g granted) bool { return g.Same(r) }) {
			k.session = append(k.session, granted{r, made, k.now(), engine.NewID("rule_")})
		}
		k.mu.Unlock()
	}
	return err
}

// note keeps what was decided about a call; a second word on the same call replaces the first.
func (k *Keeper) note(r engine.Ruling) {
	k.mu.Lock()
	defer k.mu.Unlock()
	r.At = k.now()
	k.rulings = slices.DeleteFunc(k.rulings, func(o engine.Ruling) bool { return o.CallID == r.CallID && r.CallID != "" })
	k.rulings = append(k.rulings, r)
	if over := len(k.rulings) - maxRulings; over > 0 {
		k.rulings = slices.Delete(k.rulings, 0, over)
	}
}

// List returns the rules in force. It implements engine.Permissions. When the remembered ones cannot be read the others
// come with the error.
func (k *Keeper) List(context.Context) ([]engine.Permission, error) {
	var all []engine.Permission
	k.mu.Lock()
	for _, g := range k.session {
		all = append(all, engine.Permission{ID: g.id, Rule: g.String(), Dir: g.Dir, Scope: engine.ScopeSession, Made: g.made, At: g.at})
	}
	k.mu.Unlock()
	entries, err := k.entries()
	for _, e := range entries {
		if _, ok := k.remembered(e); ok {
			all = append(all, engine.Permission{ID: e.ID(k.base), Rule: e.Rule, Dir: e.Dir, Scope: engine.ScopeProject, Made: e.Made, At: e.At})
		}
	}
	for _, r := range k.allow {
		all = append(all, engine.Permission{Rule: r.String(), Scope: engine.ScopeConfig})
	}
	for _, r := range k.deny {
		all = append(all, engine.Permission{Rule: r.String(), Scope: engine.ScopeConfig, Deny: true})
	}
	return all, err
}

// Revoke forgets a rule. It implements engine.Permissions.
func (k *Keeper) Revoke(_ context.Context, id string) error {
	k.mu.Lock()
	before := len(k.session)
	k.session = slices.DeleteFunc(k.session, func(g granted) bool { return g.id == id })
	found := len(k.session) < before
	k.mu.Unlock()
	if found || k.book == nil {
		if !found {
			return fmt.Errorf("revoke %q: %w", id, engine.ErrNoRule)
		}
		return nil
	}
	found, err := k.book.Remove(id)
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("revoke %q: %w", id, engine.ErrNoRule)
	}
	return nil
}

// Rulings returns the newest n decisions, newest first. It implements engine.Permissions.
func (k *Keeper) Rulings(_ context.Context, n int) ([]engine.Ruling, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	out := slices.Clone(k.rulings)
	slices.Reverse(out)
	return out[:min(max(n, 0), len(out))], nil
}
