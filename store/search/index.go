package search

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/keyword"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/registry"
	"github.com/blevesearch/bleve/v2/search/query"
)

// Block is how many records make one entry of the index. One for each message would be fifty times as many entries for
// the same words; with blocks a session of a million messages is looked through in milliseconds, and the block that was
// found is read to see which message it was.
const Block = 64

// BlockOf is the block that a record is in.
func BlockOf(seq uint64) uint64 { return (seq - 1) / Block }

// Entry is a block of a session with all its text; one without text is taken out of the index.
type Entry struct {
	Session string
	Block   uint64
	Dir     string
	Repo    string
	Text    string
}

// Place is where words were found.
type Place struct {
	Session string
	Block   uint64
}

// Query is what to look for and where; no directory and no repository means everywhere.
type Query struct {
	Words Words
	Dir   string
	Repos []string
	Order string // "newest" or "oldest", by the ids of sessions, which begin with their time; "" is the best first
	Limit int
}

// ErrLost says that there is no index that can be used: it has to be made anew.
var ErrLost = errors.New("the search index is missing or damaged")

// ErrBusy says that another process is writing the index.
var ErrBusy = errors.New("the search index is being written")

// format is the name of the folder: another layout gets another one.
const format = "1"

// analyzerName is the name of our rules for words in the index.
const analyzerName = "talaria"

func init() {
	if err := registry.RegisterAnalyzer(analyzerName, func(map[string]interface{}, *registry.Cache) (analysis.Analyzer, error) {
		return &analysis.DefaultAnalyzer{Tokenizer: tokens{}}, nil
	}); err != nil {
		panic(err) // the name is taken: a mistake of ours
	}
}

// Index is the index of one store. It is safe for concurrent use, also by several processes.
type Index struct{ root, dir string }

// New returns the index in the store's directory; nothing is touched.
func New(dir string) *Index {
	root := filepath.Join(dir, "search")
	return &Index{root, filepath.Join(root, format)}
}

// Exists reports whether there is an index, damaged or not.
func (x *Index) Exists() bool {
	_, err := os.Stat(filepath.Join(x.dir, "index_meta.json"))
	return err == nil
}

// lock takes the flock that stands before every use; how long it waits for a writer is bounded.
func (x *Index) lock(ctx context.Context, how int, wait time.Duration) (func(), error) {
	f, err := os.OpenFile(filepath.Join(filepath.Dir(x.root), "search.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the search index: %w", err)
	}
	for start := time.Now(); ; {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) || time.Since(start) > wait {
			f.Close()
			if errors.Is(err, syscall.EWOULDBLOCK) {
				return nil, ErrBusy
			}
			return nil, fmt.Errorf("lock the search index: %w", err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(3 * time.Millisecond):
		}
	}
}

// whole runs work and makes ErrLost of a panic: a damaged file of the index is one.
func whole(work func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%w: %v", ErrLost, v)
		}
	}()
	return work()
}

// Remove takes the index away, so that it is made anew.
func (x *Index) Remove(ctx context.Context) error {
	leave, err := x.lock(ctx, syscall.LOCK_EX, time.Second)
	if err != nil {
		return err
	}
	defer leave()
	return os.RemoveAll(x.root)
}

// Put replaces entries in one step; without an index one is begun. After ErrLost the index is gone.
func (x *Index) Put(ctx context.Context, entries []Entry) error {
	if err := os.MkdirAll(x.root, 0o700); err != nil {
		return fmt.Errorf("create the search index: %w", err)
	}
	leave, err := x.lock(ctx, syscall.LOCK_EX, 2*time.Second)
	if err != nil {
		return err
	}
	defer leave()
	err = whole(func() error { return x.put(ctx, entries) })
	if errors.Is(err, ErrLost) {
		err = errors.Join(err, os.RemoveAll(x.root))
	}
	return err
}

