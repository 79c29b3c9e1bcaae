package markdown

import (
	"bytes"
	"net/url"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	astext "github.com/yuin/goldmark/extension/ast"

	"talaria/ui/style"
)

// maxGlamour is the longest text, in bytes, that glamour draws. It takes about 1 ms per KB, twice that on a busy machine,
// and text that is being written is drawn in every frame: with more than this a frame would take over 4 ms.
const maxGlamour = 2 << 10

// reasons say what glamour changes or shows worse; text that holds one of them is drawn by this package. Each was seen
// in glamour 2.0.1, and its test fails when glamour is mended.
var reasons = []struct {
	name  string
	holds func(n ast.Node, src []byte) bool
}{
	{"a tag is removed", isKind(ast.KindRawHTML)},
	{"an address gets the brackets of a link", isKind(ast.KindAutoLink)},
	{"the address of a picture is resolved", isKind(ast.KindImage)},
	{"a check box is left out", isKind(astext.KindTaskCheckBox)},
	{"an unknown kind is left out and reported on the standard output", isStrange},
	{"an escaped sign keeps its backslash", isTextWith(`\`)},
	{"an entity without its semicolon is decoded", isTextWith("&")},
	{"an entity in code is decoded", isCodeWith("&")},
	{"code that holds a backtick reads as two pieces", isCodeWith("`")},
	{"code and links lose the emphasis around them, code in a link its backslashes too", isWithin},
	{"a hard line break is lost", isBreak},
	{"wide characters wrap at blanks only", isWide},
	{"crossed-out text loses the marks within", isMixedStrike},
	{"a link that shows its address says it twice", isBareLink},
	{"an address without a scheme is resolved", isRelative},
}

// reasonAgainst is why glamour may not draw what n holds, "" when it may. It looks at the nodes only, so that the
// answer for a block is the same however it came.
func reasonAgainst(n ast.Node, src []byte) string {
	for k := n.FirstChild(); k != nil; k = k.NextSibling() {
		for _, r := range reasons {
			if r.holds(k, src) {
				return r.name
			}
		}
		if why := reasonAgainst(k, src); why != "" {
			return why
		}
	}
	return ""
}

func isKind(kind ast.NodeKind) func(ast.Node, []byte) bool {
	return func(n ast.Node, _ []byte) bool { return n.Kind() == kind }
}

func isStrange(n ast.Node, _ []byte) bool {
	switch n.(type) {
	case *ast.Text, *ast.CodeSpan, *ast.Emphasis, *astext.Strikethrough, *ast.Link:
		return false
	}
	return true
}

func isTextWith(sign string) func(ast.Node, []byte) bool {
	return func(n ast.Node, src []byte) bool {
		t, ok := n.(*ast.Text)
		return ok && n.Parent().Kind() != ast.KindCodeSpan && bytes.Contains(t.Value(src), []byte(sign))
	}
}

func isCodeWith(sign string) func(ast.Node, []byte) bool {
	return func(n ast.Node, src []byte) bool {
		t, ok := n.(*ast.Text)
		return ok && n.Parent().Kind() == ast.KindCodeSpan && bytes.Contains(t.Value(src), []byte(sign))
	}
}

func isWithin(n ast.Node, _ []byte) bool {
	return (n.Kind() == ast.KindCodeSpan || n.Kind() == ast.KindLink) && n.Parent().Type() == ast.TypeInline
}

func isBreak(n ast.Node, _ []byte) bool {
	t, ok := n.(*ast.Text)
	return ok && t.HardLineBreak()
}

func isWide(n ast.Node, src []byte) bool {
	t, ok := n.(*ast.Text)
	if !ok {
		return false
	}
	text := t.Value(src)
	runes := utf8.RuneCount(text)
	return runes != len(text) && style.Width(string(text)) != runes
}

func isMixedStrike(n ast.Node, _ []byte) bool {
	return n.Kind() != ast.KindText && n.Parent().Kind() == astext.KindStrikethrough
}

func isBareLink(n ast.Node, src []byte) bool {
	link, ok := n.(*ast.Link)
	if !ok {
		return false
	}
	t, ok := link.FirstChild().(*ast.Text)
	return ok && t.NextSibling() == nil && bytes.HasSuffix(link.Destination, t.Value(src))
}

func isRelative(n ast.Node, _ []byte) bool {
	link, ok := n.(*ast.Link)
	if !ok || bytes.HasPrefix(link.Destination, []byte("#")) {
		return false
	}
	u, err := url.Parse(string(link.Destination))
	return err != nil || !u.IsAbs()
}
