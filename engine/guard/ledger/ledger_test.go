package ledger

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestRulesStandUnderTheirProjectWithWhatTheyWereMadeFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "approvals.yaml")
	l := Open(path)
	at := time.Date(2026, 11, 30, 20, 0, 0, 0, time.UTC)
	for _, e := range []Entry{{Rule: "command npm test", Made: "$ npm test -- x", At: at}, {Rule: "command npm test", Made: "another", At: at}, {Rule: "exactly ./x", Dir: "/ws/sub", Made: "$ ./x", At: at}} {
		if err := l.Add("/ws", e); err != nil {
			t.Fatal(err)
		}
	}
	other := Open(path) // another window
	got, err := other.Entries("/ws")
	if err != nil || len(got) != 2 || got[0].Made != "$ npm test -- x" || got[1].Dir != "/ws/sub" || !got[0].At.Equal(at) {
		t.Fatalf("%+v, %v", got, err)
	}
	if none, err := other.Entries("/elsewhere"); err != nil || len(none) != 0 {
		t.Errorf("another project: %+v, %v", none, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if found, err := other.Remove(got[0].ID("/ws")); !found || err != nil {
		t.Fatal(found, err)
	}
	if found, _ := l.Remove(got[0].ID("/ws")); found {
		t.Error("removed twice")
	}
	if got, _ := l.Entries("/ws"); len(got) != 1 || got[0].Rule != "exactly ./x" {
		t.Errorf("the first window has %+v", got)
	}
}

func TestAFileThatCannotBeReadAllowsNothingAndIsNotWrittenOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "approvals.yaml")
	const text = "projects: [broken"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l := Open(path)
	if got, err := l.Entries("/ws"); err == nil || len(got) > 0 || !strings.Contains(err.Error(), "None of them is in force") {
		t.Errorf("%+v, %v", got, err)
	}
	if err := l.Add("/ws", Entry{Rule: "command ls"}); err == nil {
		t.Error("it was written over")
	}
	if data, _ := os.ReadFile(path); string(data) != text {
		t.Errorf("it is now %q", data)
	}
}

func TestWindowsThatAddAtTheSameTimeLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "approvals.yaml")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			l := Open(path)
			for j := range 5 {
				if err := l.Add("/ws", Entry{Rule: fmt.Sprintf("command p%d-%d", i, j)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got, err := Open(path).Entries("/ws"); err != nil || len(got) != 40 {
		t.Errorf("%d entries, %v", len(got), err)
	}
}
