package ui

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/ui/clipboard"
)

// dots is a picture of w by h dots.
func dots(t *testing.T, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func holds(t *testing.T, c clipboard.Content, err error) func(*setting) {
	dir := t.TempDir()
	return func(s *setting) {
		s.Options.PasteDir = dir
		s.Options.Terminal.Reads = func(context.Context) (clipboard.Content, error) { return c, err }
	}
}

func TestAPictureOfTheClipboardIsAChipAndIsSent(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24, holds(t, clipboard.Content{Picture: dots(t, 1280, 720)}, nil))
		s.Type("what is")
		s.Press("ctrl+v")
		s.See("what is [image 1 1280x720]")
		s.Type("about?")
		s.Press("ctrl+v")
		s.See("[image 2 1280x720]")
		s.Press("backspace", "backspace") // the blank, then the whole chip
		s.NotSee("image 2")
		s.Press("enter")
		sent := op[engine.Submit](t, s).Text
		_, path, _ := strings.Cut(sent, "@")
		path = strings.TrimSuffix(path, " about? ")
		if !strings.HasPrefix(sent, "what is @") {
			t.Fatalf("%q", sent)
		}
		if data, err := os.ReadFile(path); err != nil || !bytes.Equal(data, dots(t, 1280, 720)) {
			t.Errorf("%q: %v", sent, err)
		}
		s.Press("ctrl+v")
		s.See("[image 1 1280x720]") // counted anew
	})
}

func TestTextOfTheClipboardIsPastedAndRunsNothing(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24, holds(t, clipboard.Content{Text: "/quit"}, nil))
		s.Press("ctrl+v", "enter")
		if got := op[engine.Submit](t, s).Text; got != "/quit" || s.Left {
			t.Errorf("%q", got)
		}
	})
	story(t, func(t *testing.T) {
		s := open(t, 80, 24, holds(t, clipboard.Content{}, errors.New("no program here can read the clipboard. Install xclip")))
		s.Type("a draft /paste")
		s.Press("ctrl+v")
		s.See("Install xclip", "a draft /paste")
	})
	story(t, func(t *testing.T) {
		s := open(t, 80, 24, holds(t, clipboard.Content{Picture: []byte("no picture")}, nil))
		s.Press("ctrl+v")
		s.See("no picture that is known")
	})
}

func TestAFileThatIsDroppedOnTheTerminalIsAPicture(t *testing.T) {
	path := filepath.Join(t.TempDir(), "my shot.png")
	if err := os.WriteFile(path, dots(t, 30, 20), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dropped := range []string{path, "'" + path + "' ", strings.ReplaceAll(path, " ", `\ `), "file://" + strings.ReplaceAll(path, " ", "%20") + "\n"} {
		story(t, func(t *testing.T) {
			s := open(t, 80, 24)
			s.Type("see")
			s.Paste(dropped)
			s.See("see [image 1 30x20]")
			s.Press("enter")
			if got := op[engine.Submit](t, s).Text; got != `see @"`+path+`" ` {
				t.Errorf("%q", got)
			}
		})
	}
	for _, dropped := range []string{path + ".png", "/etc/passwd", "https://example.org/a.png"} { // the first is not there
		story(t, func(t *testing.T) {
			s := open(t, 80, 24)
			s.Paste(dropped)
			s.NotSee("[image")
			s.Press("enter")
			if got := op[engine.Submit](t, s).Text; got != dropped {
				t.Errorf("%q", got)
			}
		})
	}
}
