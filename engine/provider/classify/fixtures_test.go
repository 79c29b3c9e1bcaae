package classify

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
)

func fixtures(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			at := filepath.Join(dir, "..", "shared", "fixtures")
			if _, err := os.Stat(at); err != nil {
				t.Skip("the recorded replies (../shared/fixtures) are not here")
			}
			return at
		}
	}
	t.Fatal("no go.mod above the test")
	return ""
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
}

// Errors of servers of all modes, as they were recorded, get the class that a person gave them.
func TestRecordedErrorsGetTheirClass(t *testing.T) {
	dir := fixtures(t)
	var all map[string]struct {
		Class       string `json:"error_class"`
		Acceptable  []string
		Message     string
		StreamError *struct {
			Message string
			Code    json.RawMessage
		} `json:"stream_error"`
	}
	readJSON(t, filepath.Join(dir, "expected.json"), &all)
	ran, exact := 0, 0
	for id, exp := range all {
		if exp.Class == "" {
			continue
		}
		ran++
		var rec struct {
			Status  int
			Headers map[string]string
			Body    string
		}
		readJSON(t, filepath.Join(dir, "recorded", id+".json"), &rec)
		f := &provider.Failure{Status: rec.Status, Header: http.Header{}, ContentType: rec.Headers["content-type"], Body: []byte(rec.Body)}
		for k, v := range rec.Headers {
			f.Header.Set(k, v)
		}
		if exp.StreamError != nil {
			f.Message, f.Code, f.Body = exp.StreamError.Message, strings.Trim(string(exp.StreamError.Code), `"`), nil
		}
		e := Error(f)
		if string(e.Reason) == exp.Class {
			exact++
		} else if !slices.Contains(exp.Acceptable, string(e.Reason)) {
			t.Errorf("%s: %s, want %s or one of %v: %s", id, e.Reason, exp.Class, exp.Acceptable, e.Message)
		}
		if exp.Message != "" && !strings.Contains(e.Message, firstWords(exp.Message)) {
			t.Errorf("%s: message %q, want %q", id, e.Message, exp.Message)
		}
		if strings.Contains(id, "gemini-error429") && e.Reason == engine.ReasonRateLimit && e.After == 0 {
			t.Errorf("%s: the delay in the body was not found", id)
		}
	}
	if ran < 49 {
		t.Errorf("ran %d recorded errors, want 49", ran)
	}
	t.Logf("%d errors, %d with the first choice of class", ran, exact)
}

// firstWords is enough of a message to know it by: keys in it are masked.
func firstWords(s string) string {
	return strings.Join(strings.Fields(s)[:min(3, len(strings.Fields(s)))], " ")
}
