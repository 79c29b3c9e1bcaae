// Package clipboard reads the clipboard of the desktop: a picture, or else text. It asks the programs that are there for
// it (wl-paste, xclip, pngpaste, osascript, PowerShell), since a terminal tells a program nothing of a picture. It writes
// texts with their like (wl-copy, xclip, pbcopy, tmux). It refuses to wait longer than its limit, to take more than a picture can be, and to install anything.
package clipboard

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// Most is the largest picture or text that is taken, in bytes.
const Most = 64 << 20

// patience is how long all programs together may take.
const patience = 3 * time.Second

// Content is what the clipboard holds: a picture as a file would hold it, or text. Both are empty when it holds neither.
type Content struct {
	Picture []byte
	Text    string
}

// Desk is where the clipboard is: the system (runtime.GOOS), the environment, and the programs that are installed. Limit
// is how long they may take together, 0 for three seconds.
type Desk struct {
	System string
	Getenv func(string) string
	Look   func(name string) (string, error)
	Limit  time.Duration
}

// Here is the desk that the program runs on.
func Here() Desk { return Desk{System: runtime.GOOS, Getenv: os.Getenv, Look: exec.LookPath} }

// way is one program that reads the clipboard. Picture and Text are arguments; what they print is put right by decode.
type way struct {
	name          string
	types         []string // lists what there is; nil: ask for the picture at once
	picture, text []string
	decode        func([]byte) []byte
}

const png = "image/png"

const powershell = `$ErrorActionPreference='Stop';Add-Type -AssemblyName System.Windows.Forms,System.Drawing;` +
	`$i=[Windows.Forms.Clipboard]::GetImage();if($i){$m=New-Object IO.MemoryStream;$i.Save($m,[Drawing.Imaging.ImageFormat]::Png);[Convert]::ToBase64String($m.ToArray())}`

// ways are the programs for this desk, the best first; install says what would help where there is none of them.
func (d Desk) ways() (ways []way, install string) {
	wsl := d.Getenv("WSL_DISTRO_NAME") != ""
	switch {
	case d.System == "darwin":
		ways = []way{
			{name: "pngpaste", picture: []string{"-"}},
			{name: "osascript", picture: []string{"-e", "the clipboard as «class PNGf»"}, decode: appleData},
			{name: "pbpaste", text: []string{}},
		}
		install = "pngpaste"
	case d.System == "windows" || wsl:
		ways = []way{
			{name: "powershell.exe", picture: []string{"-NoProfile", "-STA", "-Command", powershell}, text: []string{"-NoProfile", "-Command", "Get-Clipboard -Raw"}, decode: fromBase64},
		}
		install = "PowerShell"
	}
	if d.Getenv("WAYLAND_DISPLAY") != "" {
		ways = append(ways, way{name: "wl-paste", types: []string{"--list-types"}, picture: []string{"--type", png}, text: []string{"--no-newline"}})
		install = "wl-clipboard"
	}
	if d.Getenv("DISPLAY") != "" {
		ways = append(ways, way{name: "xclip", types: []string{"-selection", "clipboard", "-t", "TARGETS", "-o"},
			picture: []string{"-selection", "clipboard", "-t", png, "-o"}, text: []string{"-selection", "clipboard", "-o"}})
		if install == "" {
			install = "xclip"
		}
	}
	return ways, install
}

// Read reads the clipboard. Its errors are for the user: they say what is missing, or what did not work.
func (d Desk) Read(ctx context.Context) (Content, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(d.Limit, patience))
	defer cancel()
	ways, install := d.ways()
	if install == "" {
		return Content{}, errors.New("this terminal is on no desktop whose clipboard could be asked. Paste with your terminal's own key; a picture can be named with @")
	}
	var failed error
	found := false
	for _, w := range ways {
		path, err := d.Look(w.name)
		if err != nil {
			continue
		}
		found = true
		c, err := w.read(ctx, path)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", w.name, err))
		}
		if len(c.Picture) > 0 || c.Text != "" {
			return c, nil
		}
	}
	switch {
	case !found:
		return Content{}, fmt.Errorf("no program here can read the clipboard. Install %s, or paste with your terminal's own key", install)
	case ctx.Err() != nil:
		return Content{}, errors.New("the clipboard did not answer in time")
	}
	return Content{}, failed
}

func (w way) read(ctx context.Context, path string) (c Content, err error) {
	has := true
	if w.types != nil {
		list, err := run(ctx, path, w.types)
		if err != nil {
			return c, err
		}
		has = strings.Contains(string(list), png)
	}
	if has && w.picture != nil {
		out, err := run(ctx, path, w.picture)
		if w.decode != nil {
			out = w.decode(out)
		}
		if err == nil && len(out) > 0 {
			return Content{Picture: out}, nil
		}
	}
	if w.text == nil {
		return c, nil // that there is no picture is no failure
	}
	out, err := run(ctx, path, w.text)
	return Content{Text: string(out)}, err
}

// run returns what a program prints. One that holds its pipe open past its end is left behind.
func run(ctx context.Context, path string, args []string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = 200 * time.Millisecond
	var out, told bytes.Buffer
	cmd.Stdout, cmd.Stderr = &capped{&out, Most}, &capped{&told, 4 << 10}
	if err := cmd.Run(); err != nil {
		if line, _, _ := strings.Cut(strings.TrimSpace(told.String()), "\n"); line != "" {
			return nil, errors.New(line)
		}
		return nil, err
	}
	return out.Bytes(), nil
}

// capped takes at most so many bytes.
type capped struct {
	w    io.Writer
	left int
}

func (c *capped) Write(p []byte) (int, error) {
	if c.left -= len(p); c.left < 0 {
		return 0, errors.New("it holds too much")
	}
	return c.w.Write(p)
}

// appleData is what AppleScript prints for a picture: «data PNGf89504E…».
func appleData(out []byte) []byte {
	_, digits, ok := strings.Cut(string(out), "PNGf")
	if !ok {
		return nil
	}
	digits, _, _ = strings.Cut(digits, "»")
	data, err := hex.DecodeString(strings.TrimSpace(digits))
	if err != nil {
		return nil
	}
	return data
}

func fromBase64(out []byte) []byte {
	data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(out)))
	if err != nil {
		return nil
	}
	return data
}
