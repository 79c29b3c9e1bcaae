package main

import (
	"bufio"
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/engine"
)

// house is a place with a provider for each mode, named as the mode, each at a server of its own.
type house struct {
	place
	servers map[engine.APIMode]*station
}

func newHouse(t *testing.T) house {
	h := house{servers: map[engine.APIMode]*station{}}
	configuration := quick + "providers:\n"
	for _, s := range speakers {
		h.servers[s.mode] = newStation(t, nil)
		configuration += fmt.Sprintf("  %s: {base_url: %q, api_mode: %s}\n", s.mode, h.servers[s.mode].URL, s.mode)
	}
	h.place = newPlace(t, configuration)
	return h
}

// read is a file of the program's own home.
func (h house) read(name string) string {
	b, err := os.ReadFile(filepath.Join(h.own, name))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(b)
}

// expects makes v's server ready for its turn. What has no tools is no request of the turn: it asks for a title.
func (h house) expects(v visit) (before int) {
	server := h.servers[v.s.mode]
	server.mu.Lock()
	defer server.mu.Unlock()
	turn, n := v.s.playing("m", v.replies...), 0
	server.next = func(_ int, body []byte) http.Handler {
		if v.s.read(body).Tools == 0 {
			return v.s.answer("m", said{Text: "A title"})
		}
		n++
		return turn(n-1, body)
	}
	return len(server.asked)
}

// came checks what v's server got in its turn: valid requests that hold all of what was said before, and nothing that is
// another mode's own.
func (h house) came(t *testing.T, v visit, from int, earlier []visit) {
	t.Helper()
	posts := slices.DeleteFunc(h.servers[v.s.mode].requests()[from:], func(p posted) bool { return v.s.read(p.body).Tools == 0 })
	if len(posts) != 2 {
		t.Fatalf("%s: %d requests", v.s.mode, len(posts))
	}
	for i, read := range v.s.valid(t, "m", posts) {
		for _, e := range earlier {
			e.holds(t, read, posts[i].body)
			if e.s.mode != v.s.mode {
				e.leaks(t, v.s, posts[i].body)
			}
		}
	}
}

// talk is a running program that is spoken to in ops.
type talk struct {
	t     *testing.T
	in    io.WriteCloser
	lines chan string
}

func (h house) talk(t *testing.T, args ...string) *talk {
	cmd := exec.Command(filepath.Join(binary, "talaria"), append(args, "--input", "stream-json", "--output", "stream-json")...)
	cmd.Dir, cmd.Env = h.project, clean(h.home, h.own)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	k := &talk{t, in, make(chan string, 10_000)}
	go func() {
		defer close(k.lines)
		for s := bufio.NewReader(out); ; {
			line, err := s.ReadString('\n')
			if err != nil {
				return
			}
			k.lines <- line
		}
	}()
	t.Cleanup(func() { in.Close(); cmd.Process.Kill(); cmd.Wait() })
	return k
}

func (k *talk) do(op engine.Op) {
	k.t.Helper()
	b, err := engine.EncodeOp(op)
	if err == nil {
		_, err = k.in.Write(append(b, '\n'))
	}
	if err != nil {
		k.t.Fatal(err)
	}
}

// until waits for an event that ok accepts.
func (k *talk) until(what string, ok func(engine.Event) bool) {
	k.t.Helper()
	clock := time.NewTimer(patience)
	defer clock.Stop()
	var last string
	for {
		select {
		case line, open := <-k.lines:
			if !open {
				k.t.Fatalf("the program ended before %s; its last line was %s", what, last)
			}
			last = line
			if e, err := engine.DecodeEvent([]byte(line)); err == nil && ok(e) {
				return
			}
		case <-clock.C:
			k.t.Fatalf("no %s within %v; the last line was %s", what, patience, last)
		}
	}
}

// A session goes through all modes inside one running program, by the op that /model sends, and comes back to the first.
func TestTheModelIsChangedInsideTheRunningProgram(t *testing.T) {
	if err := build(); err != nil {
		t.Fatal(err)
	}
	h := newHouse(t)
	k := h.talk(t, "--mode", "auto", "-m", string(speakers[0].mode)+"/m")
	var earlier []visit
	for i, s := range append(append([]speaker{}, speakers...), speakers[0]) {
		if i > 0 {
			name := string(s.mode) + "/m"
			k.do(engine.Switch{Model: name})
			k.until("word of the change", func(e engine.Event) bool {
				n, ok := e.(engine.Noted)
				return ok && n.Kind == engine.NoteModel && n.Text == name
			})
		}
		v := newVisit(s, fmt.Sprint("turn", i))
		from := h.expects(v)
		k.do(engine.Submit{Text: v.prompt})
		k.until("end of the turn", func(e engine.Event) bool {
			end, ok := e.(engine.Ended)
			if ok && (end.Outcome.Final != v.replies[1].Text || end.Outcome.Route.APIMode != s.mode) {
				t.Fatalf("%s: %+v", s.mode, end.Outcome)
			}
			return ok
		})
		h.came(t, v, from, earlier)
		earlier = append(earlier, v)
	}
}

