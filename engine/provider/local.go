package provider

import (
	"net/netip"
	"net/url"
	"strings"
)

var tailscale = netip.MustParsePrefix("100.64.0.0/10")

// IsLocal reports whether baseURL is on this machine or its own network: loopback, private and link-local addresses,
// Tailscale's range, *.local and *.localhost, and names without a dot (containers). Such a server may be slow to begin.
func IsLocal(baseURL string) bool {
	u, err := url.Parse(strings.TrimSpace(baseURL))
	if err != nil || u.Hostname() == "" {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		ip = ip.Unmap()
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() || tailscale.Contains(ip)
	}
	for _, suffix := range []string{".local", ".localhost", ".docker.internal", ".containers.internal", ".lan", ".home.arpa"} {
		if strings.HasSuffix(host, suffix) {
			return true
		}
	}
	return !strings.Contains(host, ".")
}
