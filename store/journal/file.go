package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"talaria/engine"
)

// Journal is the file of one session, owned by this process from open or create to close. Lines that could not be
// written wait in pending; good is the length of what is known to be whole, so that what a failed write left behind it
// is cut before the next one. Not safe for concurrent use: the log's mutex guards it.
type Journal struct {
	fs      Files
	dir, id string
	f       File // nil until the first line is written
	frozen  bool // f could only be opened for reading
	good    int64
	torn    bool // Bytes may lie beyond good
	unended bool // the last whole line lacks its line end
	named   bool // the file's name is durable
	header  []byte
	made    fs.FileInfo // of a file that create could not finish
	pending []Entry
	system  string // the prompt that the row lines so far hold
}

// Dir is the folder of the journals of the store in dir.
func Dir(dir string) string { return filepath.Join(dir, "journal") }

// Path is the journal of session id.
func Path(dir, id string) string { return filepath.Join(dir, "journal", id+".jsonl") }

// New returns the journal of session id in dir; nothing is opened or created yet.
func New(dir, id string, files Files) *Journal { return &Journal{fs: files, dir: dir, id: id} }

// Size is the length of what is written, in bytes.
func (j *Journal) Size() int64 { return j.good }

// Waiting are the entries that could not be written yet.
func (j *Journal) Waiting() []Entry { return slices.Clone(j.pending) }

func (j *Journal) path() string { return Path(j.dir, j.id) }

// Open takes ownership of an existing file and returns what is in it, its torn end cut. A missing file is
// fs.ErrNotExist, one that another has is engine.ErrOwned.
func (j *Journal) Open(ctx context.Context) (Scan, error) {
	f, err := j.fs.Open(j.path(), os.O_RDWR)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		f, err = j.fs.Open(j.path(), os.O_RDONLY)
		j.frozen = true
	}
	if err != nil {
		return Scan{}, fmt.Errorf("open journal: %w", err)
	}
	if err := j.claim(ctx, f); err != nil {
		f.Close()
		return Scan{}, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return Scan{}, fmt.Errorf("open journal: %w", err)
	}
	data, err := readAll(f, info.Size())
	if err != nil {
		f.Close()
		return Scan{}, fmt.Errorf("read journal: %w", err)
	}
	s := Read(data)
	j.f, j.good, j.torn, j.unended, j.named = f, s.Good, len(s.Torn) > 0, s.unended, true
	if s.Row != nil {
		j.system = s.Row.System
	}
	j.repair(s)
	return s, nil
}

// claim owns f and makes sure that it is still the file at the path: somebody may have deleted it meanwhile.
func (j *Journal) claim(ctx context.Context, f File) error {
	if err := own(ctx, f); err != nil {
		if errors.Is(err, engine.ErrOwned) {
			return err
		}
		return fmt.Errorf("lock journal: %w", err)
	}
	same, err := j.fs.Same(f, j.path())
	if err == nil && !same {
		err = fs.ErrNotExist
	}
	if err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	return nil
}

// repair keeps what cannot be used in <id>.jsonl.bad and cuts the end. A cut that fails here is made before the first
// write: what it takes away was never acknowledged.
func (j *Journal) repair(s Scan) {
	lost := s.Bad
	if len(s.Torn) > 0 {
		lost = append(lost[:len(lost):len(lost)], s.Torn)
	}
	if KeepBad(j.path()+".bad", lost) == nil && !j.frozen {
		_ = j.cut()
	}
}

