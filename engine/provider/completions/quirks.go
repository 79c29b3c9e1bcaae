package completions

import (
	"net/url"
	"slices"
	"strings"
)

// quirksOf returns the row for the server at an address. The host decides; the name only where no row knows the host,
// since a proxy may stand in for a provider.
func quirksOf(name, at string) quirks {
	u, err := url.Parse(at)
	if err != nil {
		return quirks{}
	}
	host := strings.ToLower(u.Hostname())
	for _, row := range quirkRows {
		if slices.ContainsFunc(row.hosts, func(h string) bool {
			return host == h || strings.HasPrefix(h, ".") && strings.HasSuffix(host, h)
		}) {
			return row.quirks
		}
	}
	for _, row := range quirkRows {
		if slices.Contains(row.providers, strings.ToLower(name)) {
			return row.quirks
		}
	}
	return quirks{}
}

// isFamily reports whether a model, with or without its maker before a slash, belongs to one of the families.
func isFamily(model string, families []string) bool {
	name := strings.ToLower(model[strings.LastIndex(model, "/")+1:])
	return slices.ContainsFunc(families, func(f string) bool {
		rest, ok := strings.CutPrefix(name, f)
		return ok && (rest == "" || strings.ContainsAny(rest[:1], "-.:@"))
	})
}
