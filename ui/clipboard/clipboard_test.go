package clipboard

import (
	"encoding/base64"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// desk is a desktop whose programs are scripts.
func desk(t *testing.T, system string, env map[string]string, programs map[string]string) Desk {
	t.Helper()
	dir := t.TempDir()
	for name, script := range programs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return Desk{System: system, Getenv: func(k string) string { return env[k] }, Look: func(name string) (string, error) { return exec.LookPath(filepath.Join(dir, name)) }}
}

var (
	wayland = map[string]string{"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}
	x11     = map[string]string{"DISPLAY": ":0"}
)

func TestThePictureIsReadWithWhatIsInstalled(t *testing.T) {
	for _, c := range []struct {
		name, system string
		env          map[string]string
		programs     map[string]string
	}{
		{"wayland", "linux", wayland, map[string]string{"wl-paste": `case "$*" in --list-types) echo text/plain; echo image/png;; "--type image/png") printf PIXELS;; *) exit 1;; esac`}},
		{"x11", "linux", x11, map[string]string{"xclip": `case "$*" in *TARGETS*) echo image/png;; *image/png*) printf PIXELS;; *) exit 1;; esac`}},
		{"wayland without its program", "linux", wayland, map[string]string{"xclip": `case "$*" in *TARGETS*) echo image/png;; *image/png*) printf PIXELS;; *) exit 1;; esac`}},
		{"mac with pngpaste", "darwin", nil, map[string]string{"pngpaste": `test "$1" = - && printf PIXELS`, "osascript": "exit 1"}},
		{"mac", "darwin", nil, map[string]string{"osascript": "echo '«data PNGf504958454C53»'"}},
		{"wsl", "linux", map[string]string{"WSL_DISTRO_NAME": "u"}, map[string]string{"powershell.exe": "echo " + base64.StdEncoding.EncodeToString([]byte("PIXELS"))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := desk(t, c.system, c.env, c.programs).Read(t.Context())
			if err != nil || string(got.Picture) != "PIXELS" || got.Text != "" {
				t.Errorf("%q %q, %v", got.Picture, got.Text, err)
			}
		})
	}
}

func TestTextIsReadWhereThereIsNoPicture(t *testing.T) {
	for name, d := range map[string]Desk{
		"wayland": desk(t, "linux", wayland, map[string]string{"wl-paste": `case "$*" in --list-types) echo text/plain;; --no-newline) printf hello;; *) exit 1;; esac`}),
		"x11":     desk(t, "linux", x11, map[string]string{"xclip": `case "$*" in *TARGETS*) echo STRING;; *image*) exit 1;; *) printf hello;; esac`}),
		"mac":     desk(t, "darwin", nil, map[string]string{"pngpaste": "exit 1", "osascript": "exit 1", "pbpaste": "printf hello"}),
		"wsl":     desk(t, "linux", map[string]string{"WSL_DISTRO_NAME": "u"}, map[string]string{"powershell.exe": `case "$*" in *Get-Clipboard*) printf hello;; esac`}),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := d.Read(t.Context())
			if err != nil || got.Text != "hello" || got.Picture != nil {
				t.Errorf("%q %q, %v", got.Picture, got.Text, err)
			}
		})
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	for want, d := range map[string]Desk{
		"Install wl-clipboard":   desk(t, "linux", wayland, nil),
		"Install xclip":          desk(t, "linux", x11, nil),
		"Install pngpaste":       desk(t, "darwin", nil, nil),
		"no desktop":             desk(t, "linux", nil, nil),
		"cannot open display":    desk(t, "linux", x11, map[string]string{"xclip": "echo 'cannot open display' >&2; exit 1"}),
		"did not answer in time": desk(t, "linux", x11, map[string]string{"xclip": "exec sleep 60"}),
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(want, "in time") {
				d.Limit = 50 * time.Millisecond
			}
			if _, err := d.Read(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestAnEmptyClipboardIsNoFailure(t *testing.T) {
	got, err := desk(t, "darwin", nil, map[string]string{"pngpaste": "exit 1", "pbpaste": "true"}).Read(t.Context())
	if err != nil || got.Text != "" || got.Picture != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

// A text goes through what is there and is the user's: a desktop's program, over ssh only tmux, which passes it on.
func TestATextIsWrittenWithWhatIsThere(t *testing.T) {
	with := func(env map[string]string, more ...string) map[string]string {
		all := maps.Clone(env)
		if all == nil {
			all = map[string]string{}
		}
		for _, name := range more {
			all[name] = "x"
		}
		return all
	}
	got := filepath.Join(t.TempDir(), "got")
	keep := "echo \"$*\" > " + got + "; cat >> " + got
	for _, c := range []struct {
		name, system string
		env          map[string]string
		programs     []string
		want         string // the program, and its arguments
	}{
		{"wayland", "linux", wayland, []string{"wl-copy", "xclip", "tmux"}, "wl-copy "},
		{"wayland without its program", "linux", wayland, []string{"xclip"}, "xclip -selection clipboard -in"},
		{"mac", "darwin", nil, []string{"pbcopy"}, "pbcopy "},
		{"tmux without a desktop", "linux", with(nil, "TMUX"), []string{"tmux", "xclip"}, "tmux load-buffer -w -"},
		{"ssh", "linux", with(x11, "SSH_CONNECTION"), []string{"xclip"}, ""},
		{"tmux over ssh", "linux", with(x11, "SSH_TTY", "TMUX"), []string{"xclip", "tmux"}, "tmux load-buffer -w -"},
		{"no desktop", "linux", nil, []string{"xclip", "wl-copy", "tmux"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			programs := map[string]string{}
			for _, name := range c.programs {
				programs[name] = keep
			}
			w := desk(t, c.system, c.env, programs).Writer()
			if c.want == "" {
				if w != nil {
					t.Errorf("it would use %s", w.Name)
				}
				return
			}
			if err := w.Write(t.Context(), "two\nlines"); err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(got)
			if name, args, _ := strings.Cut(c.want, " "); err != nil || w.Name != name || string(b) != args+"\ntwo\nlines" {
				t.Errorf("%s got %q, %v", w.Name, b, err)
			}
		})
	}
	w := desk(t, "linux", wayland, map[string]string{"wl-copy": "exit 1"}).Writer()
	if err := w.Write(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), "wl-copy") {
		t.Errorf("%v", err)
	}
}
