package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"
)

// nameLength is the longest tool name that every provider takes.
const nameLength = 64

// toolName is the name that the model sees: mcp_<server>_<tool>, of letters, digits, "_" and "-". A name that had to be
// changed for that, or could be read as another server's, ends with a piece of a checksum. It depends on the configured
// servers and on the tool alone, so it is the same in every session and whichever server starts first.
func toolName(server, tool string, servers []string) string {
	name := prefix(server) + plain(tool)
	changed := plain(server) != server || plain(tool) != tool || len(name) > nameLength
	for _, other := range servers {
		if p := prefix(other); other != server && strings.HasPrefix(name, p) && len(p) >= len(prefix(server)) {
			changed = true
		}
	}
	if !changed {
		return name
	}
	sum := sha256.Sum256([]byte(server + "\x00" + tool))
	end := "_" + hex.EncodeToString(sum[:4])
	return name[:min(len(name), nameLength-len(end))] + end
}

func prefix(server string) string { return "mcp_" + plain(server) + "_" }

// plain replaces what some provider does not take in a name.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, s)
}

// wanted reports whether the configuration lets the tool through: named by include, if there is one, and not by exclude.
func (s Server) wanted(tool string) bool {
	fits := func(pattern string) bool {
		ok, err := path.Match(pattern, tool)
		return pattern == tool || err == nil && ok
	}
	return (len(s.Include) == 0 || slices.ContainsFunc(s.Include, fits)) && !slices.ContainsFunc(s.Exclude, fits)
}
