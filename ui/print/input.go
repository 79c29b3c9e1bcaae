package print

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"talaria/engine"
)

const (
	maxPrompt = 10 << 20        // bytes of piped text
	maxLine   = 32 << 20        // bytes of one op; an op may hold a long text
	waitNote  = 3 * time.Second // after which a silent stdin is mentioned
)

// prompt joins the prompt of the command line with what is piped in.
func (r *run) prompt(ctx context.Context) (string, error) {
	piped, err := r.piped(ctx)
	if err != nil {
		return "", err
	}
	prompt, piped := strings.TrimSpace(r.d.Prompt), strings.TrimSpace(piped)
	switch {
	case prompt == "" && piped == "":
		return "", errors.New("no prompt: give one after -p, or pipe one in")
	case prompt == "":
		return piped, nil
	case piped == "":
		return prompt, nil
	}
	return prompt + "\n\n" + piped, nil
}

// piped reads all of stdin, or until ctx ends. A stdin that stays open and silent looks like a hang, so it is named.
func (r *run) piped(ctx context.Context) (string, error) {
	if r.d.In == nil {
		return "", nil
	}
	type reply struct {
		data []byte
		err  error
	}
	done := make(chan reply, 1)
	engine.Go("stdin", func() {
		data, err := io.ReadAll(io.LimitReader(r.d.In, maxPrompt+1))
		done <- reply{data, err}
	})
	silent := time.NewTimer(waitNote)
	defer silent.Stop()
	for {
		select {
		case got := <-done:
			if got.err != nil {
				return "", fmt.Errorf("read standard input: %w", got.err)
			}
			if len(got.data) > maxPrompt {
				return "", fmt.Errorf("standard input is larger than %d MB: put it in a file and name the file", maxPrompt>>20)
			}
			return string(got.data), nil
		case <-silent.C:
			r.err.say("reading standard input until it ends ...")
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// line is one op of a script, or what is wrong with its line.
type line struct {
	op  engine.Op
	err error
}

// readOps reads one op a line; the channel closes at the end of in, after the first bad line, or when ctx ends.
func readOps(ctx context.Context, in io.Reader) <-chan line {
	ops := make(chan line)
	send := func(l line) bool {
		select {
		case ops <- l:
			return l.err == nil
		case <-ctx.Done():
			return false
		}
	}
	engine.Go("ops", func() {
		defer close(ops)
		sc := bufio.NewScanner(in)
		sc.Buffer(make([]byte, 0, 64<<10), maxLine)
		for n := 1; sc.Scan(); n++ {
			if strings.TrimSpace(sc.Text()) == "" {
				continue
			}
			op, err := engine.DecodeOp(sc.Bytes())
			if u, ok := op.(engine.Unknown); ok && err == nil {
				err = fmt.Errorf("there is no op of type %q", u.Type)
			}
			if err != nil {
				err = fmt.Errorf("line %d of standard input is not an op: %w", n, err)
			}
			if !send(line{op, err}) {
				return
			}
		}
		if err := sc.Err(); err != nil {
			send(line{err: fmt.Errorf("read standard input: %w", err)})
		}
	})
	return ops
}
