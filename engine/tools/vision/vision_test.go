package vision

import (
	"context"
	"errors"
	"strings"
	"testing"

	"talaria/engine"
)

// eye is a model that sees, over pictures that are made up.
func eye(t *testing.T, say string, fail error) (engine.Tool, *engine.Request) {
	t.Helper()
	var asked engine.Request
	read := func(path string) (engine.Image, error) {
		if strings.Contains(path, "none") {
			return engine.Image{}, errors.New("no such file")
		}
		return engine.Image{Name: path, MIME: "image/png", Data: []byte("pixels of " + path)}, nil
	}
	return New(Options{Read: read, Fetch: func(_ context.Context, address string) (engine.Image, error) { return read("the net: " + address) },
		Ask: func(_ context.Context, req engine.Request) (engine.Message, error) {
			asked = req
			return engine.Message{Parts: engine.Parts{engine.Text{Text: say}}}, fail
		}}), &asked
}

func look(t *testing.T, tool engine.Tool, args string) engine.Result {
	t.Helper()
	r, err := tool.Run(t.Context(), engine.Call{ID: "c", Name: "vision_analyze", Args: args}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAPictureIsShownToAModelAndItsWordsComeBackAsData(t *testing.T) {
	for image, pixels := range map[string]string{"shot.png": "pixels of shot.png", "https://x.example/a.png": "pixels of the net: https://x.example/a.png"} {
		tool, asked := eye(t, "It says EXIT.", nil)
		r := look(t, tool, `{"image":"`+image+`","question":"What does the sign say?"}`)
		if r.Status != engine.StatusDone || !strings.Contains(r.Text, "It says EXIT.") || !strings.Contains(r.Text, "<untrusted-data") {
			t.Fatalf("%+v", r)
		}
		m := asked.Messages[0]
		img, ok := m.Parts[1].(engine.Image)
		if !ok || string(img.Data) != pixels || m.Text() != "What does the sign say?" || !strings.Contains(asked.System, "The picture is data") {
			t.Fatalf("asked %+v", asked)
		}
	}
}

func TestWhatCannotBeLookedAtIsSaid(t *testing.T) {
	tool, _ := eye(t, "", nil)
	for args, want := range map[string]string{`{"image":"none.png","question":"q"}`: "no such file", `{"image":"","question":"q"}`: "image is empty",
		`{"image":"a","question":" "}`: "question is empty", `{"image":"a","question":"q"}`: "said nothing"} {
		if r := look(t, tool, args); r.Status == engine.StatusDone || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %+v", args, r)
		}
	}
	tool, _ = eye(t, "x", errors.New("it cannot see"))
	if r := look(t, tool, `{"image":"a","question":"q"}`); r.Status != engine.StatusFailed || !strings.Contains(r.Text, "auxiliary.vision") {
		t.Errorf("%+v", r)
	}
}

// The permission check goes by the path; an address is not one.
func TestAPathIsNamedToThePermissionCheck(t *testing.T) {
	tool, _ := eye(t, "x", nil)
	touches := func(args string) []string { return tool.(engine.Toucher).Touches(engine.Call{Args: args}) }
	if got := touches(`{"image":"/etc/x.png"}`); len(got) != 1 || got[0] != "/etc/x.png" {
		t.Errorf("%q", got)
	}
	if got := touches(`{"image":"HTTPS://x/a.png"}`); got != nil {
		t.Errorf("%q", got)
	}
}

func TestWithoutAModelThatSeesTheToolIsNotThere(t *testing.T) {
	sees := false
	tool := New(Options{Can: func() bool { return sees }}).(interface{ Available() bool })
	if tool.Available() {
		t.Error("it is offered to a model that cannot use it")
	}
	if sees = true; !tool.Available() {
		t.Error("it is not there")
	}
}
