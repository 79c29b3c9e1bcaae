package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"talaria/engine"
)

// elsewhere puts the sessions of other programs where these keep them, below the home of p.
func elsewhere(t *testing.T, p place) {
	t.Helper()
	for from, to := range map[string]string{
		"0b3f2a10-5c1d-4e7a-9b66-1d2e3f405161.jsonl":                             ".claude/projects/-home-mira-shop",
		"rollout-2026-04-03T10-20-30-0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b.jsonl": ".codex/sessions/2026/04/03",
		"session_20260505_070809_abc123.json":                                    ".hermes/sessions",
		"20260506_101112_beefcafe.jsonl":                                         ".hermes/sessions",
	} {
		data, err := os.ReadFile(filepath.Join("store/adopt/testdata", from))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(p.home, to), 0o700); err != nil {
			t.Fatal(err)
		}
		// The validators of requests read no pictures.
		text := strings.ReplaceAll(string(data), `, {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}`, "")
		p.write(filepath.Join(p.home, to, from), text)
	}
}

// builds makes the program.
func builds(t *testing.T) {
	t.Helper()
	if err := build(); err != nil {
		t.Fatal(err)
	}
}

// imported are the ids of the sessions that a run of the import names.
func imported(out string) []string {
	return regexp.MustCompile(`(?m)^\d{8}_\d{6}_[0-9a-f]{6}`).FindAllString(out, -1)
}

// TestImportedSessionsGoOnInEveryMode: each session of the other programs is resumed in each protocol, where the request is
// valid, holds the whole history and nothing that is another provider's own.
func TestImportedSessionsGoOnInEveryMode(t *testing.T) {
	t.Parallel()
	builds(t)
	for _, s := range speakers {
		t.Run(string(s.mode), func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, quick)
			elsewhere(t, p)
			code, out, errs := p.run("sessions", "import", "--all")
			ids := imported(out)
			if code != 0 || len(ids) != 4 {
				t.Fatalf("import: exit %d: %s%s", code, out, errs)
			}
			for i, id := range ids {
				if s.mode != engine.ChatCompletions && i%2 == 0 {
					continue // enough, and every run of the program takes its time
				}
				server := newStation(t, s.playing("m", said{Text: "Gladly."}))
				code, stdout, stderr := p.run("-p", "and now?", "-r", id, "--api-mode", string(s.mode), "--base-url", server.URL, "-m", "m", "--output", "json")
				if r := readReport(t, stdout); code != 0 || r.Final != "Gladly." || r.SessionID != id {
					t.Fatalf("%s: exit %d: %s%s", id, code, stdout, stderr)
				}
				text := s.valid(t, "m", server.requests())[0].text()
				for _, want := range map[string][]string{
					"20260302": {"结账测试有时失败", "time.Sleep(10)", "Bash", "cat .env.test", "sk_liv…NOPQ", "nanoseconds"},
					"20260403": {"make the heading bigger", "rg: no matches", "apply_patch", "font-size: 2em", "Заголовок увеличен", "and the footer?"},
					"20260505": {"which port", "grep -n port", "port = 8081", "Let me be sure.", "line 3"},
					"20260506": {"今天的部署怎么样？", "一切正常。", "A chart."},
				}[id[:8]] {
					if !strings.Contains(text, want) {
						t.Errorf("%s: %q is lost: %s", id, want, text)
					}
				}
				for _, never := range []string{"sealseal", "gAAAAA", "sk_live_51Hxyz", "delete the flaky test", "no, undo that", "AGENTS.md", "Two files may tell", "Looking for the heading"} {
					if strings.Contains(string(server.requests()[0].body), never) {
						t.Errorf("%s: the request holds %q", id, never)
					}
				}
			}
		})
	}
}

