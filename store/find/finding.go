package find

import (
	"slices"

	"talaria/engine"
	"talaria/store/hit"
	"talaria/store/journal"
	"talaria/store/search"
)

// Finding collects the hits of one search, one for each lineage.
type Finding struct {
	Words search.Words       // what is looked for
	Query engine.SearchQuery // the same as it was asked, with a limit
	not   map[string]bool    // newest members of lineages that are left out
	at    map[string]int     // newest member of a lineage -> its hit
	whole map[string]bool    // those whose message has all the words
	hits  []engine.Hit
}

// New returns a search that found nothing yet.
func New(q engine.SearchQuery) *Finding {
	if q.Limit <= 0 {
		q.Limit = 50
	}
	return &Finding{Query: q, Words: search.Parse(q.Text), not: map[string]bool{}, at: map[string]int{}, whole: map[string]bool{}}
}

// Begin resolves the lineages that are left out and takes the titles that hold the words.
func (f *Finding) Begin(x Index) {
	for _, id := range f.Query.Not {
		if s, ok := x.Session(id); ok {
			f.not[Tip(x, s).ID] = true
		}
	}
	if len(f.Query.Roles) > 0 {
		return
	}
	var hits []engine.Hit
	ids := x.TitledWith(f.Words.Texts())
	slices.Sort(ids) // by their time: rows are read, which is what costs, for the newest only
	for _, id := range slices.Backward(ids) {
		if len(hits) == f.Query.Limit {
			break
		}
		s, ok := x.Session(id)
		if !ok || !f.fits(s) || x.Child(s.ID) != "" {
			continue
		}
		marks, _ := f.Words.Infix().Find(s.Title)
		hits = append(hits, engine.Hit{Session: s, Tip: s.ID, At: s.Updated, Snippet: s.Title, Marks: marks})
	}
	slices.SortStableFunc(hits, func(a, b engine.Hit) int { return b.At.Compare(a.At) })
	for _, h := range hits {
		if !f.not[h.Tip] {
			f.at[h.Tip] = len(f.hits)
			f.hits = append(f.hits, h)
		}
	}
}

func (f *Finding) fits(s engine.Session) bool {
	return s.ParentWhy != engine.WhyDelegate && s.In(f.Query.Dir, f.Query.Repos)
}

// Full reports whether no further session is wanted.
func (f *Finding) Full() bool { return len(f.hits) >= f.Query.Limit }

// Wants returns the newest of the lineage of s if there may still be a better hit for it.
func (f *Finding) Wants(x Index, s engine.Session) (newest string, ok bool) {
	newest = Tip(x, s).ID
	return newest, !f.not[newest] && !f.whole[newest] && f.fits(s)
}

// Add looks for the words in records of s, oldest first, and takes the message with the most of them, if all of them are
// in one or the other.
func (f *Finding) Add(newest string, s engine.Session, recs []journal.Entry, words search.Words) {
	best, most := hit.Best(recs, words, f.Query.Roles)
	if most == 0 || most < words.All() && !hit.All(recs, words) {
		return
	}
	f.whole[newest] = most == words.All()
	best.Session, best.Tip = s, newest
	best.Session.System = ""
	if i, ok := f.at[newest]; !ok {
		f.at[newest] = len(f.hits)
		f.hits = append(f.hits, best)
	} else if f.hits[i].Seq == 0 || f.whole[newest] {
		f.hits[i] = best // a place in the text says more than the title alone
	}
}

// Done returns the hits in the order that was asked for.
func (f *Finding) Done() []engine.Hit {
	if f.Query.Order != "" {
		slices.SortStableFunc(f.hits, func(a, b engine.Hit) int {
			if f.Query.Order == "oldest" {
				a, b = b, a
			}
			return b.Session.Updated.Compare(a.Session.Updated)
		})
	}
	for i := range f.hits {
		f.hits[i].Session.System = ""
	}
	return f.hits
}

// Titles reports whether only titles were found so far: no message.
func (f *Finding) Titles() bool {
	return !slices.ContainsFunc(f.hits, func(h engine.Hit) bool { return h.Seq > 0 })
}
