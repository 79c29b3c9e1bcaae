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
	"syscall"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"
	"github.com/blevesearch/bleve/v2/registry"
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
	From  int    // how many places to pass over
	Limit int
}

// ErrLost says that there is no index that can be used: it has to be made anew.
var ErrLost = errors.New("the search index is missing or damaged")

// ErrBusy says that another process is writing the index.
var ErrBusy = errors.New("the search index is being written")

// format is the name of the folder: another layout gets another one.
const format = "3"

// The names of our rules in the index: for words, and for parts of words.
const (
	analyzerName = "talaria"
	gramsName    = "talaria-parts"
)

func init() {
	for name, t := range map[string]analysis.Tokenizer{analyzerName: tokens{}, gramsName: gramTokens{}} {
		if err := registry.RegisterAnalyzer(name, func(map[string]interface{}, *registry.Cache) (analysis.Analyzer, error) {
			return &analysis.DefaultAnalyzer{Tokenizer: t}, nil
		}); err != nil {
			panic(err) // the name is taken: a mistake of ours
		}
	}
}

// Index is the index of one store. It is safe for concurrent use, also by several processes.
type Index struct {
	Spare     uint64 // bytes of it that deleted sessions may always have; set before the first use
	root, dir string
}

// New returns the index in the store's directory; nothing is touched.
func New(dir string) *Index {
	root := filepath.Join(dir, "search")
	return &Index{Spare: spare, root: root, dir: filepath.Join(root, format)}
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
	if _, err := os.Stat(x.root); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
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
		if err := os.RemoveAll(x.root); err != nil { // one of an older layout
			return fmt.Errorf("clear an old search index: %w", err)
		}
		if err := os.MkdirAll(x.root, 0o700); err != nil {
			return fmt.Errorf("create the search index: %w", err)
		}
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
			// bleve never writes a lone piece anew, however much of it was taken out: there is always a second one
			if err := batch.Index(secondName, map[string]interface{}{}); err != nil {
				return errors.Join(fmt.Errorf("take session %s out of the index: %w", e.Session, err), idx.Close())
			}
			continue
		}
		if err := batch.Index(id, map[string]interface{}{fieldWords: e.Text, fieldDir: e.Dir, fieldRepo: e.Repo}); err != nil {
			return errors.Join(fmt.Errorf("index session %s: %w", e.Session, err), idx.Close())
		}
	}
	err = idx.Batch(batch)
	if err == nil {
		err = x.tidy(ctx, idx)
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

// secondName is the name of an entry without words, which is in the index after a deletion.
const secondName = "~"

// tidy joins pieces of the index when there are many: it is open too shortly for bleve to do that beside the work. When
// most of it is of deleted sessions, all pieces are written anew as one.
func (x *Index) tidy(ctx context.Context, idx bleve.Index) error {
	inside, err := idx.Advanced()
	if err != nil {
		return err
	}
	s, ok := inside.(*scorch.Scorch)
	if !ok {
		return nil
	}
	plan := mergeplan.DefaultMergePlanOptions
	if _, used, idle := sizes(s); idle <= x.Spare || idle <= used/2 {
		return s.ForceMerge(ctx, &plan)
	}
	plan = mergeplan.SingleSegmentMergePlanOptions
	if err := s.ForceMerge(ctx, &plan); err != nil {
		return err
	}
	// The pieces before are removed a moment later, by a goroutine that ends with the index.
	for range mostLooks {
		if all, used, _ := sizes(s); all <= used+x.Spare {
			break
		}
		select {
		case <-ctx.Done():
			return nil // they are removed when it is opened again
		case <-time.After(10 * time.Millisecond):
		}
	}
	return nil
}

// sizes is how many bytes all files of an index have, those that are in use, and of these what was taken out.
func sizes(s *scorch.Scorch) (all, used, idle uint64) {
	m := s.StatsMap()
	all, _ = m["num_bytes_used_disk"].(uint64)
	used, _ = m["num_bytes_used_disk_by_root"].(uint64)
	idle, _ = m["num_bytes_used_disk_by_root_reclaimable"].(uint64)
	return all, used, idle
}

const (
	spare     = 4 << 20 // bytes
	mostLooks = 500     // at files that are to be removed
)