// TestASecondImportBringsOnlyWhatIsNew: a session that grew in the other program grows here, one that went on here is left
// alone, and nothing stands twice.
func TestASecondImportBringsOnlyWhatIsNew(t *testing.T) {
	t.Parallel()
	builds(t)
	p := newPlace(t, quick)
	elsewhere(t, p)
	codex := filepath.Join(p.home, ".codex/sessions/2026/04/03", "rollout-2026-04-03T10-20-30-0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b.jsonl")
	_, out, _ := p.run("sessions", "import", codex)
	ids := imported(out)
	if len(ids) != 1 || !strings.Contains(out, "10 messages") {
		t.Fatal(out)
	}
	if _, again, _ := p.run("sessions", "import", "0197a1b2"); !strings.Contains(again, ids[0]) || !strings.Contains(again, "nothing new") {
		t.Fatal(again)
	}
	grow := func(lines ...string) {
		f, err := os.OpenFile(codex, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(strings.Join(lines, "\n") + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	grow(`{"timestamp":"2026-04-03T10:23:41.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"call_D","output":"slept well"}}`,
		`{"timestamp":"2026-04-03T10:23:42.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"The footer waits."}]}}`)
	if _, out, _ = p.run("sessions", "import", codex); !strings.Contains(out, "1 messages") {
		t.Fatal(out)
	}
	s := speakers[0]
	ask := func(prompt string) string {
		server := newStation(t, s.playing("m", said{Text: "Ours."}))
		if code, stdout, stderr := p.run("-p", prompt, "-r", ids[0], "--base-url", server.URL, "-m", "m", "--output", "json"); code != 0 {
			t.Fatal(stdout, stderr)
		}
		return s.valid(t, "m", server.requests())[0].text()
	}
	text := ask("go on")
	for _, want := range []string{"slept well", "The footer waits.", "and the footer?"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q stands %d times: %s", want, strings.Count(text, want), text)
		}
	}
	if strings.Contains(text, "no result was recorded") {
		t.Errorf("the result that came later did not take its place: %s", text)
	}
	grow(`{"timestamp":"2026-04-03T10:30:00.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"said over there"}]}}`)
	if _, out, _ = p.run("sessions", "import", codex); !strings.Contains(out, "1 newer messages stay") {
		t.Error(out)
	}
	if text := ask("and on"); strings.Contains(text, "said over there") || strings.Count(text, "Ours.") != 1 {
		t.Errorf("what was said there came behind what was said here: %s", text)
	}
	if _, md, _ := p.run("sessions", "export", ids[0]); !strings.Contains(md, "### $ rg h1 (failed)") || !strings.Contains(md, "### $ ls\n") {
		t.Errorf("exported: %s", md)
	}
	if code, out, _ := p.run("doctor"); code != 0 {
		t.Error(out)
	}
}

// TestACompactedSessionIsImportedAsOneLineage: the summary begins a session that goes on for the first.
func TestACompactedSessionIsImportedAsOneLineage(t *testing.T) {
	t.Parallel()
	builds(t)
	p := newPlace(t, quick)
	p.write("long.jsonl", `{"type":"user","uuid":"1","sessionId":"s","parentUuid":null,"cwd":"/gone","message":{"role":"user","content":"count the elephants"},"timestamp":"2026-01-01T00:00:01Z"}
{"type":"assistant","uuid":"2","sessionId":"s","parentUuid":"1","message":{"id":"m1","model":"claude-x","content":[{"type":"text","text":"Seventeen."}]},"timestamp":"2026-01-01T00:00:02Z"}
{"type":"system","subtype":"compact_boundary","uuid":"3","sessionId":"s","parentUuid":null,"logicalParentUuid":"2","timestamp":"2026-01-01T00:00:03Z"}
{"type":"user","uuid":"4","sessionId":"s","parentUuid":"3","isCompactSummary":true,"message":{"role":"user","content":"They counted elephants: 17."},"timestamp":"2026-01-01T00:00:04Z"}
{"type":"user","uuid":"5","sessionId":"s","parentUuid":"4","message":{"role":"user","content":"and the giraffes?"},"timestamp":"2026-01-01T00:00:05Z"}
`)
	code, out, errs := p.run("sessions", "import", "long.jsonl")
	ids := imported(out)
	if code != 0 || len(ids) != 1 {
		t.Fatal(out, errs)
	}
	if _, list, _ := p.run("sessions", "list"); strings.Count(list, "elephants") != 1 {
		t.Errorf("listed: %s", list)
	}
	if _, md, _ := p.run("sessions", "export", ids[0]); !strings.Contains(md, "Seventeen.") || !strings.Contains(md, "giraffes") {
		t.Errorf("exported: %s", md)
	}
	if _, again, _ := p.run("sessions", "import", "long.jsonl"); !strings.Contains(again, "nothing new") {
		t.Error(again)
	}
	s := speakers[0]
	server := newStation(t, s.playing("m", said{Text: "Nine."}))
	if code, stdout, stderr := p.run("-p", "well?", "-r", ids[0], "--base-url", server.URL, "-m", "m"); code != 0 {
		t.Fatal(stdout, stderr)
	}
	text := s.valid(t, "m", server.requests())[0].text()
	if !strings.Contains(text, "They counted elephants: 17.") || !strings.Contains(text, "giraffes") || strings.Contains(text, "Seventeen.") {
		t.Errorf("sent: %s", text)
	}
	if code, _, errs := p.run("sessions", "delete", ids[0]); code != 0 {
		t.Error(errs)
	}
	if _, list, _ := p.run("sessions", "list"); !strings.Contains(list, "No sessions yet.") {
		t.Errorf("after the one row was deleted: %s", list)
	}
}

// TestAnImportNamesWhatItCannotTake: a wrong name or file is told and changes nothing, and one bad file keeps none of the
// others from coming.
func TestAnImportNamesWhatItCannotTake(t *testing.T) {
	t.Parallel()
	builds(t)
	p := newPlace(t, quick)
	if code, out, _ := p.run("sessions", "import"); code != 0 || !strings.Contains(out, "No sessions of Claude Code, Codex or Hermes") {
		t.Errorf("nothing there: %d %s", code, out)
	}
	elsewhere(t, p)
	p.write("notes.txt", "buy milk")
	for arg, want := range map[string]string{"nobody": "no file and no session", "notes.txt": "no session of Claude Code"} {
		if code, _, errs := p.run("sessions", "import", arg); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("import %s: exit %d: %s", arg, code, errs)
		}
	}
	if code, _, errs := p.run("sessions", "import", "--from", "vim"); code != 2 || !strings.Contains(errs, "claude codex hermes") {
		t.Errorf("--from vim: exit %d: %s", code, errs)
	}
	if _, out, _ := p.run("sessions", "import", "--from", "hermes"); strings.Contains(out, "Codex") || !strings.Contains(out, "2 sessions.") {
		t.Errorf("--from hermes: %s", out)
	}
	if _, err := os.Stat(filepath.Join(p.own, "sessions.db")); err == nil {
		t.Error("a listing wrote a database")
	}
	code, out, errs := p.run("sessions", "import", "--all", "--json")
	if code != 0 || strings.Count(out, `"imported": true`) != 4 || !strings.Contains(out, `"hologram": 1`) || strings.Contains(out, string(engine.RoleSystem)+`":`) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}
