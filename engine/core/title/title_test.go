package title

import (
	"context"
	"errors"
	"strings"
	"testing"

	"talaria/engine"
)

func says(text string) engine.Aux {
	return func(context.Context, engine.Request) (engine.Message, error) {
		return engine.Message{Role: engine.RoleAssistant, Parts: engine.Parts{engine.Text{Text: text}}}, nil
	}
}

func TestATitleIsOneShortPlainLineWhateverTheModelSays(t *testing.T) {
	for said, want := range map[string]string{
		"Fix the flaky checkout test":              "Fix the flaky checkout test",
		"\n\n\"Fix the flaky test.\"\nIt is about": "Fix the flaky test",
		"Title: **Fix the flaky test**":            "Fix the flaky test",
		"# Fix the test\x1b]0;pwned\x07":           "Fix the test ]0;pwned",
		"«Тест корзины»":                           "Тест корзины",
		strings.Repeat("word ", 40):                strings.TrimSpace(strings.Repeat("word ", 12)[:59]) + "…",
	} {
		if got, err := Make(t.Context(), says(said), "q", "a"); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", said, got, err, want)
		}
	}
	for _, said := range []string{"", " \n\t", "\"\"", "..", "ok"} {
		if got, err := Make(t.Context(), says(said), "q", "a"); err == nil {
			t.Errorf("%q: %q", said, got)
		}
	}
}

func TestTheModelSeesTheBeginningOfBothSidesOnly(t *testing.T) {
	var req engine.Request
	_, err := Make(t.Context(), func(_ context.Context, r engine.Request) (engine.Message, error) {
		req = r
		return engine.Message{}, errors.New("no")
	}, strings.Repeat("q", 5000), strings.Repeat("a", 5000))
	if err == nil || err.Error() != "no" {
		t.Error(err)
	}
	if text := req.Messages[0].Text(); len(text) > 1200 || !strings.Contains(text, "qqq") || !strings.Contains(text, "aaa") || len(req.Tools) != 0 || req.System == "" {
		t.Errorf("%d bytes: %.80s", len(text), text)
	}
}

func TestWithoutAModelTheFirstWordsAreTheTitle(t *testing.T) {
	for text, want := range map[string]string{"hi there\nmore": "hi there", "\n \n\u200b\nsecond": "second", "": "Untitled", strings.Repeat("長", 80): strings.Repeat("長", 59) + "…",
		"\n\n  fix the\tbug \x1b]0;pwn\x07 now\nmore": "fix the bug ]0;pwn now"} {
		if got := Of(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
