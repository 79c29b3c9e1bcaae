package probe

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"talaria/engine/provider"
)

// maxAge is how long what a server once said is believed: a server is restarted with more context, a model replaced by
// its next version under the same name. maxLearned bounds the file; the oldest goes first.
const maxAge, maxLearned = 30 * 24 * time.Hour, 500

// Learned are windows that servers told in their own errors, by base URL and model. The zero value is empty and ready.
// It is safe for concurrent use.
type Learned struct {
	mu  sync.Mutex
	all map[place]learnt
}

type place struct{ base, model string }

type learnt struct {
	tokens int
	at     time.Time
}

// record is a window in the file.
type record struct {
	Base   string    `json:"base_url"`
	Model  string    `json:"model"`
	Tokens int       `json:"tokens"`
	At     time.Time `json:"at"`
}

// Get returns the window of model at baseURL in tokens; ok is false when none was learnt in the last 30 days.
func (l *Learned) Get(baseURL, model string) (tokens int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w, ok := l.all[placeOf(baseURL, model)]
	if !ok || time.Since(w.at) > maxAge {
		return 0, false
	}
	return w.tokens, true
}

// Put remembers a window that the server told. What is no window, or belongs to no model, is left out.
func (l *Learned) Put(baseURL, model string, tokens int) {
	l.put(record{baseURL, model, tokens, time.Now().UTC().Truncate(time.Second)})
}

// put keeps the newer of two.
func (l *Learned) put(r record) {
	at := placeOf(r.Base, r.Model)
	if !believable(r.Tokens) || at.model == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if have, ok := l.all[at]; ok && have.at.After(r.At) {
		return
	}
	if l.all == nil {
		l.all = map[place]learnt{}
	}
	l.all[at] = learnt{r.Tokens, r.At}
}

// placeOf makes spellings of one address one, and drops user and query, which may hold keys.
func placeOf(baseURL, model string) place {
	base := strings.TrimSpace(baseURL)
	if joined, err := provider.JoinURL(base, "/models"); err == nil {
		base = joined
	}
	if u, err := url.Parse(base); err == nil {
		u.Host = strings.ToLower(u.Host)
		base = strings.TrimSuffix(provider.PublicURL(u), "/models")
	} else {
		base = ""
	}
	return place{base, strings.ToLower(strings.TrimSpace(model))}
}

// Load adds what the file at path holds. No file is no error; one that cannot be read is, and leaves l as it is.
func (l *Learned) Load(path string) error {
	list, err := read(path)
	if err != nil {
		return err
	}
	for _, r := range list {
		l.put(r)
	}
	return nil
}

// Save writes everything to path, mode 0600, in one piece. What another process wrote there meanwhile is kept; a file
// that cannot be read is replaced.
func (l *Learned) Save(path string) error {
	if list, err := read(path); err == nil {
		for _, r := range list {
			l.put(r)
		}
	}
	b, err := json.MarshalIndent(struct {
		Windows []record `json:"windows"`
	}{l.records()}, "", "  ")
	if err != nil {
		return fmt.Errorf("save the learnt windows: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return fmt.Errorf("save the learnt windows: %w", err)
	}
	_, err = tmp.Write(append(b, '\n'))
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name()) // what is left of it helps nobody
		return fmt.Errorf("save the learnt windows: %w", err)
	}
	return nil
}

// records lists what is not too old, the newest first.
func (l *Learned) records() []record {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := []record{}
	for at, w := range l.all {
		if time.Since(w.at) <= maxAge {
			list = append(list, record{at.base, at.model, w.tokens, w.at})
		}
	}
	slices.SortFunc(list, func(a, b record) int {
		if c := b.At.Compare(a.At); c != 0 {
			return c
		}
		return strings.Compare(a.Base+a.Model, b.Base+b.Model)
	})
	return list[:min(len(list), maxLearned)]
}

func read(path string) ([]record, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the learnt windows: %w", err)
	}
	var file struct{ Windows []record }
	if err := json.Unmarshal(b, &file); err != nil {
		return nil, fmt.Errorf("read the learnt windows in %s: %w", path, err)
	}
	return file.Windows, nil
}
