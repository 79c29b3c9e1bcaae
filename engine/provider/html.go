package provider

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// IsHTML reports whether a body is a web page, by its content type or its first bytes.
func IsHTML(contentType string, body []byte) bool {
	if strings.Contains(strings.ToLower(contentType), "html") {
		return true
	}
	head := bytes.ToLower(bytes.TrimLeft(body[:min(len(body), 512)], " \t\r\n\ufeff"))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

var pageTitle = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// DescribeHTML says in one line, under 200 characters for ordinary hosts, that a web page came where a reply should be:
// status, where from, and the page's title.
func DescribeHTML(status int, at string, page []byte) string {
	what := fmt.Sprintf("%d %s", status, strings.ToLower(http.StatusText(status)))
	if status >= 200 && status < 300 { // the address is wrong rather than the server broken: show it whole
		return fmt.Sprintf("%s answered with a web page (text/html) where a model's reply should be%s", clip(at, 110), titleOf(page, 40))
	}
	host := at
	if u, err := url.Parse(at); err == nil && u.Host != "" {
		host = u.Host
	}
	return fmt.Sprintf("%s from %s, with a web page (text/html)%s", strings.TrimSpace(what), clip(host, 60), titleOf(page, 80))
}

func titleOf(page []byte, width int) string {
	m := pageTitle.FindSubmatch(page)
	if m == nil {
		return ""
	}
	text := strings.Join(strings.Fields(html.UnescapeString(string(m[1]))), " ")
	text = strings.NewReplacer("<", "", ">", "").Replace(text)
	if text == "" {
		return ""
	}
	return fmt.Sprintf(": %q", clip(text, width))
}

// clip shortens s to at most n characters.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
