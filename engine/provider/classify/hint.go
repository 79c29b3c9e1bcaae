package classify

import (
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// hint picks the line that fits best.
func (x *facts) hint(r engine.Reason) hint {
	switch f := x.f; {
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
	case f.Status >= 300 && f.Status < 400:
		return hintRedirect
	case x.says(noTools):
		return hintNoTools
	case x.says([]string{"--jinja"}):
		return hintJinja
	case r == engine.ReasonUnknown && x.status == 404, f.NoData && !strings.Contains(f.ContentType, "event-stream") && f.ContentType != "",
		provider.IsHTML(f.ContentType, f.Body) && x.status < 500:
		return hintAddress
	}
	return hints[r]
}

// fill puts in the provider's name and the address.
func (h hint) fill(name, url string) string {
	if name == "" {
		name = "the provider"
	}
	if url == "" {
		url = "the provider"
	}
	return strings.NewReplacer("{provider}", name, "{url}", url).Replace(string(h))
}
