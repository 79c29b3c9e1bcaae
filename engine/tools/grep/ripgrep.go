package grep

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// errPattern means that ripgrep did not take the pattern.
var errPattern = errors.New("ripgrep does not take the pattern")

// rgEvent is one line of `rg --json`.
type rgEvent struct {
	Type string
	Data struct {
		Path, Lines rgText
		LineNumber  int `json:"line_number"`
		Submatches  []struct{ Start int }
		Binary      *int64 `json:"binary_offset"`
	}
}

// rgText is text that may be no UTF-8.
type rgText struct {
	Text  string
	Bytes []byte
}

func (t rgText) String() string {
	if t.Bytes != nil {
		return string(t.Bytes)
	}
	return t.Text
}

// ripgrep searches with the program rg. Its own settings and the user's global ignore file have no say, so that the
// answer is that of walk.
func ripgrep(ctx context.Context, rg string, q Query) (Findings, error) {
	args := []string{"--json", "--no-config", "--no-messages", "--no-require-git", "--no-ignore-global", "--no-ignore-exclude",
		"--sort=path", "--max-filesize=" + strconv.Itoa(maxFile), "--crlf", "--context=" + strconv.Itoa(q.Context)}
	if q.Glob != "" && !strings.ContainsAny(q.Glob, "/!") { // as a type: a --glob of rg would bring ignored files back
		args = append(args, "--type-add=wanted:"+q.Glob, "--type=wanted")
	}
	args = append(args, "--regexp="+q.Re.String(), "--", q.Root)
	cmd := exec.CommandContext(ctx, rg, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")} // no keys for a program that needs none
	cmd.WaitDelay = time.Second
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Findings{}, fmt.Errorf("start ripgrep: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return Findings{}, fmt.Errorf("start ripgrep: %w", err)
	}
	f, readErr := readRipgrep(out, q)
	_, _ = io.Copy(io.Discard, out) // so that rg can end
	err = cmd.Wait()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		f.Unfinished = true
		return f, nil
	case strings.Contains(complaint.String(), "regex"):
		return f, errPattern
	case readErr != nil:
		return f, readErr
	case errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 2 && f.Matches > 0):
		return f, nil // 1: nothing found; 2: some files could not be read
	}
	return f, err
}

// readRipgrep gathers the events of each file between its "begin" and its "end".
func readRipgrep(r io.Reader, q Query) (Findings, error) {
	var f Findings
	var h File
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 && err == io.EOF {
			return f, nil
		}
		if err != nil && err != io.EOF {
			return f, fmt.Errorf("read from ripgrep: %w", err)
		}
		var e rgEvent
		if json.Unmarshal(line, &e) != nil {
			continue // a line that was cut by the end of rg
		}
		d := e.Data
		switch e.Type {
		case "begin":
			h = File{Path: d.Path.String()}
		case "match":
			h.Matches++
			col := 0
			if len(d.Submatches) > 0 {
				col = d.Submatches[0].Start
			}
			h.keep(Hit{d.LineNumber, clip(d.Lines.String(), col), true}, q.Limit)
		case "context":
			h.keep(Hit{Line: d.LineNumber, Text: clip(d.Lines.String(), 0)}, q.Limit)
		case "end":
			if d.Binary == nil && globMatches(q.Glob, q.Root, h.Path) && !q.leftOut(h.Path) {
				f.add(h, q)
			}
		}
	}
}

// keep adds a hit while the limit is not passed.
func (h *File) keep(x Hit, limit int) {
	if h.Matches <= limit {
		h.Hits = append(h.Hits, x)
	}
}
