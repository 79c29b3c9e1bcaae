package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"golang.org/x/net/idna"
)

// errPrivate is the end of a connection to an address that is not public.
var errPrivate = errors.New("its address is not public (web.allow_private_addresses allows such)")

// reserved are addresses that netip does not tell apart from public ones: shared and test networks, and forms of IPv6
// that carry an IPv4 address.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("::/96"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("100::/64"), netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("fec0::/10"),
}

// public reports whether an address may be read from.
func public(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.Zone() != "" {
		return false
	}
	for _, p := range reserved {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// guardDial lets a connection through when the address it goes to is public. It runs after the name was resolved and for
// every address that is tried, so a name that changes its mind (DNS rebinding) gains nothing.
func guardDial(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !public(to.Addr()) {
		return errPrivate
	}
	return nil
}

// newClient is the HTTP client for pages. Redirects are not followed: each step is looked at by fetch.
func newClient(allowPrivate bool) *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	dialer := &net.Dialer{Timeout: 10 * time.Second}
	if !allowPrivate {
		dialer.Control = guardDial
	}
	t.DialContext, t.MaxResponseHeaderBytes, t.ResponseHeaderTimeout = dialer.DialContext, 1<<20, 20*time.Second
	proxied := t.Clone()
	proxied.DialContext = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	t.Proxy = nil
	return &http.Client{Transport: ways{direct: t, proxied: proxied, allow: allowPrivate},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// ways sends a request through the proxy of the environment where one is meant for it. The proxy itself is usually at a
// private address; the host behind it is looked up here first, as far as it can be.
type ways struct {
	direct, proxied *http.Transport
	allow           bool
}

func (w ways) RoundTrip(r *http.Request) (*http.Response, error) {
	proxy, err := http.ProxyFromEnvironment(r)
	if err != nil {
		return nil, fmt.Errorf("read the proxy settings: %w", err)
	}
	if proxy == nil {
		return w.direct.RoundTrip(r)
	}
	if !w.allow {
		if err := lookup(r.Context(), r.URL.Hostname()); err != nil {
			return nil, err
		}
	}
	return w.proxied.RoundTrip(r)
}

// lookup refuses a host that has an address which is not public. One that cannot be looked up here is left to the proxy.
func lookup(ctx context.Context, host string) error {
	if a, err := netip.ParseAddr(host); err == nil {
		if !public(a) {
			return errPrivate
		}
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil && strings.HasSuffix(host, "localhost") {
		return errPrivate
	}
	for _, a := range found {
		if !public(a) {
			return errPrivate
		}
	}
	return nil
}

// parse reads an address that a model wrote; the error says what is wrong with it.
func parse(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") && text != "" {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("it is no web address")
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("only http and https are read, not %q", u.Scheme)
	}
	if u.User != nil {
		return nil, errors.New("an address with a user name or password in it is not read")
	}
	name, err := hostOf(u)
	if err != nil {
		return nil, err
	}
	port := u.Port()
	u.Host = name
	if strings.Contains(name, ":") {
		u.Host = "[" + name + "]"
	}
	if port != "" {
		u.Host += ":" + port
	}
	u.Fragment = ""
	return u, nil
}

// hostOf is the host of u as it is asked about and connected to: in small letters, without a dot at its end, in the
// form that goes over the wire, so that a look-alike letter shows.
func hostOf(u *url.URL) (string, error) {
	name := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if name == "" {
		return "", errors.New("it names no host")
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return name, nil
	}
	plain, err := idna.Lookup.ToASCII(name)
	if err != nil || plain == "" {
		return "", fmt.Errorf("its host %q is no valid name", name)
	}
	return plain, nil
}
