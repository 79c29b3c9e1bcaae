package messages

import (
	"net/url"
	"slices"
	"strings"
)

// hostOf returns the row for the server at an address. Only the host decides: what a provider is called says nothing
// about who answers there.
func hostOf(at string) host {
	u, err := url.Parse(at)
	if err != nil {
		return host{}
	}
	name := strings.ToLower(u.Hostname())
	for _, row := range hostRows {
		if slices.Contains(row.names, name) {
			return row.host
		}
	}
	return host{}
}
