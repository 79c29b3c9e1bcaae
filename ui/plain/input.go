package plain

import (
	"bufio"
	"context"
	"io"
	"strings"
	"time"

	"talaria/engine"
)

// burst is how soon after a line the next must come to have been pasted with it: no person types a line that fast.
const burst = 20 * time.Millisecond

// line is what was typed at once: a line, several that were pasted together, or the end of what can be typed.
type line struct {
	text string
	end  bool
}

// read brings what is typed. A terminal's end of input can be followed by more, so there each is told and reading goes
// on; elsewhere the channel closes. Lines that come in one burst from a terminal are one message, and a line that ends in
// a backslash goes on in the next.
func read(ctx context.Context, in io.Reader, tty bool) <-chan line {
	raw, out := make(chan line), make(chan line)
	engine.Go("input", func() {
		defer close(raw)
		r := bufio.NewReader(in)
		for {
			text, err := r.ReadString('\n')
			if text != "" && !give(ctx, raw, line{text: strings.TrimRight(text, "\r\n")}) {
				return
			}
			if err != nil && (!tty || err != io.EOF) {
				return
			}
			if err != nil && !give(ctx, raw, line{end: true}) {
				return
			}
		}
	})
	engine.Go("lines", func() {
		defer close(out)
		if tty {
			join(ctx, raw, out)
			return
		}
		one := folded{}
		for l := range raw {
			if whole, ok := one.add(l.text); ok && !give(ctx, out, line{text: whole}) {
				return
			}
		}
		if one.open {
			give(ctx, out, line{text: one.text})
		}
	})
	return out
}

func give(ctx context.Context, to chan<- line, l line) bool {
	select {
	case to <- l:
		return true
	case <-ctx.Done():
		return false
	}
}

// join puts lines of a burst together.
func join(ctx context.Context, raw <-chan line, out chan<- line) {
	one, ready := folded{}, []string(nil)
	settle := time.NewTimer(burst)
	settle.Stop()
	for {
		select {
		case l, ok := <-raw:
			if !ok || l.end {
				if one.open {
					ready, one = append(ready, one.text), folded{}
				}
				if len(ready) > 0 && !give(ctx, out, line{text: strings.Join(ready, "\n")}) {
					return
				}
				ready = nil
				if !ok || !give(ctx, out, line{end: true}) {
					return
				}
				continue
			}
			if whole, done := one.add(l.text); done {
				ready = append(ready, whole)
				settle.Reset(burst)
			}
		case <-settle.C:
			if !give(ctx, out, line{text: strings.Join(ready, "\n")}) {
				return
			}
			ready = nil
		case <-ctx.Done():
			return
		}
	}
}

// folded is a message that goes on over lines which end in a backslash.
type folded struct {
	text string
	open bool
}

// add takes a line; ok is true when the message is whole.
func (f *folded) add(text string) (whole string, ok bool) {
	if f.open {
		text = f.text + "\n" + text
	}
	if before, more := strings.CutSuffix(text, `\`); more {
		f.text, f.open = before, true
		return "", false
	}
	*f = folded{}
	return text, true
}
