package outside

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"talaria/engine/config"
	"talaria/engine/mcp"
)

// Servers are the MCP servers of the configuration, ready to be started. ${NAME} in env, headers, args and url is the
// variable of that name, so that no key has to stand in the file; secrets are the values that came that way.
func Servers(cfg config.Config, env []string, dir string, getenv func(string) string) (servers []mcp.Server, secrets []string) {
	for _, name := range slices.Sorted(maps.Keys(cfg.MCPServers)) {
		c := cfg.MCPServers[name]
		x := expander{getenv: getenv}
		s := mcp.Server{Name: name, Command: c.Command, Dir: dir, URL: x.expand(c.URL), Timeout: c.Timeout.Duration(), Include: c.Tools.Include,
			Exclude: c.Tools.Exclude, ParallelSafe: c.ParallelSafe, Env: slices.Clone(env), Headers: map[string]string{}}
		for _, a := range c.Args {
			s.Args = append(s.Args, x.expand(a))
		}
		for _, k := range slices.Sorted(maps.Keys(c.Env)) {
			s.Env = append(s.Env, k+"="+x.expand(c.Env[k]))
		}
		for k, v := range c.Headers {
			s.Headers[k] = x.expand(v)
		}
		switch {
		case x.missing != "":
			s.Fault = fmt.Sprintf("its settings refer to ${%s}, which is not set", x.missing)
		case s.Command == "" && s.URL == "":
			s.Fault = "it has neither command nor url in the settings"
		case s.Command != "" && s.URL != "":
			s.Fault = "it has both command and url in the settings; one of them has to go"
		}
		servers, secrets = append(servers, s), append(secrets, x.values...)
	}
	return servers, secrets
}

// expander replaces ${NAME}.
type expander struct {
	getenv  func(string) string
	missing string
	values  []string
}

var reference = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

func (x *expander) expand(s string) string {
	return reference.ReplaceAllStringFunc(s, func(ref string) string {
		name := strings.Trim(ref, "${}")
		value := x.getenv(name)
		if value == "" {
			x.missing = name
		}
		x.values = append(x.values, value)
		return value
	})
}
