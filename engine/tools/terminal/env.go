package terminal

import "strings"

// fixed is what every command finds in its environment: nothing pages, colours, opens an editor or asks for a password.
var fixed = []string{
	"TERM=dumb", "NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "SYSTEMD_PAGER=cat",
	"EDITOR=false", "VISUAL=false", "GIT_EDITOR=false", "GIT_SEQUENCE_EDITOR=false",
	"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never",
}

// Names that the tool sets for each call: the mark by which its processes are found, and where the shell leaves its
// last directory.
const (
	markName = "TALARIA_CALL"
	cwdName  = "TALARIA_CWD"
)

// environ returns base with the fixed variables and extra in place of their namesakes; never nil, since a nil
// environment would be inherited from the program.
func environ(base []string, extra ...string) []string {
	set := append(append([]string{}, fixed...), extra...)
	names := map[string]bool{"CLICOLOR_FORCE": true, "FORCE_COLOR": true} // they overrule NO_COLOR
	for _, v := range set {
		name, _, _ := strings.Cut(v, "=")
		names[name] = true
	}
	env := []string{}
	for _, v := range base {
		if name, _, _ := strings.Cut(v, "="); !names[name] {
			env = append(env, v)
		}
	}
	return append(env, set...)
}
