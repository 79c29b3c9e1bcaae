package config

import (
	"net/url"
	"strings"
)

// canonical writes an address in the one way that is compared: no blanks, no slash at the end, scheme and host in
// small letters, no default port. Nothing else is equal: a key for one path of a host is not one for another.
func canonical(baseURL string) string {
	s := strings.TrimRight(strings.TrimSpace(baseURL), "/")
	u, err := url.Parse(s)
	if err != nil {
		return s
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if port := u.Port(); u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	return u.String()
}

func sameAddress(a, b string) bool { return canonical(a) == canonical(b) }
