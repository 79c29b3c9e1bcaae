package guard

import (
	"encoding/json"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"talaria/engine"
	"talaria/engine/guard/rule"
)

// fetchArgs are the arguments by which network tools name addresses.
type fetchArgs struct {
	URL  string   `json:"url"`
	URLs []string `json:"urls"`

	Image string `json:"image"`
}

// address reports whether the picture that a tool looks at is on the network.
func address(c engine.Call) bool {
	var in fetchArgs
	_ = json.Unmarshal([]byte(c.Args), &in) // what cannot be read is no address, and then the tool is asked about
	return strings.HasPrefix(strings.ToLower(in.Image), "http://") || strings.HasPrefix(strings.ToLower(in.Image), "https://")
}

// fetch decides about a tool that reads from the network: once per host in ask and edit mode (RULINGS 8). A tool that
// names no address, such as a search, is allowed by its name.
func (g *Guard) fetch(c engine.Call, s engine.Spec, mode string) decision {
	var in fetchArgs
	_ = json.Unmarshal([]byte(c.Args), &in) // what cannot be read names no host, and then the tool is asked
	urls := in.URLs
	for _, one := range []string{in.URL, in.Image} {
		if one != "" {
			urls = append(urls, one)
		}
	}
	if len(urls) == 0 {
		return g.unknown(c, s, mode, "it sends words to the network")
	}
	var left []string
	var items []rule.Ladder
	by := "auto mode allows it"
	for _, u := range urls {
		host := hostOf(u)
		switch d := g.named(rule.Fetch, host); {
		case d != nil && d.verdict.Decision == engine.Deny:
			d.action = s.Name + " " + u
			return *d
		case d != nil:
			by = d.by
		case mode == modeAuto:
		case host == "":
			return decision{by: "the address cannot be read", action: s.Name + " " + u,
				question: &engine.Question{Title: "Fetch " + u, Why: "the address cannot be read"}}
		default:
			left, items = append(left, u), append(items, rule.ForHost(host))
		}
	}
	action := s.Name + " " + strings.Join(urls, ", ")
	if len(left) == 0 {
		return decision{by: by, action: action}
	}
	why := "the network asks once for each host"
	return decision{by: why, action: action, items: items, question: &engine.Question{Title: "Fetch " + strings.Join(left, ", "), Why: why}}
}

// hostOf is the host of an address as rules name it: in small letters, with a port that is not the usual one.
func hostOf(address string) string {
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Hostname() == "" || strings.ContainsAny(u.Hostname(), "*?[\\ ") {
		return ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if !strings.Contains(host, ":") { // no IPv6: as it goes over the wire, so that a look-alike letter shows
		if host, err = idna.Lookup.ToASCII(host); err != nil {
			return ""
		}
	}
	if p := u.Port(); p != "" && p != "80" && p != "443" {
		host += ":" + p
	}
	return host
}
