package converse

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"

	"talaria/engine/provider"
)

const (
	preludeSize = 12 // total length, length of the headers, checksum of both
	leastFrame  = 16 // a prelude and the checksum of the whole
)

var errChecksum = errors.New("a frame of the stream has a wrong checksum")

// frameReader cuts a body into frames. The SDK decodes what is in one and checks its sum; the lengths are checked here,
// because the SDK believes them, and because the end of a body between two frames is another thing than inside one.
type frameReader struct {
	r     *bufio.Reader
	small []byte       // the frame at hand, when it is no longer than smallFrame
	large bytes.Buffer // one that is: it grows with what comes, since a length alone is only a claim
}

const smallFrame = 64 << 10

// frame is one message of the stream: kind is "event", "exception" or "error", name the type of that.
type frame struct {
	kind, name string
	message    string // of an error, which has no payload
	payload    []byte // valid until the next frame is read
}

// next returns io.EOF at an end between frames, and io.ErrUnexpectedEOF at one inside a frame.
func (f *frameReader) next() (frame, error) {
	head, err := f.r.Peek(preludeSize)
	if err == io.EOF && len(head) > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return frame{}, err
	}
	length, headers := binary.BigEndian.Uint32(head), binary.BigEndian.Uint32(head[4:])
	switch {
	case crc32.ChecksumIEEE(head[:8]) != binary.BigEndian.Uint32(head[8:]):
		return frame{}, errChecksum
	case length > provider.MaxLine:
		return frame{}, fmt.Errorf("%w: a frame of %d bytes", provider.ErrLineTooLong, length)
	case length < leastFrame || headers > length-leastFrame:
		return frame{}, errors.New("a frame of the stream has lengths that cannot be")
	}
	whole, err := f.read(int(length))
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return frame{}, err
	}
	if plain, ok := plainFrame(whole, int(headers)); ok {
		return plain, nil
	}
	m, err := eventstream.NewDecoder().Decode(bytes.NewReader(whole), nil)
	if err != nil {
		var sum eventstream.ChecksumError
		if errors.As(err, &sum) {
			err = errChecksum
		}
		return frame{}, fmt.Errorf("a frame of the stream cannot be read: %s", err) // not as an end of the body
	}
	return labelled(m), nil
}

// read returns the next n bytes, valid until the next call.
func (f *frameReader) read(n int) ([]byte, error) {
	if n > smallFrame {
		f.large.Reset()
		_, err := io.CopyN(&f.large, f.r, int64(n))
		return f.large.Bytes(), err
	}
	if f.small == nil {
		f.small = make([]byte, smallFrame)
	}
	_, err := io.ReadFull(f.r, f.small[:n])
	return f.small[:n], err
}

// labelled reads the headers that say what a message is.
func labelled(m eventstream.Message) frame {
	text := func(name string) string {
		if v, ok := m.Headers.Get(name).(eventstream.StringValue); ok {
			return string(v)
		}
		return ""
	}
	out := frame{kind: text(":message-type"), payload: m.Payload}
	switch out.kind {
	case "exception":
		out.name = text(":exception-type")
	case "error":
		out.name, out.message = text(":error-code"), text(":error-message")
	default:
		out.name = text(":event-type")
	}
	return out
}
