package markdown

import (
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	astext "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"

	"talaria/themes"
	"talaria/ui/style"
)

// Stream lays Markdown out while it arrives. What can no longer change is laid out once: a block when the next one has
// begun on a whole line, an item of a list when the next item has, a line of an open code fence at its end. So the cost
// of a frame is that of the open block. After Finish the lines are exactly those of Render.
type Stream struct {
	r        *Renderer
	src      []byte // cleaned whole lines
	partial  string // the raw line that is still open
	finished bool
	forward  bool // only the whole text tells: which links there are, or what an odd table belongs to
	settled
	tail   []string
	tailOf int // length of src and partial for which tail was laid out, -1 for none
}

// settled is what is laid out for good at one width.
type settled struct {
	width int
	shift int
	done  int // bytes of src that are in lines
	lines []string
	refs  []parser.Reference
	next  int // the tail continues a list, with this number; -1 when it does not
	fence *fence
	whole bool // lines is everything
}

// Stream returns an empty stream.
func (r *Renderer) Stream() *Stream {
	return &Stream{r: r, settled: settled{next: -1}, tailOf: -1}
}

// Append adds the next piece, cut anywhere.
func (s *Stream) Append(text string) {
	s.partial += text
	if i := strings.LastIndexByte(s.partial, '\n'); i >= 0 {
		s.src = append(s.src, style.Safe(s.partial[:i+1])...)
		s.partial = s.partial[i+1:]
	}
}

// Finish says that nothing more comes. It may be called more than once.
func (s *Stream) Finish() {
	if s.finished {
		return
	}
	s.finished = true
	s.src, s.partial, s.tailOf = append(s.src, style.Safe(s.partial)...), "", -1
	s.forward = definition.Match(s.src) || oddTable.Match(s.src)
}

var definition = regexp.MustCompile(`(?m)^[ \t>*+\-0-9.)]*\[[^\]]+\]:`) // also in a quote or a list

// oddTable finds a delimiter row under a line that has no bar. The parser takes such a table apart again when a line of
// dashes follows, and puts its pieces in another order.
var oddTable = regexp.MustCompile(`(?m)^[^|\n]*\n[ \t>]*[|:-][|: -]*\|[|: -]*$`)

// Source is the text so far, cleaned of control sequences.
func (s *Stream) Source() string { return string(s.src) + style.Safe(s.partial) }

// Lines lays the text so far out in lines of at most width cells.
func (s *Stream) Lines(width int) []string {
	if width != s.width || s.shift != s.r.shift {
		s.settled, s.tailOf = settled{width: width, shift: s.r.shift, next: -1}, -1
	}
	s.settle()
	if at := len(s.src) + len(s.partial); at != s.tailOf {
		s.tail, s.tailOf = s.open(), at
	}
	return slices.Concat(s.lines, s.tail)
}

// settle lays out for good whatever the whole lines allow.
func (s *Stream) settle() {
	if s.finished && s.forward {
		if !s.whole {
			s.settled = settled{width: s.width, shift: s.shift, next: -1, whole: true, done: len(s.src), lines: s.r.Render(string(s.src), s.width)}
		}
		return
	}
	for {
		if s.fence != nil {
			if !s.feedFence() {
				return
			}
			continue
		}
		rest := string(s.src[s.done:])
		if strings.TrimSpace(rest) == "" {
			return
		}
		doc, p := s.r.parse(rest, s.refs)
		last := unfinished(doc)
		if last == nil {
			return
		}
		if last != doc.FirstChild() {
			s.emit(doc, last, p)
		}
		base, start := s.done, s.done
		if last != doc.FirstChild() {
			start += lineStart(p.src, startOf(last))
			s.refs = p.refs
		}
		if code, ok := last.(*ast.FencedCodeBlock); ok {
			s.done = start
			s.fence = openFence(code, p.src, len(s.lines) > 0)
			s.fence.at += base
			continue
		}
		s.settleItems(last, p, start)
		return
	}
}