func TestASessionIsResumedByItsIDWithAnotherModel(t *testing.T) {
	if err := build(); err != nil {
		t.Fatal(err)
	}
	h := newHouse(t)
	id := ""
	var earlier []visit
	for i, s := range speakers {
		v := newVisit(s, fmt.Sprint("run", i))
		from := h.expects(v)
		argv := []string{"-p", v.prompt, "-m", string(s.mode) + "/m", "--mode", "auto", "--output", "json"}
		if id != "" {
			argv = append(argv, "--resume="+id)
		}
		code, stdout, stderr := h.run(argv...)
		r := readReport(t, stdout)
		if code != 0 || r.Final != v.replies[1].Text || r.APIMode != s.mode || id != "" && r.SessionID != id {
			t.Fatalf("%s: exit %d: %s%s", s.mode, code, stdout, stderr)
		}
		id = r.SessionID
		h.came(t, v, from, earlier)
		earlier = append(earlier, v)
	}
	// without -m it stays where it was
	last := speakers[len(speakers)-1]
	v := newVisit(last, "stays")
	from := h.expects(v)
	if code, stdout, stderr := h.run("-p", v.prompt, "--mode", "auto", "--output", "json", "--resume="+id); code != 0 {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	h.came(t, v, from, earlier)
}

// A picture for a model that is known not to see is described by the model of auxiliary.vision, once, and the words stand in
// its place in every request; the session keeps the picture.
func TestAPictureIsDescribedToAModelThatCannotSee(t *testing.T) {
	if err := build(); err != nil {
		t.Fatal(err)
	}
	h := newHouse(t)
	chat, eyes := speakers[0], speakers[2]
	h.write(filepath.Join(h.own, "config.yaml"), h.read("config.yaml")+"auxiliary: {vision: {provider: anthropic_messages, model: m}}\n")
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	h.write("shot.png", picture.String())
	h.servers[eyes.mode].next = func(int, []byte) http.Handler {
		return eyes.answer("m", said{Text: "A red button that says «Größe»."})
	}
	h.servers[chat.mode].next = func(_ int, body []byte) http.Handler {
		if chat.read(body).Tools == 0 {
			return chat.answer("m", said{Text: "A title"})
		}
		return chat.answer("m", said{Text: "It is red."})
	}
	k := h.talk(t, "--mode", "auto", "-m", string(chat.mode)+"/deepseek-chat")
	k.do(engine.Submit{Text: "what is @shot.png?"})
	k.until("word of who looks", func(e engine.Event) bool {
		n, ok := e.(engine.Noted)
		return ok && strings.Contains(n.Text, "deepseek-chat cannot see pictures") && strings.Contains(n.Text, "anthropic_messages/m")
	})
	kept := false
	ends := func(e engine.Event) bool {
		if m, ok := e.(engine.Appended); ok {
			for _, p := range m.Message.Parts {
				pic, ok := p.(engine.Image)
				kept = kept || ok && bytes.Equal(pic.Data, picture.Bytes())
			}
		}
		_, ok := e.(engine.Ended)
		return ok
	}
	k.until("end of the turn", ends)
	k.do(engine.Submit{Text: "and what does it say?"})
	k.until("end of the turn", ends)
	if !kept {
		t.Error("the session does not keep the picture")
	}
	looked := h.servers[eyes.mode].requests()
	if len(looked) != 1 || !bytes.Contains(looked[0].body, []byte(`"type":"image"`)) {
		t.Errorf("%d requests to look: %s", len(looked), looked)
	}
	asked := slices.DeleteFunc(h.servers[chat.mode].requests(), func(p posted) bool { return chat.read(p.body).Tools == 0 })
	if len(asked) != 2 {
		t.Fatalf("%d requests", len(asked))
	}
	for _, p := range asked {
		if text := chat.read(p.body).text(); !strings.Contains(text, "A red button that says «Größe».") || !strings.Contains(text, "shot.png") || strings.Contains(string(p.body), "image_url") {
			t.Errorf("the model that cannot see is sent %s", p.body)
		}
	}
}
