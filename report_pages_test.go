package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// aProgram is a program over a home of its own with this configuration.
func aProgram(t *testing.T, yaml string) *program {
	t.Helper()
	home := t.TempDir()
	t.Setenv("TALARIA_HOME", home)
	if err := os.WriteFile(filepath.Join(home, "config.yaml"), []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := configure(flags{}, home)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEverySettingIsListedWithWhereItComesFrom(t *testing.T) {
	p := aProgram(t, "ui: {theme: ember}\nmcp_servers:\n  x:\n    url: https://example.com\n    headers: {Authorization: Bearer sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789}\n")
	r, err := p.reports(nil).Report(context.Background(), "settings")
	if err != nil || len(r.Rows) < 60 {
		t.Fatalf("%d settings, %v", len(r.Rows), err)
	}
	for _, row := range r.Rows {
		if strings.Contains(row.Text+row.Mark+row.Value, "sk-ant-api03") {
			t.Errorf("%s shows a key: %+v", row.Name, row)
		}
		switch row.Name {
		case "ui.theme":
			if row.Mark != "ember" || row.Dim || !strings.Contains(row.Text, "config.yaml") {
				t.Errorf("%+v", row)
			}
		case "agent.max_turns":
			if row.Mark != "90" || row.Value != "90" || !row.Dim || !strings.Contains(row.Text, "default") {
				t.Errorf("%+v", row)
			}
		}
	}
}

func TestAReportOfAFaultIsAFileWithoutSecrets(t *testing.T) {
	p := aProgram(t, "ui: {theme: ember}\n")
	if err := os.WriteFile(p.paths.Log, []byte("line\nOPENAI_API_KEY=sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := p.reports(nil).Report(context.Background(), "bug")
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(p.paths.State, "report-*.txt"))
	if len(files) != 1 {
		t.Fatalf("%v", files)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Doctor:", "ui.theme: ember", "\nline\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not in the report:\n%s", want, text)
		}
	}
	if strings.Contains(string(text)+r.Text, "abcdefghijklmnopqrstuvwxyz0123") {
		t.Errorf("the report holds a key:\n%s", text)
	}
}

func TestThePagesReadAsText(t *testing.T) {
	r, err := aProgram(t, "{}").reports(nil).Report(context.Background(), "changelog")
	if err != nil || !strings.HasPrefix(r.Text, "Changelog") || strings.ContainsAny(r.Text, "`") || strings.Contains(r.Text, "\n  ") {
		t.Errorf("%.100q, %v", r.Text, err)
	}
	if _, err := aProgram(t, "{}").reports(nil).Report(context.Background(), "nonsense"); err == nil {
		t.Error("a page that there is not")
	}
}