// unfinished is the first block of doc that further lines may still change: the last one; or the paragraph that a table
// at the end was split off from, since a line of dashes under the table makes a heading of it; and then that table too,
// which the parser puts before the heading although it stands after it.
func unfinished(doc ast.Node) ast.Node {
	last := doc.LastChild()
	if last == nil {
		return nil
	}
	prev := last.PreviousSibling()
	if _, table := last.(*astext.Table); table && prev != nil && prev.Kind() == ast.KindParagraph {
		return prev
	}
	for ; prev != nil && startOf(prev) > startOf(last); prev = last.PreviousSibling() {
		last = prev
	}
	return last
}

// startOf is a position in the first line of n. A table's own is that of the paragraph it was made from, which may
// have begun before it.
func startOf(n ast.Node) int {
	if table, ok := n.(*astext.Table); ok && table.FirstChild() != nil {
		return table.FirstChild().Pos()
	}
	return n.Pos()
}

// emit lays the blocks of doc before last out for good.
func (s *Stream) emit(doc, last ast.Node, p parsed) {
	s.lines = append(s.lines, s.blocks(doc, last, p)...)
	s.next = -1
}

// blocks lays doc's blocks before end out, the first perhaps as the rest of a list, with the gap that parts them from
// what is settled.
func (s *Stream) blocks(doc, end ast.Node, p parsed) []string {
	c, some, next := p.column(s.width), len(s.lines) > 0, s.next
	var out []string
	for b := doc.FirstChild(); b != nil && b != end; b = b.NextSibling() {
		var lines []string
		gap := some
		if list, ok := b.(*ast.List); ok && next >= 0 {
			lines, gap = s.r.list(list, c, next), blankBefore(s.src, s.done)
		} else {
			lines = s.r.block(b, c)
		}
		next = -1
		if len(lines) == 0 {
			continue
		}
		if gap {
			out = append(out, "")
		}
		out, some = append(out, lines...), true
	}
	return out
}

// settleItems lays all but the last item of an open list out for good. start is where the block begins in src.
func (s *Stream) settleItems(last ast.Node, p parsed, start int) {
	list, ok := last.(*ast.List)
	if !ok || list.ChildCount() < 2 {
		s.done = start
		return
	}
	first := list.Start
	gap := len(s.lines) > 0
	if s.next >= 0 {
		first, gap = s.next, blankBefore(s.src, s.done)
	}
	open := list.LastChild()
	at := lineStart(p.src, open.Pos())
	count := list.ChildCount() - 1
	list.RemoveChild(list, open)
	if gap {
		s.lines = append(s.lines, "")
	}
	s.lines = append(s.lines, s.r.list(list, p.column(s.width), first)...)
	base := s.done
	s.done, s.next = base+at, first+count
}

// open lays out what is not settled.
func (s *Stream) open() []string {
	partial := style.Safe(s.partial)
	if s.fence != nil {
		return s.fence.lines(s, partial)
	}
	rest := string(s.src[s.done:])
	if s.finished {
		doc, p := s.r.parse(rest, s.refs)
		return s.blocks(doc, nil, p)
	}
	if strings.HasPrefix(strings.TrimLeft(rest+partial, " \n"), "|") {
		return s.openTable(rest, partial)
	}
	doc, p := s.r.parse(rest+partial, s.refs)
	return s.blocks(doc, nil, p)
}

// openTable shows the whole rows aligned and the row that is still arriving as text. Before the second row is whole
// there is no table yet: all is text.
func (s *Stream) openTable(rest, partial string) []string {
	doc, p := s.r.parse(rest, s.refs)
	var out []string
	if _, ok := doc.LastChild().(*astext.Table); ok {
		out, rest = s.blocks(doc, nil, p), ""
	}
	if text := strings.Trim(rest+partial, "\n"); text != "" {
		if len(out) == 0 && len(s.lines) > 0 {
			out = append(out, "")
		}
		out = append(out, s.r.plain(text, themes.Assistant, p.column(s.width))...)
	}
	return out
}
