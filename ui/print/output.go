package print

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"

	"talaria/engine"
)

// output writes stdout in one of the three formats. After the reader has gone it writes nothing more.
type output struct {
	w       io.Writer
	format  string
	tty     bool
	gone    bool
	failure error // set when writing failed for another reason than a reader that went
}

func newOutput(d Deps) (*output, error) {
	o := &output{w: d.Out, format: d.Output, tty: d.TTY}
	switch d.Output {
	case "":
		o.format = Text
	case Text, JSON, StreamJSON:
	default:
		return nil, fmt.Errorf("--output %q is not known: it is %s, %s or %s", d.Output, Text, JSON, StreamJSON)
	}
	return o, nil
}

// event writes e where every event is a line.
func (o *output) event(at time.Time, e engine.Event) {
	if o.format != StreamJSON {
		return
	}
	b, err := engine.EncodeRecord(engine.Record{At: at, Event: e})
	if err != nil {
		o.fail(err)
		return
	}
	o.json(b)
}

// answer writes the answer of a turn where it is text: once, whole, however often the request was repeated.
func (o *output) answer(out engine.Outcome) {
	text := out.Final
	if o.format != Text || text == "" {
		return
	}
	if o.tty {
		text = clean(text)
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	o.write([]byte(text))
}

// result writes the object of CONTRACT 2.1.
func (o *output) result(out engine.Outcome) {
	if o.format == Text {
		return
	}
	b, err := engine.Marshal(report(out))
	if err != nil {
		o.fail(err)
		return
	}
	if o.format == StreamJSON {
		b = append([]byte(`{"type":"result",`), b[1:]...)
	}
	o.json(b)
}

// json writes b as one line. A terminal reads U+0080 to U+009F as controls, and JSON leaves them as they are.
func (o *output) json(b []byte) {
	if o.tty {
		b = escapeC1(b)
	}
	o.write(append(b, '\n'))
}

func (o *output) write(b []byte) {
	if o.gone {
		return
	}
	if _, err := o.w.Write(b); errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		o.gone = true
	} else if err != nil {
		o.gone = true
		o.fail(err)
	}
}

func (o *output) fail(err error) {
	if o.failure == nil {
		o.failure = err
	}
}

// escapeC1 spells C1 controls and DEL as JSON escapes; they can stand only inside strings.
func escapeC1(b []byte) []byte {
	s := string(b)
	if !json.Valid(b) || !strings.ContainsFunc(s, c1) {
		return b
	}
	var out strings.Builder
	for _, r := range s {
		if c1(r) {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return []byte(out.String())
}

func c1(r rune) bool { return r >= 0x7f && r <= 0x9f }
