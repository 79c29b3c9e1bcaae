package provider_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
	pt "talaria/engine/provider/providertest"
)

// echo is the smallest mode there is: every piece is said as it came, and "end" ends the reply.
type echo struct {
	provider.Reply
	said []string
	end  error
	call bool
}

func (e *echo) InCall() bool { return e.call }
func (e *echo) Marked()      { e.said, e.Ended = append(e.said, "marked"), true }
func (e *echo) InBand(raw []byte) {
	e.Fail(e.Said(raw, "an error without words"))
}
func (e *echo) Value(raw []byte, event string) bool {
	if !json.Valid(raw) {
		return false
	}
	e.said = append(e.said, strings.TrimSpace(event+" "+string(raw)))
	e.Ended = e.Ended || string(raw) == `"end"`
	return true
}
func (e *echo) End(err error) {
	e.end = err
	if !e.Ended && !e.Left {
		e.Fail(e.CutOff(err))
	}
}

// heard is what an echo says to a body of text, and the error it ends in.
func heard(t *testing.T, a pt.Answer) (*echo, error) {
	t.Helper()
	ep := provider.Endpoint{BaseURL: "https://h.test", HTTP: pt.Replay(a)}.WithClient()
	req, err := provider.NewPost(t.Context(), "https://h.test/v1/x?key=secret", []byte("{}"), "text/event-stream")
	if err != nil {
		t.Fatal(err)
	}
	resp, err := ep.Do(req, 0)
	if err != nil {
		t.Fatal(err)
	}
	e := &echo{call: true}
	e.Reply = provider.NewReply(t.Context(), resp, func(_ engine.Delta, e error) bool { err = e; return true })
	e.Usage = &engine.Usage{Input: 7}
	e.ReadText(e)
	return e, err
}

func TestEveryBodyOfTextIsReadForWhatItIs(t *testing.T) {
	for name, c := range map[string]struct {
		body, words string // words of the failure, "" for none
		said        []string
	}{
		"a stream":                      {"\xef\xbb\xbf\n: hi\n\nevent: a\ndata: 1\n\ndata: 2\n\ndata: [DONE]\n\ndata: 3\n\n", "", []string{"a 1", "2", "marked"}},
		"events without blank lines":    {"data: 1\ndata: 2\ndata: \"end\"\ndata: 3\n\n", "", []string{"1", "2", `"end"`}},
		"keep-alives that are no JSON":  {"event: ping\ndata: x\n\nevent: heartbeat\ndata: x\ndata: y\n\ndata: \"end\"\n\n", "", []string{`"end"`}},
		"JSON that stands alone":        {" {\"a\":1}\n[2] \"end\" 3", "", []string{`{"a":1}`, "[2]", `"end"`}},
		"a stream that stops":           {"data: 1\n\n", "broke off before its end: the server closed the connection", []string{"1"}},
		"a piece that is no JSON":       {"data: {\n\ndata: 1\n\n", "not valid JSON", nil},
		"JSON that is broken":           {"{nope", "not valid JSON", nil},
		"JSON that stops":               {`{"a":`, "has no end", nil},
		"an error in a stream":          {"event: error\ndata: {\"error\":{\"message\":\"full\"}}\n\n", "full", nil},
		"an error that says nothing":    {"event: error\ndata: {}\n\n", "an error without words", nil},
		"a web page under another name": {"<html><title>Log in</title>", "Log in", nil},
		"nothing":                       {"  \n", "closed the connection", nil},
	} {
		for _, size := range append([]int{1 << 20}, pt.Cuts...) {
			e, err := heard(t, pt.Answer{Type: "text/event-stream", Body: []byte(c.body), Sizes: []int{size}})
			if !slices.Equal(e.said, c.said) {
				t.Errorf("%s, cut at %d: said %q, want %q", name, size, e.said, c.said)
			}
			var f *provider.Failure
			switch {
			case c.words == "" && err != nil:
				t.Errorf("%s: %v", name, err)
			case c.words != "" && (!errors.As(err, &f) || !strings.Contains(f.Message, c.words) || f.Usage.Input != 7 || !f.InCall || f.URL != "https://h.test/v1/x"):
				t.Errorf("%s: %#v, want a Failure that says %q", name, err, c.words)
			}
		}
	}
}

func TestAConnectionThatBreaksIsToldInWords(t *testing.T) {
	_, err := heard(t, pt.Answer{Type: "text/event-stream", Body: []byte("data: 1\n\ndata: 2"), Cut: true})
	var f *provider.Failure
	if !errors.As(err, &f) || !f.Cut || !strings.Contains(f.Message, "in the middle of a piece") {
		t.Errorf("%v", err)
	}
}

func TestModelsInEverySpellingEachOnce(t *testing.T) {
	for body, want := range map[string]string{
		`{"data":[{"id":"b"},{"id":"a"},{"id":"b"},{}]}`: "b a", `{"models":[{"name":"x"},{"model":"y","name":"z"}]}`: "x y", `[{"id":"q"}]`: "q", `{"data":[]}`: "",
	} {
		ep := provider.Endpoint{BaseURL: "https://h.test", HTTP: pt.Replay(pt.JSON(200, body))}
		got, err := provider.Models(t.Context(), ep, "https://h.test/v1/models", func(*http.Request) error { return nil })
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, %v", body, got, err)
		}
	}
	ep := provider.Endpoint{BaseURL: "https://h.test", HTTP: pt.Replay(pt.JSON(200, `{"object":"list"}`))}
	var f *provider.Failure
	if _, err := provider.Models(t.Context(), ep, "https://h.test/v1/models", func(*http.Request) error { return nil }); !errors.As(err, &f) || !strings.Contains(f.Message, "list of models") {
		t.Errorf("%v", err)
	}
}
