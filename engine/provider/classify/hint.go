package classify

import (
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// about is whom an error is about. Each may be "".
type about struct{ provider, model, url string }

// fill puts the names into h.
func (a about) fill(h hint) string {
	or := func(s, other string) string {
		if s == "" {
			return other
		}
		return s
	}
	return strings.NewReplacer("{provider}", or(a.provider, "the provider"), "{model}", or(a.model, "the model"),
		"{url}", or(a.url, "the provider")).Replace(string(h))
}

// hint picks the line that fits best: what this failure alone tells, else what this provider's failures of reason r need,
// else what r needs anywhere.
func (x *facts) hint(r engine.Reason, name string) hint {
	if h := x.special(r, name); h != "" {
		return h
	}
	for _, h := range telling {
		if x.says(h.any) {
			return h.hint
		}
	}
	if h := hintsOf[name][r]; h != "" {
		return h
	}
	return hints[r]
}

// special are the hints for what happened before, or instead of, an answer.
func (x *facts) special(r engine.Reason, name string) hint {
	switch f := x.f; {
	case f.Dial && starts[name] != "":
		return starts[name]
	case f.Dial && !provider.IsLocal(f.URL):
		return hintOffline
	case f.Dial:
		return hintNoConnection
	case f.Code == provider.CodeBadURL:
		return hintBadURL
	case f.Code == provider.CodeCertificate:
		return hintCertificate
	case f.Code == provider.CodeBadKey:
		return hintBadKey
	case f.Code == provider.CodeBadRequest:
		return hintBadRequest
	case f.Status == 407:
		return hintProxy
	case f.Status == 511:
		return hintPortal
	case f.Status >= 300 && f.Status < 400:
		return hintRedirect
	case f.Status == 405, r == engine.ReasonUnknown && x.status == 404, f.NoData && !strings.Contains(f.ContentType, "event-stream") && f.ContentType != "",
		provider.IsHTML(f.ContentType, f.Body) && x.status < 500:
		return hintAddress
	}
	return ""
}
