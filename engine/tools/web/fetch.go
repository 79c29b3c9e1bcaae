package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

const (
	maxBody   = 5 << 20          // bytes of one page, unpacked
	maxHops   = 8                // redirects on the same host
	pageLimit = 40 * time.Second // for one page, from the first connection to the last byte
)

// page is what an address led to.
type page struct {
	url   *url.URL // after redirects
	text  string   // Markdown, or the text as it is
	cut   bool     // the page is longer than maxBody
	title string
}

// fetch reads one page.
func (w *Web) fetch(ctx context.Context, u *url.URL) (page, error) {
	ctx, cancel := context.WithTimeout(ctx, pageLimit)
	defer cancel()
	u, res, err := w.follow(ctx, u)
	if err != nil {
		return page{}, err
	}
	defer res.Body.Close()
	return read(u, res)
}

// follow goes through redirects on the same host. The caller closes the body of what is at their end.
func (w *Web) follow(ctx context.Context, u *url.URL) (*url.URL, *http.Response, error) {
	for range maxHops {
		res, err := w.get(ctx, u)
		if err != nil {
			return nil, nil, plainly(err)
		}
		next, err := redirect(u, res)
		if next == nil && err == nil {
			return u, res, nil
		}
		res.Body.Close()
		if err != nil {
			return nil, nil, err
		}
		u = next
	}
	return nil, nil, fmt.Errorf("it redirects more than %d times", maxHops)
}

func (w *Web) get(ctx context.Context, u *url.URL) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "talaria/"+w.o.Version)
	req.Header.Set("Accept", "text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.5")
	return w.client.Do(req)
}

// redirect is where res sends us: nil when it is no redirect, an error when it leads to another host. The user was asked
// about a host, and another one is another question.
func redirect(from *url.URL, res *http.Response) (*url.URL, error) {
	if res.StatusCode < 300 || res.StatusCode > 399 || res.Header.Get("Location") == "" {
		return nil, nil
	}
	to, err := from.Parse(res.Header.Get("Location"))
	if err != nil {
		return nil, errors.New("it redirects to something that is no address")
	}
	next, err := parse(to.String())
	if err != nil {
		return nil, fmt.Errorf("it redirects to an address that is not read: %w", err)
	}
	if place(next) != place(from) {
		return nil, fmt.Errorf("it redirects to another host: %s. Call web_extract with that address if you want it", next)
	}
	if from.Scheme == "https" && next.Scheme == "http" {
		return nil, fmt.Errorf("it redirects from https to plain http: %s. Call web_extract with that address if you want it", next)
	}
	return next, nil
}

// place is the host of an address as the user is asked about it: with a port that is not the usual one.
func place(u *url.URL) string {
	if p := u.Port(); p != "" && p != "80" && p != "443" {
		return u.Host
	}
	return u.Hostname()
}

// read turns an answer into text.
func read(u *url.URL, res *http.Response) (page, error) {
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	if err != nil && len(body) == 0 {
		return page{}, plainly(err)
	}
	p := page{url: u, cut: len(body) > maxBody || err != nil}
	body = body[:min(len(body), maxBody)]
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if kind == "" || kind == "application/octet-stream" {
		kind, _, _ = mime.ParseMediaType(http.DetectContentType(body))
	}
	if !textual(kind) {
		return page{}, notText(kind, len(body), p.cut)
	}
	text := decode(body, res.Header.Get("Content-Type"))
	if kind == "text/html" || kind == "application/xhtml+xml" {
		if p.title, text, err = markdown(text, u); err != nil {
			return page{}, fmt.Errorf("the page cannot be turned into text: %w", err)
		}
	}
	p.text = strings.TrimSpace(text)
	if res.StatusCode >= 400 {
		return page{}, fmt.Errorf("the server answered %s: %s", res.Status, firstLine(p.text))
	}
	return p, nil
}

// decode makes UTF-8 of the body by what the header, a byte order mark or the page itself say of its encoding.
func decode(body []byte, contentType string) string {
	enc, name, certain := charset.DetermineEncoding(body[:min(len(body), 1024)], contentType)
	if name == "utf-8" || !certain && utf8.Valid(body) {
		return strings.ToValidUTF8(strings.TrimPrefix(string(body), "\uFEFF"), "\uFFFD")
	}
	out, err := enc.NewDecoder().Bytes(body)
	if err != nil {
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	return strings.ToValidUTF8(string(out), "\uFFFD")
}

func textual(kind string) bool {
	if strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml") && kind != "image/svg+xml" {
		return true
	}
	switch kind {
	case "application/json", "application/xml", "application/xhtml+xml", "application/javascript", "application/x-javascript", "application/yaml", "application/x-yaml",
		"application/toml", "application/x-ndjson", "application/x-sh", "application/sql", "application/graphql":
		return true
	}
	return false
}

func notText(kind string, size int, more bool) error {
	about := fmt.Sprintf("%d bytes", size)
	if more {
		about = "more than " + about
	}
	switch {
	case kind == "application/pdf":
		return fmt.Errorf("it is a PDF document (%s); only text is read here. With the terminal it can be downloaded and turned into text, for example with pdftotext", about)
	case strings.HasPrefix(kind, "image/"):
		return fmt.Errorf("it is a picture (%s, %s); vision_analyze looks at pictures, where that tool is there", kind, about)
	}
	return fmt.Errorf("it is no text (%s, %s)", kind, about)
}

// plainly takes the method and the address off an error of the HTTP client.
func plainly(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	if errors.Is(err, errPrivate) {
		return errPrivate
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("it did not answer within %s", pageLimit)
	}
	return err
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if r := []rune(s); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return s
}

// Picture fetches a picture, under the same rules as a page. The bytes are not looked at here.
func Picture(ctx context.Context, o Options, address string, limit int64) ([]byte, error) {
	w := &Web{o: o, client: newClient(o.AllowPrivate)}
	defer w.client.CloseIdleConnections()
	u, err := parse(address)
	if err != nil {
		return nil, err
	}
	_, res, err := w.follow(ctx, u)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answered %s", res.Status)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("it is larger than %d MB", limit>>20)
	}
	return data, err
}
