// Package find finds sessions: by id, by the beginning of one, by title, by what was said in them. It asks an index, which a
// database and a store in memory each are, and knows what belongs together: a session that was compressed is found as its
// newest child, a delegate as nothing.
//
// It refuses to read records by itself, and to change anything.
package find

import (
	"fmt"
	"strings"

	"talaria/engine"
)

// Index is what finding and listing need to know; the database and the memory store each answer it.
type Index interface {
	Session(id string) (engine.Session, bool)
	Prefixed(prefix string, most int) []string // ids that begin with prefix
	Titled(title string) []string              // ids whose title is title but for its case (or a very long one alike)
	Child(id string) string                    // the newest compression child, "" when there is none
	Parts(id string) []string                  // what belongs to id: what it went on in after a compression, and its delegates
	// Newest yields sessions, newest first, without their system prompts; dir "" and no repositories mean all.
	Newest(dir string, repos []string, yield func(engine.Session) bool)
	TitledWith(words []string) []string // ids whose title holds all the words, given in small letters
}

// Resolve finds a session by id, unique id prefix or title; "" is the newest of dir that is no delegate's. A session
// that was compressed leads to its newest child.
func Resolve(x Index, ref, dir string) (engine.Session, error) {
	if ref == "" {
		return latest(x, dir)
	}
	if s, ok := x.Session(ref); ok {
		return Tip(x, s), nil
	}
	prefixed := x.Prefixed(ref, 50)
	if s, err := only(x, prefixed); err == nil {
		return s, nil
	}
	var exact, folded []string
	for _, id := range x.Titled(ref) {
		s, ok := x.Session(id)
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
			return s, Named(err, ref)
		}
	}
	if len(prefixed) > 1 {
		return engine.Session{}, Named(engine.ErrMany, ref)
	}
	return engine.Session{}, Named(engine.ErrNotFound, ref)
}

// Named is err with what was looked for; nil stays nil.
func Named(err error, ref string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("find session %q: %w", ref, err)
}

func latest(x Index, dir string) (engine.Session, error) {
	found := ""
	x.Newest(dir, nil, func(s engine.Session) bool {
		if s.ParentWhy != engine.WhyDelegate && x.Child(s.ID) == "" {
			found = s.ID
		}
		return found == ""
	})
	if s, ok := x.Session(found); ok {
		return s, nil
	}
	return engine.Session{}, fmt.Errorf("find the newest session of %s: %w", dir, engine.ErrNotFound)
}

// only returns the one session that ids lead to; the members of a lineage lead to the same.
func only(x Index, ids []string) (engine.Session, error) {
	var found engine.Session
	for _, id := range ids {
		s, ok := x.Session(id)
		if !ok {
			continue
		}
		s = Tip(x, s)
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

// Tip follows compressions to the newest child. A circle, which only damage can make, ends where it began.
func Tip(x Index, s engine.Session) engine.Session {
	seen := map[string]bool{s.ID: true}
	for {
		next, ok := x.Session(x.Child(s.ID))
		if !ok || seen[next.ID] {
			return s
		}
		seen[next.ID], s = true, next
	}
}

// Members are the sessions that one row of a list stands for: the whole lineage of compressions that id is of, with their
// delegates, parents before children. What nobody knows is alone.
func Members(x Index, id string) []string {
	root, seen := id, map[string]bool{id: true}
	for {
		s, ok := x.Session(root)
		if !ok || s.ParentWhy != engine.WhyCompression || seen[s.ParentID] {
			break
		}
		if _, there := x.Session(s.ParentID); !there {
			break // it was deleted by an earlier version, or damaged: what is left hangs together below it
		}
		root, seen[s.ParentID] = s.ParentID, true
	}
	all, had := []string{root}, map[string]bool{root: true}
	for i := 0; i < len(all); i++ {
		for _, part := range x.Parts(all[i]) {
			if !had[part] {
				had[part] = true
				all = append(all, part)
			}
		}
	}
	if !had[id] {
		return []string{id} // a circle, which only damage can make
	}
	return all
}

// Page lists the sessions that fit q, compressed ones represented by their newest child, delegates by their parent.
func Page(x Index, q engine.Query) []engine.Session {
	limit, words := q.Limit, strings.ToLower(q.Text)
	if limit <= 0 {
		limit = 50
	}
	list := []engine.Session{}
	x.Newest(q.Dir, q.Repos, func(s engine.Session) bool {
		fits := strings.Contains(strings.ToLower(s.Title), words) || strings.Contains(strings.ToLower(s.Last), words)
		if fits && s.ParentWhy != engine.WhyDelegate && x.Child(s.ID) == "" {
			list = append(list, s)
		}
		return len(list) < limit
	})
	return list
}
