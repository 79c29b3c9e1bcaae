package provider

import (
	"slices"
	"strings"
)

// Row is a line of a table of what servers want otherwise than most: T for these providers, or these hosts. A host that
// begins with a dot fits every host below it.
type Row[T any] struct {
	Providers, Hosts []string
	Want             T
}

// Find returns what the first fitting row says, or T's zero value. The host decides; the provider's name only where no
// row knows the host, since a proxy may stand in for a provider.
func Find[T any](rows []Row[T], name, host string) T {
	host, name = strings.ToLower(host), strings.ToLower(name)
	for _, row := range rows {
		if slices.ContainsFunc(row.Hosts, func(h string) bool {
			return host == h || strings.HasPrefix(h, ".") && strings.HasSuffix(host, h)
		}) {
			return row.Want
		}
	}
	for _, row := range rows {
		if slices.Contains(row.Providers, name) {
			return row.Want
		}
	}
	var none T
	return none
}

// BareModel is a model's name in lower case, without the maker before a slash ("openai/gpt-5").
func BareModel(model string) string {
	return strings.ToLower(model[strings.LastIndex(model, "/")+1:])
}

// IsFamily reports whether a bare name is one of the families, or begins with one and a mark that ends it ("gpt-5",
// "gpt-5.1", "gpt-5-mini", but not "gpt-50").
func IsFamily(bare string, families []string) bool {
	return slices.ContainsFunc(families, func(f string) bool {
		rest, ok := strings.CutPrefix(bare, f)
		return ok && (rest == "" || strings.ContainsAny(rest[:1], "-.:@"))
	})
}