// KeepBad appends lines to the file at path, those left out that it holds already.
func KeepBad(path string, lines [][]byte) error {
	if len(lines) == 0 {
		return nil
	}
	had, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var add []byte
	for _, line := range lines {
		if !bytes.Contains(had, line) {
			add = append(append(add, line...), '\n')
		}
	}
	if len(add) == 0 {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(add)
	return errors.Join(err, f.Sync(), f.Close())
}

// Begin sets the row line that heads a new file.
func (j *Journal) Begin(r Row) error {
	body, err := encodeRowLine(r, "", time.Now())
	if err != nil {
		return err
	}
	j.header = seal(body)
	if j.f == nil {
		j.system = r.System
	}
	return nil
}

// Add puts entries behind what waits.
func (j *Journal) Add(list ...Entry) { j.pending = append(j.pending, list...) }

// Flush writes what waits and makes it durable. After an error everything still waits.
func (j *Journal) Flush() error {
	if len(j.pending) == 0 {
		return nil
	}
	if err := j.ready(); err != nil {
		return err
	}
	var lines []byte
	if j.good == 0 {
		lines = append(lines, j.header...)
	}
	for _, e := range j.pending {
		lines = append(lines, seal(e.Body)...)
	}
	if err := j.write(lines, true); err != nil {
		return err
	}
	j.pending = nil
	return nil
}

// WriteRow appends a row line behind the records. It is synced only when the database could not take the row.
func (j *Journal) WriteRow(r Row, sync bool) error {
	body, err := encodeRowLine(r, j.system, time.Now())
	if err != nil {
		return err
	}
	if err := j.ready(); err != nil {
		return err
	}
	if j.good == 0 {
		return errors.New("write journal: the row has no records before it")
	}
	if err := j.write(seal(body), sync); err != nil {
		return err
	}
	j.system = r.System
	return nil
}

// write puts lines at the end of what is whole. After a failed sync the bytes count as not written: the kernel may have
// dropped them and would call the next sync a success, so they are cut and written anew.
func (j *Journal) write(lines []byte, sync bool) error {
	j.torn = true
	if j.unended {
		lines = append([]byte("\n"), lines...)
	}
	_, err := j.f.WriteAt(lines, j.good)
	if err == nil && sync {
		err = j.f.Sync()
	}
	if err == nil && !j.named {
		err = j.fs.SyncDir(Dir(j.dir))
	}
	if err != nil {
		_ = j.cut() // or the next write does
		return fmt.Errorf("write journal: %w", err)
	}
	j.named, j.torn, j.unended = true, false, false
	j.good += int64(len(lines))
	return nil
}

func (j *Journal) cut() error {
	if !j.torn {
		return nil
	}
	if err := j.f.Truncate(j.good); err != nil {
		return fmt.Errorf("cut the torn end of the journal: %w", err)
	}
	j.torn = false
	return nil
}

// ready makes sure that there is a file of ours at the path, writable and cut to what is whole.
func (j *Journal) ready() error {
	if j.f == nil {
		return j.create(nil)
	}
	same, err := j.fs.Same(j.f, j.path())
	if err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	if !same {
		return j.create(j.f) // it was removed under us; we still have its bytes
	}
	if j.frozen {
		if err := j.thaw(); err != nil {
			return err
		}
	}
	return j.cut()
}

// create makes the file and copies the whole lines of old, when there is one, into it.
func (j *Journal) create(old File) error {
	if err := j.fs.MakeDir(Dir(j.dir)); err != nil {
		return fmt.Errorf("create journal: %w", err)
	}
	f, err := j.begun()
	if err != nil {
		return fmt.Errorf("create journal: %w", err)
	}
	if err = j.claim(context.Background(), f); err == nil {
		err = j.empty(f)
	}
	if err == nil && old != nil {
		err = copyLines(f, old, j.good)
	}
	if err != nil {
		f.Close()
		return fmt.Errorf("create journal: %w", err)
	}
	if old != nil {
		old.Close()
	}
	j.f, j.named, j.torn, j.frozen, j.made = f, false, false, false, nil
	return nil
}

// begun opens a new file, or the one that is there: the first steps of an earlier try may have failed.
func (j *Journal) begun() (File, error) {
	f, err := j.fs.Open(j.path(), os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if errors.Is(err, fs.ErrExist) {
		return j.fs.Open(j.path(), os.O_RDWR)
	}
	if err == nil {
		j.made, _ = f.Stat() // without it only an empty file is known to be ours
	}
	return f, err
}

// empty clears what an earlier try left in f, which is claimed. Something of another is an error.
func (j *Journal) empty(f File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() > 0 && (j.made == nil || !os.SameFile(info, j.made)) {
		return fs.ErrExist
	}
	return f.Truncate(0)
}

func copyLines(to, from File, size int64) error {
	buf := make([]byte, 1<<20)
	for at := int64(0); at < size; {
		n, err := from.ReadAt(buf[:min(int64(len(buf)), size-at)], at)
		if n == 0 && err != nil {
			return err
		}
		if _, err := to.WriteAt(buf[:n], at); err != nil {
			return err
		}
		at += int64(n)
	}
	return nil
}

// thaw opens for writing what could only be read before.
func (j *Journal) thaw() error {
	f, err := j.fs.Open(j.path(), os.O_RDWR)
	if err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	j.f.Close() // its lock would stand in the way of ours
	j.f = f
	if err := j.claim(context.Background(), f); err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	j.frozen = false
	return nil
}

// Bytes returns the whole lines.
func (j *Journal) Bytes() ([]byte, error) {
	if j.f == nil {
		return nil, nil
	}
	data, err := readAll(j.f, j.good)
	if err == nil && int64(len(data)) < j.good {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return data, fmt.Errorf("read journal: %w", err)
	}
	return data, nil
}

// Close gives the journal free.
func (j *Journal) Close() error {
	if j.f == nil {
		return nil
	}
	err := j.f.Close()
	j.f = nil
	return err
}
