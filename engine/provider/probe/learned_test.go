package probe

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestE02AWindowThatTheServerToldSurvives(t *testing.T) {
	path := filepath.Join(t.TempDir(), "windows.json")
	var l Learned
	if err := l.Load(path); err != nil {
		t.Fatalf("without a file: %v", err)
	}
	if _, ok := l.Get("http://127.0.0.1:8080/v1", "m"); ok {
		t.Error("an empty store knows a window")
	}
	l.Put("http://User:pass@127.0.0.1:8080/v1/?key=secret", "Q.gguf", 123904)
	if err := l.Save(path); err != nil {
		t.Fatal(err)
	}
	var again Learned
	if err := again.Load(path); err != nil {
		t.Fatal(err)
	}
	for _, base := range []string{"http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1/chat/completions", " http://127.0.0.1:8080 "} {
		if n, ok := again.Get(base, "q.gguf"); n != 123904 || !ok {
			t.Errorf("%s: %d, %v", base, n, ok)
		}
	}
	if _, ok := again.Get("http://127.0.0.1:8081/v1", "q.gguf"); ok {
		t.Error("another server has the window too")
	}
	b, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(b), "secret") || strings.Contains(string(b), "pass") {
		t.Errorf("%v: %s", err, b)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestTwoProgramsKeepWhatTheOtherLearnt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "windows.json")
	var a, b Learned
	a.Put("http://h.test/v1", "a", 1000)
	b.Put("http://h.test/v1", "b", 2000)
	for _, l := range []*Learned{&a, &b} {
		if err := l.Save(path); err != nil {
			t.Fatal(err)
		}
	}
	var c Learned
	if err := c.Load(path); err != nil {
		t.Fatal(err)
	}
	if n, _ := c.Get("http://h.test/v1", "a"); n != 1000 {
		t.Errorf("a: %d", n)
	}
	if n, _ := c.Get("http://h.test/v1", "b"); n != 2000 {
		t.Errorf("b: %d", n)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestTheNewerWordCountsAndAnOldOneIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l Learned
		l.Put("http://h.test", "m", 9000)
		time.Sleep(time.Hour)
		l.Put("http://h.test", "m", 5000)
		l.Put("http://h.test", "m", 0) // no window
		l.put(record{"http://h.test", "m", 7000, time.Now().Add(-time.Minute)})
		if n, ok := l.Get("http://h.test", "m"); n != 5000 || !ok {
			t.Errorf("%d, %v", n, ok)
		}
		time.Sleep(maxAge)
		if n, ok := l.Get("http://h.test", "m"); n != 5000 || !ok {
			t.Errorf("on its last day: %d, %v", n, ok)
		}
		time.Sleep(2 * time.Second)
		if _, ok := l.Get("http://h.test", "m"); ok || len(l.records()) != 0 {
			t.Error("still believed after a month")
		}
	})
}

func TestADamagedFileIsSaidAndReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "windows.json")
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	var l Learned
	l.Put("http://h.test", "m", 9000)
	if err := l.Load(path); err == nil {
		t.Error("a damaged file was read without a word")
	}
	if err := l.Save(path); err != nil {
		t.Fatal(err)
	}
	if err := l.Load(path); err != nil {
		t.Error(err)
	}
	if err := l.Save(filepath.Join(path, "below", "a file")); err == nil {
		t.Error("saved below a file")
	}
}

func TestTheFileStaysSmall(t *testing.T) {
	var l Learned
	for i := range maxLearned + 20 {
		l.put(record{"http://h.test", strings.Repeat("m", i+1), 9000, time.Now().Add(time.Duration(-i) * time.Minute)})
	}
	if list := l.records(); len(list) != maxLearned || list[0].Model != "m" {
		t.Errorf("%d records, first %q", len(list), list[0].Model)
	}
}

func TestManyMayLearnAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "windows.json")
	var l Learned
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			l.Put("http://h.test", strings.Repeat("m", i+1), 9000+i)
			l.Get("http://h.test", "m")
			if err := l.Save(path); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := l.Save(path); err != nil {
		t.Error(err)
	}
	var again Learned
	if err := again.Load(path); err != nil || len(again.records()) != 20 {
		t.Errorf("%v, %d records", err, len(again.records()))
	}
}
