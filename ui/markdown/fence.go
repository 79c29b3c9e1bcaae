package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// fence is a code block that is still open. Its whole lines are coloured one by one, each once; when it closes it is
// coloured again as a whole, which sees what spans lines.
type fence struct {
	lang   string
	mark   byte // '`' or '~'
	count  int  // marks that opened it; a close needs as many
	indent int  // blanks before the opening marks, removed from each line
	gap    bool
	at     int // where in src the next line begins
	code   strings.Builder
	shown  []string
}

// openFence reads the first line of code. at is relative to src.
func openFence(n *ast.FencedCodeBlock, src []byte, gap bool) *fence {
	pos := n.Pos()
	f := &fence{lang: string(n.Language(src)), mark: src[pos], gap: gap, indent: pos - lineStart(src, pos)}
	for pos+f.count < len(src) && src[pos+f.count] == f.mark {
		f.count++
	}
	f.at = len(src)
	if i := bytes.IndexByte(src[pos:], '\n'); i >= 0 {
		f.at = pos + i + 1
	}
	return f
}

// closes reports whether line ends the block.
func (f *fence) closes(line string) bool {
	body := strings.TrimLeft(line, " ")
	if len(line)-len(body) > 3 {
		return false
	}
	n := len(body) - len(strings.TrimLeft(body, string(f.mark)))
	return n >= f.count && strings.TrimSpace(body[n:]) == ""
}

// dedent removes the blanks that the opening line had.
func (f *fence) dedent(line string) string {
	for i := 0; i < f.indent && strings.HasPrefix(line, " "); i++ {
		line = line[1:]
	}
	return line
}

// feedFence takes the whole lines that have come. It returns true when the block was closed and is settled.
func (s *Stream) feedFence() bool {
	f, c := s.fence, parsed{src: s.src}.column(s.width)
	for {
		i := bytes.IndexByte(s.src[f.at:], '\n')
		if i < 0 && (!s.finished || f.at == len(s.src)) {
			return false
		}
		end := f.at + i + 1
		if i < 0 {
			end = len(s.src)
		}
		line := strings.TrimRight(string(s.src[f.at:end]), "\n")
		f.at = end
		if f.closes(line) {
			s.closeFence(c)
			return true
		}
		line = f.dedent(line)
		f.code.WriteString(line + "\n")
		if !s.finished {
			f.shown = append(f.shown, s.r.codeLine(f.lang, line, c))
		}
	}
}

func (s *Stream) closeFence(c column) {
	lines := s.r.code(s.fence.lang, s.fence.code.String(), c)
	if s.fence.gap && len(lines) > 0 {
		s.lines = append(s.lines, "")
	}
	s.lines = append(s.lines, lines...)
	s.done, s.fence, s.next = s.fence.at, nil, -1
}

// lines shows the open block. A line of marks alone is held back: it may be the close.
func (f *fence) lines(s *Stream, partial string) []string {
	c := parsed{src: s.src}.column(s.width)
	if s.finished {
		out := s.r.code(f.lang, f.code.String(), c)
		if f.gap && len(out) > 0 {
			out = append([]string{""}, out...)
		}
		return out
	}
	shown := f.shown
	if rest := f.dedent(partial); strings.Trim(rest, string(f.mark)+" ") != "" {
		shown = append(shown[:len(shown):len(shown)], s.r.codeLine(f.lang, rest, c))
	}
	for len(shown) > 0 && strings.TrimSpace(shown[len(shown)-1]) == "" {
		shown = shown[:len(shown)-1]
	}
	if f.gap && len(shown) > 0 {
		return append([]string{""}, shown...)
	}
	return shown
}
