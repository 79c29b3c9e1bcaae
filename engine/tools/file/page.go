package file

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"talaria/engine"
	"talaria/engine/tools"
)

// lineChars is how many characters of a line are shown.
const lineChars = 2_000

// ownMarker finds the mark of a cut line. A file never gets it from us.
var ownMarker = regexp.MustCompile(`…\[[\d,]+ more bytes of this line were cut\]`)

// countBytes are read at once of what is only counted. Reads run side by side and often, so their buffers are kept.
const countBytes = 128 << 10

var (
	counted = sync.Pool{New: func() any { return new([countBytes]byte) }}
	sniffed = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, sniffBytes) }}
)

// page is the part of a file that one read_file shows, and what was noticed on the way.
type page struct {
	offset, limit int
	most          int // characters
	text          strings.Builder
	chars         int
	last, total   int    // the last line shown, the lines counted
	atLeast       bool   // counting stopped before the end
	full          bool   // the page holds no more
	nul           bool   // a NUL byte came
	encoding      string // what the file is in, when it is not plain UTF-8
	bad           []int  // lines shown that are not valid UTF-8
	crlf          bool
	long          int // the first line that was cut, and how many of its bytes were shown
	longShown     int
}

func newPage(in readIn, most int) *page {
	p := &page{offset: max(in.Offset, 1), limit: in.Limit, most: most}
	if p.limit <= 0 {
		p.limit = readLimit
	}
	p.limit = min(p.limit, readMax)
	return p
}

// scan goes through the lines of r: those before the page and after it are only counted.
func (p *page) scan(r *bufio.Reader) error {
	var line []byte // as much of the present line as can be shown
	size := 0
	for {
		if p.full && size == 0 {
			return p.count(r)
		}
		piece, err := r.ReadSlice('\n')
		ended := err == nil
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return err
		}
		if wanted := p.total+1 >= p.offset && !p.full; wanted {
			p.nul = p.nul || bytes.IndexByte(piece, 0) >= 0
			line = append(line, piece[:min(len(piece), max(0, lineChars*utf8.UTFMax+utf8.UTFMax-len(line)))]...)
		}
		size += len(piece)
		if ended || err == io.EOF && size > 0 {
			p.total++
			if p.total >= p.offset && !p.full {
				p.show(line, size, ended)
			}
			line, size = line[:0], 0
		}
		if err == io.EOF || p.nul {
			return nil
		}
	}
}

// count goes through what is left of r for the number of lines only, many at a time.
func (p *page) count(r *bufio.Reader) error {
	after, open := 0, false
	buf := counted.Get().(*[countBytes]byte)
	defer counted.Put(buf)
	for {
		n, err := r.Read(buf[:])
		p.total += bytes.Count(buf[:n], []byte("\n"))
		if n > 0 {
			open = buf[n-1] != '\n'
		}
		after += n
		switch {
		case err == io.EOF:
			if open {
				p.total++ // a last line without an end
			}
			return nil
		case err != nil:
			return err
		case after > maxCounted:
			p.atLeast = true
			return nil
		}
	}
}

// show adds a line of size bytes, of which line is the beginning, unless the page would grow too big.
func (p *page) show(line []byte, size int, ended bool) {
	if ended && size == len(line) {
		line = line[:size-1]
		size--
	} else if ended {
		size--
	}
	if size == len(line) && bytes.HasSuffix(line, []byte("\r")) && ended {
		p.crlf, line, size = true, line[:size-1], size-1
	}
	shown := tools.Cut(string(line), lineChars)
	text := shown
	if !utf8.ValidString(shown) {
		p.bad = append(p.bad, p.total)
		text = strings.ToValidUTF8(shown, "\uFFFD")
	}
	if rest := size - len(shown); rest > 0 {
		text += fmt.Sprintf("…[%s more bytes of this line were cut]", tools.Grouped(rest))
		if p.long == 0 {
			p.long, p.longShown = p.total, len(shown)
		}
	}
	chars := utf8.RuneCountInString(text) + 1
	if p.chars+chars > p.most && p.last > 0 {
		p.full = true
		return
	}
	p.chars += chars
	p.last = p.total
	p.text.WriteString(strconv.Itoa(p.total))
	p.text.WriteByte('|')
	p.text.WriteString(text)
	p.text.WriteByte('\n')
	p.full = p.total-p.offset+1 >= p.limit
}

// result is the page as an answer, with what the model should know of the file.
func (p *page) result(c engine.Call, name string) engine.Result {
	total := tools.Grouped(p.total)
	if p.atLeast {
		total = "at least " + total
	}
	if p.total == 0 {
		r := engine.Succeeded(c, fmt.Sprintf("(%s is empty)", name))
		r.Note = "empty"
		return r
	}
	if p.last == 0 {
		return engine.Failed(c, "offset %d is after the end: %s has %s lines.", p.offset, name, total)
	}
	var notes []string
	if p.last < p.total {
		notes = append(notes, fmt.Sprintf("lines %d-%d of %s; use offset=%d to read on", p.offset, p.last, total, p.last+1))
	} else if p.offset > 1 {
		notes = append(notes, fmt.Sprintf("lines %d-%d, the end of the file", p.offset, p.last))
	}
	if p.long > 0 {
		notes = append(notes, fmt.Sprintf("line %d is cut; to read on in it: sed -n %dp %s | tail -c +%d | head -c 20000 in the terminal, or search_files with a pattern", p.long, p.long, shellWord(name), p.longShown+1))
	}
	if len(p.bad) > 0 {
		notes = append(notes, fmt.Sprintf("not valid UTF-8 (Latin-1 or another old encoding?): bytes on %s are shown as U+FFFD; patch leaves them alone, write_file would not", lineWords(p.bad)))
	}
	if p.encoding != "" {
		notes = append(notes, "the file is "+p.encoding)
	}
	if p.crlf {
		notes = append(notes, "line ends are CRLF and stay so when it is edited")
	}
	text := p.text.String()
	if len(notes) > 0 {
		text += "(" + strings.Join(notes, ")\n(") + ")\n"
	}
	r := engine.Succeeded(c, text)
	r.Note = fmt.Sprintf("%d–%d", p.offset, p.last)
	if p.last < p.total {
		r.Note += " of " + total
	}
	return r
}

// shellWord quotes a name for a command line where it must be.
func shellWord(name string) string {
	if unsafeWord.MatchString(name) {
		return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return name
}

var unsafeWord = regexp.MustCompile(`[^A-Za-z0-9_./-]`)
