package ui

import (
	"context"
	"errors"
	"testing"
)

// writer is a program that exports; it notes what it was asked.
type writer struct {
	asked []string
	err   error
}

func (w *writer) Formats() []string { return []string{"md", "html", "json"} }

func (w *writer) Export(_ context.Context, id, format string) (string, error) {
	w.asked = append(w.asked, id+" "+format)
	return workDir + "/talaria-" + id + "." + format, w.err
}

func TestTheOpenSessionIsExportedAndTheFileNamed(t *testing.T) {
	story(t, func(t *testing.T) {
		w := &writer{}
		s := open(t, 100, 30, func(s *setting) { s.Exporter = w })
		s.Type("/export html")
		s.Press("enter")
		s.See("nothing to export yet")
		s = working(t, 100, 30, func(s *setting) { s.Exporter = w })
		s.Type("/export html")
		s.Press("enter")
		s.See("Exported to ~/src/shop/talaria-20000101_000000_aaaaaa.html")
		s.Type("/export pdf")
		s.Press("enter")
		s.See("it takes md, html, json")
		s.Type("/export ")
		s.Press("enter")
		s.See("talaria-20000101_000000_aaaaaa.md")
		w.err = errors.New("the disk is full")
		s.Type("/export json")
		s.Press("enter")
		s.See("was not exported: the disk is full", "--output FILE")
		if len(w.asked) != 3 {
			t.Errorf("asked %v", w.asked)
		}
	})
}
