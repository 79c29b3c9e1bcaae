package logbook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTheLogHoldsReasonsAndNoKeyAndStaysSmall(t *testing.T) {
	b := Book{Path: filepath.Join(t.TempDir(), "state", "talaria.log"), Now: time.Now}
	log := b.Logger("info", strings.NewReplacer("plainpassphrase", "[a key that talaria holds]").Replace)
	log.Debug("not wanted")
	log.Info("request repeated", "reason", "rate_limit", "message", "Bearer sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789 and plainpassphrase")
	b.Line("mcp %s: %s", "x", "token=ghp_abcdefghijklmnopqrstuvwxyz0123456789")
	data, err := os.ReadFile(b.Path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, key := range []string{"abcdefghijklmnop", "plainpassphrase", "not wanted"} {
		if strings.Contains(text, key) {
			t.Errorf("%q is in the log:\n%s", key, text)
		}
	}
	if !strings.Contains(text, "reason=rate_limit") || strings.Count(text, "\n") != 2 {
		t.Errorf("%s", text)
	}
	if info, _ := os.Stat(b.Path); info.Mode().Perm() != 0o600 {
		t.Errorf("%v", info.Mode())
	}
	if err := os.Truncate(b.Path, maxSize+1); err != nil {
		t.Fatal(err)
	}
	b.Line("fresh")
	if info, err := os.Stat(b.Path); err != nil || info.Size() > 100 {
		t.Errorf("%v %v", info, err)
	}
	Book{Now: time.Now}.Line("to nowhere")
}
