// Package adopt reads the sessions of other programs, Claude Code, Codex and Hermes, as messages of ours. It reads their
// files as their own readers publish them and writes nothing.
//
// It refuses to believe them: what is not understood is skipped and counted, a damaged line loses itself alone, every call
// gets exactly one result, and neither seals of reasoning nor other state of a provider is taken over, since they are good
// for the program that got them only.
package adopt

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"talaria/engine"
)

// Tool is a program whose sessions can be read.
type Tool string

// The programs.
const (
	Claude Tool = "claude"
	Codex  Tool = "codex"
	Hermes Tool = "hermes"
)

// Tools are all of them.
func Tools() []Tool { return []Tool{Claude, Codex, Hermes} }

// String is the program's own name.
func (t Tool) String() string {
	return map[Tool]string{Claude: "Claude Code", Codex: "Codex", Hermes: "Hermes"}[t]
}

// Source is a file that holds a session of Tool.
type Source struct {
	Tool Tool
	Path string
}

// Head is what is known of a session without its messages. Skipped counts the records that are not understood by their
// type, Damaged the lines that are no JSON or are cut off. First is how the user began. Provider, Model and BaseURL are
// what the file tells of the last model that answered. Turns counts the user's own messages. Parts counts what the
// conversation consists of: a summary of what was said so far begins a new one.
type Head struct {
	Tool     Tool           `json:"tool"`
	ID       string         `json:"id"`
	Path     string         `json:"path"`
	Title    string         `json:"title"`
	First    string         `json:"first,omitempty"`
	Dir      string         `json:"dir,omitempty"`
	Provider string         `json:"provider,omitempty"`
	Model    string         `json:"model,omitempty"`
	BaseURL  string         `json:"base_url,omitempty"`
	Began    time.Time      `json:"began"`
	Ended    time.Time      `json:"ended"`
	Messages int            `json:"messages"`
	Turns    int            `json:"turns"`
	Parts    int            `json:"parts"`
	Skipped  map[string]int `json:"skipped,omitempty"`
	Damaged  int            `json:"damaged,omitempty"`
	dated    bool           // the file tells times
}

// SessionID is the id that part of the session has with us: the same for the same session, whenever it is read. Parts
// count from 0.
func (h Head) SessionID(part int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", h.Tool, h.ID, part))
	at := h.Began
	if !h.dated {
		at = time.Unix(0, 0) // the file's own time changes when it grows
	}
	return at.UTC().Format("20060102_150405_") + hex.EncodeToString(sum[:3])
}

// Skips is how many records were skipped, damaged ones apart.
func (h Head) Skips() (n int) {
	for _, k := range h.Skipped {
		n += k
	}
	return n
}

// Piece is one message and the part of the conversation that it stands in.
type Piece struct {
	Message engine.Message
	Part    int
}

// Read reads the session from its beginning to its end and hands each message to yield, which may be nil; an error of
// yield ends the reading and is returned. Messages have the same ids whenever they are read. What it holds in memory does
// not grow with the texts in the file.
func (s Source) Read(yield func(Piece) error) (Head, error) {
	f, err := os.Open(s.Path)
	if err != nil {
		return Head{}, fmt.Errorf("read a session of %s: %w", s.Tool, err)
	}
	defer f.Close()
	at := time.Time{}
	if info, err := f.Stat(); err == nil {
		at = info.ModTime() // for a file that tells no times
	}
	return s.readFrom(f, at, yield)
}

// readFrom is Read of what f holds.
func (s Source) readFrom(f io.ReadSeeker, at time.Time, yield func(Piece) error) (Head, error) {
	h := Head{Tool: s.Tool, Path: s.Path, ID: strings.TrimSuffix(filepath.Base(s.Path), filepath.Ext(s.Path)), Skipped: map[string]int{}}
	b := newBuilder(&h, yield)
	b.last = at
	read := map[Tool]func(io.ReadSeeker, *builder) error{Claude: readClaude, Codex: readCodex, Hermes: readHermes}[s.Tool]
	if read == nil {
		return h, fmt.Errorf("read a session of %q: that program is not known", s.Tool)
	}
	if err := read(f, b); err != nil {
		return h, fmt.Errorf("read %s: %w", s.Path, err)
	}
	b.close()
	h.finish(b.last)
	return h, b.err
}

// finish fills in what the file did not tell.
func (h *Head) finish(last time.Time) {
	if h.dated = !h.Began.IsZero(); !h.dated {
		h.Began = last
	}
	if h.Ended.IsZero() {
		h.Ended = h.Began
	}
	if len(h.Skipped) == 0 {
		h.Skipped = nil
	}
}
