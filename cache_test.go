package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"talaria/engine"
)

// shelf counts what a provider with a prompt cache would: tools, prompt and messages are blocks in this order; a request
// reads the longest beginning that an earlier one kept, and is looked for from each of its marks a few blocks back; what
// stands before a mark is kept.
type shelf struct {
	mu   sync.Mutex
	kept map[[32]byte]bool
	all  []engine.Usage
}

// lookBack is how many blocks before a mark are looked at (the provider's documentation says 20).
const lookBack = 20

// charsPerToken is what the fake provider takes for a token.
const charsPerToken = 4

func (s *shelf) count(t *testing.T, body []byte) engine.Usage {
	var r struct{ Tools, System, Messages []json.RawMessage }
	if err := json.Unmarshal(body, &r); err != nil {
		t.Errorf("%v in %s", err, body)
	}
	blocks := append(r.Tools, r.System...)
	for _, m := range r.Messages {
		var one struct {
			Role    string
			Content []json.RawMessage
		}
		if err := json.Unmarshal(m, &one); err != nil {
			t.Errorf("%v in %s", err, m)
		}
		blocks = append(blocks, one.Content...)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sums, sizes, marked := make([][32]byte, len(blocks)), make([]int, len(blocks)+1), []int{}
	hash := sha256.New()
	for i, b := range blocks {
		clean := marks.ReplaceAll(b, nil)
		if len(clean) != len(b) {
			marked = append(marked, i)
		}
		hash.Write(clean)
		sums[i], sizes[i+1] = [32]byte(hash.Sum(nil)), sizes[i]+len(clean)
	}
	read := 0
	for _, m := range marked {
		for i := m; i >= max(0, m-lookBack); i-- {
			if s.kept[sums[i]] {
				read = max(read, sizes[i+1])
				break
			}
		}
	}
	write := 0
	for _, m := range marked {
		s.kept[sums[m]] = true
		write = max(write, sizes[m+1])
	}
	u := engine.Usage{Input: sizes[len(blocks)] / charsPerToken, CacheRead: read / charsPerToken, CacheWrite: max(0, write-read) / charsPerToken, Output: 20}
	s.all = append(s.all, u)
	return u
}

// Sixty turns with tools, the built prompt, a memory that changes meanwhile and instructions of a subdirectory: after the
// second turn at least 95 % of what is sent is read from the provider's cache.
func TestSixtyTurnsAreReadFromTheCache(t *testing.T) {
	keepAWSOut(t)
	s, name := speakers[2], "claude-opus-4-6"
	cache := &shelf{kept: map[[32]byte]bool{}}
	server := newStation(t, func(n int, body []byte) http.Handler {
		u := cache.count(t, body)
		reply := said{Text: fmt.Sprintf("Answer %d: the file says what it says, and that is all there is to it.", n), Usage: u}
		if n%2 == 0 {
			reply = said{Thought: "hm", Seal: "c2VhbA+/==", Usage: u, Calls: []engine.Call{{ID: fmt.Sprintf("call_%d", n), Name: "read_file", Args: fmt.Sprintf(`{"path":"sub/%d.txt"}`, n/2%7)}}}
		}
		if n == 20 {
			reply.Calls[0].Name, reply.Calls[0].Args = "memory", `{"action":"add","target":"user","content":"likes short answers"}`
		}
		return closing{s.answer(name, reply)}
	})
	l := newBuiltLife(t, cachedAt(t, s, server.URL, "custom", name, "5m"))
	if err := os.Mkdir(filepath.Join(l.dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 7 {
		if err := os.WriteFile(filepath.Join(l.dir, "sub", fmt.Sprintf("%d.txt", i)), bytes.Repeat([]byte("a line of text\n"), 15), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(l.dir, "sub", "AGENTS.md"), []byte("Only tabs in here."), 0o600); err != nil {
		t.Fatal(err)
	}
	told := engine.Usage{}
	for turn := range 60 {
		r := l.say(fmt.Sprintf("question %d about the files in sub", turn))
		told = told.Add(r.outcome.Usage)
	}
	if len(cache.all) != 120 {
		t.Fatalf("%d requests", len(cache.all))
	}
	var later, all engine.Usage
	for i, u := range cache.all {
		if all = all.Add(u); i >= 4 { // two requests a turn
			later = later.Add(u)
		}
	}
	share := float64(later.CacheRead) / float64(later.Input)
	t.Logf("%.1f%% of %d input tokens after the second turn are read from the cache; %d tokens in the last request", 100*share, later.Input, cache.all[119].Input)
	if share < 0.95 {
		t.Errorf("%.1f%%", 100*share)
	}
	if told.CacheRead != all.CacheRead || told.Input != all.Input {
		t.Errorf("counted %d of %d input and %d of %d cached tokens", told.Input, all.Input, told.CacheRead, all.CacheRead)
	}
}