func (x *Index) put(ctx context.Context, entries []Entry) error {
	idx, err := bleve.OpenUsing(x.dir, map[string]interface{}{"bolt_timeout": "1s"})
	if errors.Is(err, bleve.ErrorIndexPathDoesNotExist) {
		idx, err = bleve.New(x.dir, layout())
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	n, err := x.check(idx)
	if err != nil {
		return errors.Join(err, idx.Close())
	}
	batch := idx.NewBatch()
	batch.SetInternal([]byte(stampName), binary.BigEndian.AppendUint64(nil, n+1))
	for _, e := range entries {
		id := name(e.Session, e.Block)
		if e.Text == "" {
			batch.Delete(id)
			continue
		}
		if err := batch.Index(id, map[string]interface{}{"t": e.Text, "d": e.Dir, "r": e.Repo}); err != nil {
			return errors.Join(fmt.Errorf("index session %s: %w", e.Session, err), idx.Close())
		}
	}
	err = idx.Batch(batch)
	if err == nil {
		err = tidy(ctx, idx)
	}
	if err = errors.Join(err, idx.Close(), x.private()); err == nil {
		err = os.WriteFile(filepath.Join(x.dir, stampName), strconv.AppendUint(nil, n+1, 10), 0o600)
	}
	if err != nil {
		return fmt.Errorf("write the search index: %w", err)
	}
	return nil
}

// private takes the files that bleve wrote from everybody else: it makes them as any program would.
func (x *Index) private() error {
	return filepath.WalkDir(x.dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // merged away meanwhile
		}
		if err != nil || d.IsDir() && path == x.dir {
			return err
		}
		mode := fs.FileMode(0o600)
		if d.IsDir() {
			mode = 0o700
		}
		if err := os.Chmod(path, mode); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// stampName names the number of updates, which is in the index and beside it. Bleve passes over what it cannot read and
// goes on with an older state, or none; with the two numbers that shows.
const stampName = "updates"

// check returns the number of updates that the index had; ErrLost when it forgot some.
func (x *Index) check(idx bleve.Index) (uint64, error) {
	v, err := idx.GetInternal([]byte(stampName))
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrLost, err)
	}
	n := uint64(0)
	if len(v) == 8 {
		n = binary.BigEndian.Uint64(v)
	}
	text, err := os.ReadFile(filepath.Join(x.dir, stampName))
	if want, bad := strconv.ParseUint(string(text), 10, 64); err == nil && (bad != nil || n < want) {
		return 0, fmt.Errorf("%w: it is at update %d of %q", ErrLost, n, text)
	}
	return n, nil
}

// tidy joins pieces of the index when there are many: it is open too shortly for bleve to do that beside the work.
func tidy(ctx context.Context, idx bleve.Index) error {
	inside, err := idx.Advanced()
	if err != nil {
		return err
	}
	if s, ok := inside.(*scorch.Scorch); ok {
		plan := mergeplan.DefaultMergePlanOptions
		return s.ForceMerge(ctx, &plan)
	}
	return nil
}

// layout tells bleve what an entry is: words that are found and not kept, and two exact names.
func layout() mapping.IndexMapping {
	field := func(analyzer string) *mapping.FieldMapping {
		f := bleve.NewTextFieldMapping()
		f.Analyzer, f.Store, f.IncludeTermVectors, f.IncludeInAll, f.DocValues = analyzer, false, false, false, false
		return f
	}
	doc := bleve.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt("t", field(analyzerName))
	doc.AddFieldMappingsAt("d", field(keyword.Name))
	doc.AddFieldMappingsAt("r", field(keyword.Name))
	m := bleve.NewIndexMapping()
	m.DefaultMapping, m.StoreDynamic, m.IndexDynamic, m.DocValuesDynamic = doc, false, false, false
	return m
}

func name(session string, block uint64) string { return fmt.Sprintf("%s/%08d", session, block) }

// Find returns the places with all the words of q, the best first. ErrLost when there is no index, ErrBusy when a writer
// does not let go in time.
func (x *Index) Find(ctx context.Context, q Query) (places []Place, err error) {
	if !x.Exists() {
		return nil, ErrLost
	}
	leave, err := x.lock(ctx, syscall.LOCK_SH, 500*time.Millisecond)
	if err != nil {
		return nil, err
	}
	defer leave()
	err = whole(func() error {
		idx, err := bleve.OpenUsing(x.dir, map[string]interface{}{"read_only": true, "bolt_timeout": "1s"})
		if err != nil {
			return fmt.Errorf("%w: %w", ErrLost, err)
		}
		defer idx.Close()
		if _, err := x.check(idx); err != nil {
			return err
		}
		places, err = find(ctx, idx, q)
		return err
	})
	return places, err
}

func find(ctx context.Context, idx bleve.Index, q Query) ([]Place, error) {
	req := bleve.NewSearchRequestOptions(q.query(), q.Limit, 0, false)
	switch q.Order {
	case "newest":
		req.SortBy([]string{"-_id"})
	case "oldest":
		req.SortBy([]string{"_id"})
	}
	res, err := idx.SearchInContext(ctx, req)
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

func (q Query) query() query.Query {
	term := func(field, text string) query.Query {
		t := bleve.NewTermQuery(text)
		t.SetField(field)
		return t
	}
	var all []query.Query
	for _, w := range q.Words.list {
		var one []query.Query
		for _, t := range w.terms {
			one = append(one, term("t", t))
		}
		if w.prefix {
			p := bleve.NewPrefixQuery(w.text)
			p.SetField("t")
			all = append(all, bleve.NewDisjunctionQuery(append(one, p)...))
			continue
		}
		all = append(all, one...)
	}
	if q.Dir != "" {
		all = append(all, term("d", q.Dir))
	}
	if len(q.Repos) > 0 {
		var any []query.Query
		for _, r := range q.Repos {
			any = append(any, term("r", r))
		}
		all = append(all, bleve.NewDisjunctionQuery(any...))
	}
	return bleve.NewConjunctionQuery(all...)
}
