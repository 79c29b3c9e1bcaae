package journal

import (
	"strings"
	"testing"
	"time"

	"talaria/engine"
)

// TestARowThatACrashLeftIsReadFromItsRecords: a reply that was stored while it arrived counts as no message, and the last
// exchange is told as far as a list shows it.
func TestARowThatACrashLeftIsReadFromItsRecords(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	said := func(role engine.Role, text string, aside bool) engine.Record {
		return engine.Record{At: at, Event: engine.Appended{Message: engine.Message{ID: text[:3], Role: role, Aside: aside, Parts: engine.Parts{engine.Text{Text: text}}}}}
	}
	var r Row
	for _, rec := range []engine.Record{said(engine.RoleUser, "\nwhy is\nit so?", false), said(engine.RoleAssistant, "Because.\n\n1. "+strings.Repeat("reason ", 90), false),
		said(engine.RoleUser, "and 为什么?", false), said(engine.RoleAssistant, "Well", true), said(engine.RoleAssistant, "Well, it", true)} {
		r.count(rec)
	}
	if r.Messages != 3 || r.Title != "why is" || r.Last != "and 为什么?" {
		t.Errorf("%+v", r.Session)
	}
	r = Row{}
	r.count(said(engine.RoleAssistant, "Because.\n\n1. "+strings.Repeat("reason ", 90), false))
	if n := len([]rune(r.Last)); n != lastLength || !strings.HasPrefix(r.Last, "Because. 1. reason reason") || !strings.HasSuffix(r.Last, "…") {
		t.Errorf("%d characters: %q", n, r.Last)
	}
}
