// Package hit chooses, among records of a session, the message that answers a search: the newest of those with the most
// words. It reads as little JSON as it can, since that is what looking through a block costs.
//
// It refuses to know sessions, lineages and limits: those are the store's.
package hit

import (
	"bytes"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/store/journal"
	"talaria/store/search"
)

// Best returns the newest of the messages in recs, oldest first, that have the most of the words, and how many it has; 0
// when none has any. Only messages of roles count, of all when there are none. The hit knows nothing of its session.
func Best(recs []journal.Entry, words search.Words, roles []engine.Role) (best engine.Hit, most int) {
	for i := len(recs) - 1; i >= 0 && most < words.All(); i-- {
		if recs[i].Type() != "appended" {
			continue
		}
		if _, n := words.May(recs[i].Body); n <= most {
			continue
		}
		m, ok := recs[i].Message()
		if !ok || len(roles) > 0 && !slices.Contains(roles, m.Role) || again(recs[i+1:], m.ID) {
			continue
		}
		text := search.Text(m)
		marks, n := words.Find(text)
		if n <= most {
			continue
		}
		most = n
		best = engine.Hit{Message: m.ID, Seq: recs[i].Seq, Role: m.Role, At: m.At}
		best.Snippet, best.Marks = search.Snippet(text, marks)
	}
	return best, most
}

// All reports whether each of the words stands in one of recs.
func All(recs []journal.Entry, words search.Words) bool {
	have := make([]bool, words.All())
	for _, e := range recs {
		if e.Type() != "appended" {
			continue
		}
		may, _ := words.May(e.Body)
		if !slices.ContainsFunc(indices(may), func(i int) bool { return !have[i] }) {
			continue
		}
		if m, ok := e.Message(); ok {
			_, seen := words.Where(search.Text(m))
			for _, i := range indices(seen) {
				have[i] = true
			}
		}
	}
	return !slices.Contains(have, false)
}

func indices(of []bool) (at []int) {
	for i, is := range of {
		if is {
			at = append(at, i)
		}
	}
	return at
}

// Holding returns those of recs that may have all the words.
func Holding(recs []journal.Entry, words search.Words) (some []journal.Entry) {
	for _, e := range recs {
		if e.Type() != "appended" {
			continue
		}
		if _, n := words.May(e.Body); n == words.All() {
			some = append(some, e)
		}
	}
	return some
}

// Text is what recs are found by.
func Text(recs []journal.Entry) string {
	var b strings.Builder
	for _, e := range recs {
		if m, ok := e.Message(); ok {
			b.WriteString(search.Text(m) + "\n")
		}
	}
	return b.String()
}

// again reports whether a later record is the same message: a partial reply and its end are one.
func again(later []journal.Entry, id string) bool {
	return id != "" && slices.ContainsFunc(later, func(e journal.Entry) bool {
		if e.Type() != "appended" || !bytes.Contains(e.Body, []byte(id)) {
			return false
		}
		m, ok := e.Message()
		return ok && m.ID == id
	})
}
