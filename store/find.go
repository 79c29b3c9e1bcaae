package store

import (
	"fmt"
	"strings"

	"talaria/engine"
)

// index is what finding and listing need to know; the database and the memory store each answer it.
type index interface {
	session(id string) (engine.Session, bool)
	prefixed(prefix string, most int) []string // ids that begin with prefix
	titled(title string) []string              // ids whose title is title but for its case (or a very long one alike)
	child(id string) string                    // the newest compression child, "" when there is none
	// newest yields sessions, newest first, without their system prompts; dir "" and no repositories mean all.
	newest(dir string, repos []string, yield func(engine.Session) bool)
	titledWith(words []string) []string // ids whose title holds all the words, given in small letters
}

// resolve finds a session by id, unique id prefix or title; "" is the newest of dir that is no delegate's. A session
// that was compressed leads to its newest child.
func resolve(x index, ref, dir string) (engine.Session, error) {
	if ref == "" {
		return latest(x, dir)
	}
	if s, ok := x.session(ref); ok {
		return tip(x, s), nil
	}
	prefixed := x.prefixed(ref, 50)
	if s, err := only(x, prefixed); err == nil {
		return s, nil
	}
	var exact, folded []string
	for _, id := range x.titled(ref) {
		s, ok := x.session(id)
		if ok && s.Title == ref {
			exact = append(exact, id)
		}
		if ok && strings.EqualFold(s.Title, ref) {
			folded = append(folded, id)
		}
	}
	for _, ids := range [][]string{exact, folded} {
		if len(ids) > 0 {
			s, err := only(x, ids)
			return s, named(err, ref)
		}
	}
	if len(prefixed) > 1 {
		return engine.Session{}, named(engine.ErrMany, ref)
	}
	return engine.Session{}, named(engine.ErrNotFound, ref)
}

func named(err error, ref string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("find session %q: %w", ref, err)
}

func latest(x index, dir string) (engine.Session, error) {
	found := ""
	x.newest(dir, nil, func(s engine.Session) bool {
		if s.ParentWhy != engine.WhyDelegate && x.child(s.ID) == "" {
			found = s.ID
		}
		return found == ""
	})
	if s, ok := x.session(found); ok {
		return s, nil
	}
	return engine.Session{}, fmt.Errorf("find the newest session of %s: %w", dir, engine.ErrNotFound)
}

// only returns the one session that ids lead to; the members of a lineage lead to the same.
func only(x index, ids []string) (engine.Session, error) {
	var found engine.Session
	for _, id := range ids {
		s, ok := x.session(id)
		if !ok {
			continue
		}
		s = tip(x, s)
		if found.ID != "" && found.ID != s.ID {
			return engine.Session{}, engine.ErrMany
		}
		found = s
	}
	if found.ID == "" {
		return found, engine.ErrNotFound
	}
	return found, nil
}

// tip follows compressions to the newest child. A circle, which only damage can make, ends where it began.
func tip(x index, s engine.Session) engine.Session {
	seen := map[string]bool{s.ID: true}
	for {
		next, ok := x.session(x.child(s.ID))
		if !ok || seen[next.ID] {
			return s
		}
		seen[next.ID], s = true, next
	}
}

// page lists the sessions that fit q, compressed ones represented by their newest child, delegates by their parent.
func page(x index, q engine.Query) []engine.Session {
	limit, words := q.Limit, strings.ToLower(q.Text)
	if limit <= 0 {
		limit = 50
	}
	list := []engine.Session{}
	x.newest(q.Dir, q.Repos, func(s engine.Session) bool {
		fits := strings.Contains(strings.ToLower(s.Title), words) || strings.Contains(strings.ToLower(s.Last), words)
		if fits && s.ParentWhy != engine.WhyDelegate && x.child(s.ID) == "" {
			list = append(list, s)
		}
		return len(list) < limit
	})
	return list
}
