package converse

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"talaria/engine/provider"
)

// named gives a failure the name of its class, which AWS tells in a header or in __type, and drops credentials that were
// not taken.
func (c *client) named(err error) error {
	var f *provider.Failure
	if !errors.As(err, &f) {
		return err
	}
	if name := class(f.Header.Get("x-amzn-errortype")); name != "" {
		f.Type = name
	}
	if f.Type == "" {
		var box struct {
			Type string `json:"__type"`
		}
		_ = json.Unmarshal(f.Body, &box) // a body that is no JSON names no class
		f.Type = class(box.Type)
	}
	if f.Status == http.StatusUnauthorized || f.Status == http.StatusForbidden {
		c.creds.forget()
	}
	return err
}

// class is the bare name in "ValidationException:http://…" or "com.amazon.coral#ValidationException".
func class(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return strings.TrimSpace(name[strings.LastIndex(name, "#")+1:])
}

// refusesStreaming reports whether the same request may succeed without streaming: a policy that allows InvokeModel but
// not InvokeModelWithResponseStream, or a model that does not stream, or not beside tools. A denial does not always say
// which action it means, so any is worth one more try.
func refusesStreaming(err error) bool {
	var f *provider.Failure
	if !errors.As(err, &f) {
		return false
	}
	said := strings.ToLower(f.Message)
	switch f.Status {
	case http.StatusForbidden:
		return f.Type == "AccessDeniedException" || strings.Contains(said, "invokemodelwithresponsestream")
	case http.StatusBadRequest:
		return strings.Contains(said, "streaming") && (strings.Contains(said, "support") || strings.Contains(said, "not allowed"))
	}
	return false
}
