package provider

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"talaria/engine"
)

const maxErrorBody = 64 << 10

// Codes of failures that happen before a server said anything: its certificate is not trusted; the key cannot be sent;
// the base URL is none; the request cannot be encoded.
const (
	CodeCertificate = "certificate"
	CodeBadKey      = "bad_key"
	CodeBadURL      = "bad_url"
	CodeBadRequest  = "bad_request"
)

// Failure is the error a mode yields: what was seen, not yet what it means. It never holds a key.
//
// Status is the HTTP status, 0 when nothing was answered. URL has no query and no user. Body holds at most 64 KiB, and
// never HTML. Message, Code and Type are what the server's error said. Cut: the reply ended before its end; InCall: a
// tool call was open then. NoData: not one piece of a reply came. Dial: nobody was reached. Usage is what the attempt
// reported before it failed.
type Failure struct {
	Status                    int
	Header                    http.Header
	ContentType, URL          string
	Body                      []byte
	Message, Code, Type       string
	Cut, InCall, NoData, Dial bool
	Usage                     engine.Usage
	Err                       error
}

// Error says what happened, with the status if there is one.
func (f *Failure) Error() string {
	message := f.Message
	if message == "" && f.Err != nil {
		message = f.Err.Error()
	}
	if f.Status >= 300 {
		return fmt.Sprintf("status %d: %s", f.Status, message)
	}
	return message
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// describe fills Message, Code and Type from an answer that is no reply, and drops a body of HTML.
func (f *Failure) describe() {
	host := f.URL
	if u, err := url.Parse(f.URL); err == nil && u.Host != "" {
		host = u.Host
	}
	where := f.Header.Get("Location")
	switch {
	case f.Status >= 300 && f.Status < 400 && where != "":
		f.Body = nil
		f.Message = fmt.Sprintf("%s redirects (%d) to %s; redirects are not followed, because the key would go with them", host, f.Status, redirectTarget(f.URL, where))
	case IsHTML(f.ContentType, f.Body):
		f.Message, f.Body = DescribeHTML(f.Status, f.URL, f.Body), nil
	default:
		said := ReadError(f.Body)
		f.Message, f.Code, f.Type = said.Message, said.Code, said.Type
		if f.Message == "" {
			f.Message = fmt.Sprintf("%s answered %d %s", host, f.Status, strings.ToLower(http.StatusText(f.Status)))
		}
	}
}

// PublicURL is u without user, query and fragment, which may hold keys.
func PublicURL(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

func redirectTarget(from, where string) string {
	base, err := url.Parse(from)
	if err != nil {
		base = &url.URL{}
	}
	u, err := base.Parse(where)
	if err != nil {
		return "an address that is no URL"
	}
	return PublicURL(u)
}
