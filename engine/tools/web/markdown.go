package web

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
)

// dropped are elements that hold no text of the page, or frame it.
var dropped = []string{"script", "style", "noscript", "template", "iframe", "svg", "canvas", "object", "embed", "nav", "footer", "form", "button", "select", "dialog"}

// markdown turns a page into Markdown with absolute links. What a reader would not see is left out: it is mostly noise,
// and sometimes words that are meant for a model alone.
func markdown(text string, at *url.URL) (title, md string, err error) {
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return "", "", err
	}
	prune(doc, &title)
	main := doc
	if m := find(doc, "main"); m != nil && len(content(m)) > 500 {
		main = m
	}
	conv := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	out, err := conv.ConvertNode(main, converter.WithDomain(at.Scheme+"://"+at.Host))
	if err != nil {
		return "", "", err
	}
	return strings.Join(strings.Fields(title), " "), blank.ReplaceAllString(string(out), "\n\n"), nil
}

var blank = regexp.MustCompile(`\n{3,}`)

// prune takes out what is not read, and notes the title.
func prune(n *html.Node, title *string) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		switch {
		case c.Type == html.ElementNode && c.Data == "title" && *title == "":
			*title = content(c)
			n.RemoveChild(c)
		case c.Type == html.CommentNode, c.Type == html.ElementNode && (slices.Contains(dropped, c.Data) || hidden(c)), inlineData(c):
			n.RemoveChild(c)
		default:
			prune(c, title)
		}
		c = next
	}
}

var unseen = regexp.MustCompile(`(?i)display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(px|em|rem|%)?\s*(;|$)|opacity\s*:\s*0\s*(;|$)`)

func hidden(n *html.Node) bool {
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return true
		case "aria-hidden":
			return a.Val == "true"
		case "style":
			if unseen.MatchString(a.Val) {
				return true
			}
		}
	}
	return false
}

// inlineData is a picture that stands in the page itself: its address is its whole content.
func inlineData(n *html.Node) bool {
	return n.Type == html.ElementNode && n.Data == "img" && slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "src" && strings.HasPrefix(a.Val, "data:") })
}

func find(n *html.Node, tag string) *html.Node {
	if n.Type == html.ElementNode && n.Data == tag {
		return n
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if f := find(c, tag); f != nil {
			return f
		}
	}
	return nil
}

func content(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(content(c))
	}
	return b.String()
}
