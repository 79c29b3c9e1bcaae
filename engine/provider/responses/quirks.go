package responses

import (
	"net/url"
	"slices"
	"strings"
)

// quirksOf returns the row for the server at an address. The host decides; the name only where no row knows the host,
// since a proxy may stand in for a provider.
func quirksOf(name string, at *url.URL) quirks {
	host := strings.ToLower(at.Hostname())
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

// reasons reports whether a model is known to reason before it answers.
func reasons(model string) bool { return !isPlain(model) && isFamily(model, reasoningFamilies) }

// isPlain reports whether a model is known not to reason.
func isPlain(model string) bool {
	name := bare(model)
	return isFamily(model, plainFamilies) || slices.ContainsFunc(plainWords, func(w string) bool { return strings.Contains(name, w) })
}

// isFamily reports whether a model belongs to one of the families.
func isFamily(model string, families []string) bool {
	name := bare(model)
	return slices.ContainsFunc(families, func(f string) bool {
		rest, ok := strings.CutPrefix(name, f)
		return ok && (rest == "" || strings.ContainsAny(rest[:1], "-.:@"))
	})
}

// bare is a model's name in lower case, without the maker that stands before a slash ("openai/gpt-5") or, on Bedrock,
// before a dot ("openai.gpt-5.6").
func bare(model string) string {
	name := strings.ToLower(model[strings.LastIndex(model, "/")+1:])
	if _, rest, ok := strings.Cut(name, "openai."); ok {
		return rest
	}
	return name
}
