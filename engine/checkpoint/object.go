package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/zstd"

	"talaria/engine"
)

// Options say where copies are kept and how many. A limit of 0 or less is none.
type Options struct {
	Dir       string        // the directory "checkpoints"
	MaxBytes  int64         // of all copies together, compressed
	MaxAge    time.Duration // of a session's log
	MaxFile   int64         // bytes of a file that is still kept
	Now       func() time.Time
	Write     func(path string, data []byte, mode fs.FileMode) error // makes data the content of a file, in one step
	Lost      func(text string)                                      // takes what cannot be kept, in words
	CommandIn time.Duration                                          // how long a look at the files around a command may take; 0: 250 ms
}

// Store keeps the copies of all sessions. It is safe for concurrent use; several programs may use one directory.
type Store struct {
	o Options

	size   atomic.Int64 // bytes of all copies, as far as known
	sized  sync.Once
	packer func() (*zstd.Encoder, error)
	opener func() (*zstd.Decoder, error)
}

// errGone is the error of a copy that is not there any more.
var errGone = errors.New("its copy was removed to stay below checkpoints.max_mb and max_days")

// Open returns a store over o.Dir, which is made when the first copy is kept.
func Open(o Options) *Store {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Lost == nil {
		o.Lost = func(string) {}
	}
	if o.CommandIn <= 0 {
		o.CommandIn = 250 * time.Millisecond
	}
	return &Store{o: o,
		packer: sync.OnceValues(func() (*zstd.Encoder, error) {
			return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
		}),
		opener: sync.OnceValues(func() (*zstd.Decoder, error) { return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1)) })}
}

func (s *Store) objectPath(hash string) string {
	return filepath.Join(s.o.Dir, "objects", hash[:2], hash[2:]+".zst")
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// put keeps data, durably, and returns its hash. What is there already is only marked as used now.
func (s *Store) put(data []byte) (string, error) {
	hash := hashOf(data)
	path := s.objectPath(hash)
	now := s.o.Now()
	if os.Chtimes(path, now, now) == nil {
		return hash, nil
	}
	enc, err := s.packer()
	if err != nil {
		return "", fmt.Errorf("compress: %w", err)
	}
	packed := enc.EncodeAll(data, nil)
	if err := s.makeRoom(int64(len(packed))); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	if err := writeNew(path, packed); err != nil {
		return "", err
	}
	_ = os.Chtimes(path, now, now) // it only says which copy is the oldest
	s.size.Add(int64(len(packed)))
	return hash, nil
}

// writeNew makes data the content of path in one step, for the user alone.
func writeNew(path string, data []byte) error {
	temp := path + engine.NewID(".") + ".tmp"
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}

// get returns what was kept under hash; errGone when it is not there any more.
func (s *Store) get(hash string) ([]byte, error) {
	packed, err := os.ReadFile(s.objectPath(hash))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errGone
	}
	if err != nil {
		return nil, err
	}
	dec, err := s.opener()
	if err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
	}
	data, err := dec.DecodeAll(packed, nil)
	if err != nil || hashOf(data) != hash {
		return nil, fmt.Errorf("its copy is damaged")
	}
	return data, nil
}

// has reports whether the copy is there.
func (s *Store) has(hash string) bool {
	_, err := os.Stat(s.objectPath(hash))
	return err == nil
}

// State is what a file is at one moment. Hash is "" for what is no file (Absent) and for what was not kept, whose Why
// says the reason.
type State struct {
	Hash   string      `json:"hash,omitempty"`
	Size   int64       `json:"size,omitempty"`
	Mode   fs.FileMode `json:"mode,omitempty"`
	Absent bool        `json:"absent,omitempty"`
	Why    string      `json:"why,omitempty"`
}

// same reports whether two states are known to be the same content.
func (a State) same(b State) bool {
	if a.Absent || b.Absent {
		return a.Absent == b.Absent
	}
	return a.Hash != "" && a.Hash == b.Hash
}

// look returns the state of path, and its content where that is of a size to be kept.
func (s *Store) look(path string) (State, []byte) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return State{Absent: true}, nil
	case err != nil:
		return State{Why: err.Error()}, nil
	}
	st := State{Size: info.Size(), Mode: info.Mode()}
	switch {
	case !info.Mode().IsRegular():
		st.Why = "it is no ordinary file"
		return st, nil
	case s.o.MaxFile > 0 && info.Size() > s.o.MaxFile:
		st.Why = fmt.Sprintf("it has %d MB, more than checkpoints.max_file_mb allows (%d)", info.Size()>>20, s.o.MaxFile>>20)
		return st, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		st.Why = plain(err)
		return st, nil
	}
	st.Hash, st.Size = hashOf(data), int64(len(data))
	return st, data
}

// keep is look, with the content kept.
func (s *Store) keep(path string) State {
	st, data := s.look(path)
	if st.Hash == "" {
		return st
	}
	if _, err := s.put(data); err != nil {
		st.Hash, st.Why = "", "keeping a copy failed: "+plain(err)
	}
	return st
}

// plain is the reason of an error without the path that the reader knows.
func plain(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// text returns the content of a state as lines for a diff; what is no text has none.
func (s *Store) text(st State) (string, error) {
	if st.Absent {
		return "", nil
	}
	if st.Hash == "" {
		return "", errors.New(st.Why)
	}
	data, err := s.get(st.Hash)
	if err != nil {
		return "", err
	}
	if bytes.IndexByte(data[:min(len(data), 64<<10)], 0) >= 0 {
		return "", errors.New("it is binary")
	}
	return strings.ToValidUTF8(strings.ReplaceAll(string(data), "\r\n", "\n"), "\uFFFD"), nil
}
