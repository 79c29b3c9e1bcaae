package search

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/keyword"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search/query"
)

// The fields of an entry: its words, the parts of its words, its directory and its repository.
const (
	fieldWords = "t"
	fieldParts = "p"
	fieldDir   = "d"
	fieldRepo  = "r"
)

// layout tells bleve what an entry is: nothing of it is kept but how it is found. Parts of words have no weight, so that
// each of their many places costs a bit.
func layout() mapping.IndexMapping {
	field := func(name, analyzer string) *mapping.FieldMapping {
		f := bleve.NewTextFieldMapping()
		f.Name, f.Analyzer, f.Store, f.IncludeTermVectors, f.IncludeInAll, f.DocValues = name, analyzer, false, false, false, false
		f.SkipFreqNorm = name != fieldWords
		return f
	}
	doc := bleve.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt(fieldWords, field(fieldWords, analyzerName), field(fieldParts, gramsName))
	doc.AddFieldMappingsAt(fieldDir, field(fieldDir, keyword.Name))
	doc.AddFieldMappingsAt(fieldRepo, field(fieldRepo, keyword.Name))
	m := bleve.NewIndexMapping()
	m.DefaultMapping, m.StoreDynamic, m.IndexDynamic, m.DocValuesDynamic = doc, false, false, false
	return m
}

func name(session string, block uint64) string { return fmt.Sprintf("%s/%08d", session, block) }

// Reader is the index while it is open for reading: writers wait for it.
type Reader struct{ idx bleve.Index }

// Read opens the index for use. ErrLost when there is none, ErrBusy when a writer does not let go in time.
func (x *Index) Read(ctx context.Context, use func(*Reader) error) error {
	if !x.Exists() {
		return ErrLost
	}
	leave, err := x.lock(ctx, syscall.LOCK_SH, 500*time.Millisecond)
	if err != nil {
		return err
	}
	defer leave()
	return whole(func() error {
		idx, err := bleve.OpenUsing(x.dir, map[string]interface{}{"read_only": true, "bolt_timeout": "1s"})
		if err != nil {
			return fmt.Errorf("%w: %w", ErrLost, err)
		}
		defer idx.Close()
		if _, err := x.check(idx); err != nil {
			return err
		}
		return use(&Reader{idx})
	})
}

// Find is one search in an index that is opened for it.
func (x *Index) Find(ctx context.Context, q Query) (places []Place, err error) {
	err = x.Read(ctx, func(r *Reader) error {
		places, err = r.Find(ctx, q)
		return err
	})
	return places, err
}

// Find returns the places that may have all the words of q, the best first, or the newest when the words are looked for
// inside longer ones. None with the words is missing; what the rows of letters of parts, beginnings and Chinese words
// stand for has to be looked at.
func (r *Reader) Find(ctx context.Context, q Query) ([]Place, error) {
	what, err := r.query(q)
	if err != nil {
		return nil, err
	}
	req := bleve.NewSearchRequestOptions(what, q.Limit, q.From, false)
	if q.Words.infix {
		req.Score = "none"
		req.SortBy([]string{"-_id"})
	}
	switch q.Order {
	case "newest":
		req.SortBy([]string{"-_id"})
	case "oldest":
		req.SortBy([]string{"_id"})
	}
	res, err := r.idx.SearchInContext(ctx, req)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	var out []Place
	for _, hit := range res.Hits {
		session, number, _ := strings.Cut(hit.ID, "/")
		if block, err := strconv.ParseUint(number, 10, 64); err == nil {
			out = append(out, Place{session, block})
		}
	}
	return out, nil
}

// Has reports whether the block at p is found by all the words.
func (r *Reader) Has(ctx context.Context, p Place, words Words) (bool, error) {
	what, err := r.query(Query{Words: words})
	if err != nil {
		return false, err
	}
	here := bleve.NewDocIDQuery([]string{name(p.Session, p.Block)})
	res, err := r.idx.SearchInContext(ctx, bleve.NewSearchRequestOptions(bleve.NewConjunctionQuery(here, what), 1, 0, false))
	if err != nil {
		return false, fmt.Errorf("search: %w", err)
	}
	return res.Total > 0, nil
}

// Count is how many blocks the index holds.
func (r *Reader) Count() (uint64, error) {
	n, err := r.idx.DocCount()
	if err != nil {
		return 0, errors.Join(ErrLost, err)
	}
	return n, nil
}

func term(field, text string) query.Query {
	t := bleve.NewTermQuery(text)
	t.SetField(field)
	return t
}

func (r *Reader) query(q Query) (query.Query, error) {
	var all []query.Query
	for _, w := range q.Words.list {
		if w.prefix && !q.Words.infix {
			any, err := r.beginning(w)
			if err != nil {
				return nil, fmt.Errorf("search: %w", err)
			}
			all = append(all, any)
			continue
		}
		all = append(all, w.queries(q.Words.infix)...)
	}
	if q.Dir != "" {
		all = append(all, term(fieldDir, q.Dir))
	}
	if len(q.Repos) > 0 {
		var any []query.Query
		for _, r := range q.Repos {
			any = append(any, term(fieldRepo, r))
		}
		all = append(all, bleve.NewDisjunctionQuery(any...))
	}
	return bleve.NewConjunctionQuery(all...), nil
}

// mostWords is how many words with a beginning are looked up one by one. With more of them their letters are: most blocks
// that have those have one of the words.
const mostWords = 128

// beginning is fitted by the blocks with a form of a word, or with a word that begins with it.
func (r *Reader) beginning(o word) (query.Query, error) {
	any := []query.Query{term(fieldWords, o.terms[0])}
	inside, err := r.idx.Advanced()
	if err != nil {
		return nil, err
	}
	reader, err := inside.Reader()
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	dict, err := reader.FieldDictPrefix(fieldParts, []byte(wholeMark+cutWord(o.text)))
	if err != nil {
		return nil, err
	}
	defer dict.Close()
	for len(any) <= mostWords {
		e, err := dict.Next()
		if err != nil {
			return nil, err
		}
		if e == nil {
			return bleve.NewDisjunctionQuery(any...), nil
		}
		any = append(any, term(fieldParts, e.Term))
	}
	var letters []query.Query
	for _, g := range o.gramsOf() {
		letters = append(letters, term(fieldParts, g))
	}
	return bleve.NewDisjunctionQuery(any[0], bleve.NewConjunctionQuery(letters...)), nil
}

// queries are those that a block with the word fits, all of them.
func (o word) queries(infix bool) (all []query.Query) {
	for _, t := range o.terms {
		all = append(all, term(fieldWords, t))
	}
	one := utf8.RuneCountInString(o.text) == 1
	switch {
	case o.dense && !one:
		return all // pairs of letters are parts of words as they are
	case o.dense, infix:
		all = nil
		for _, g := range o.gramsOf() {
			all = append(all, term(fieldParts, g))
		}
	}
	return all
}
