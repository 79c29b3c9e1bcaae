package terminal

import (
	"slices"
	"strings"
)

// fixed is what every command finds in its environment: nothing pages, colours, opens an editor or asks for a password.
var fixed = []string{
	"TERM=dumb", "NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "SYSTEMD_PAGER=cat",
	"EDITOR=false", "VISUAL=false", "GIT_EDITOR=false", "GIT_SEQUENCE_EDITOR=false",
	"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never",
}

// Names that the tool sets for each call: the mark by which its processes are found, and the directory where the shell
// leaves its last directory and environment.
const (
	markName = "TALARIA_CALL"
	homeName = "TALARIA_SHELL"
)

// Names that say something of one call alone, or that the tool sets anew each time.
var fleeting = []string{markName, homeName, "PWD", "OLDPWD", "SHLVL", "_", "CLICOLOR_FORCE", "FORCE_COLOR"}

// unkept are variables that make every later shell or program run code which no later command shows; they hold for the
// command that sets them. A name that ends in * stands for all that begin so.
var unkept = []string{"BASH_ENV", "ENV", "BASH_FUNC_*", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND", "ZDOTDIR", "LD_PRELOAD", "LD_AUDIT", "DYLD_*"}

// environ returns base with the fixed variables and extra in place of their namesakes; never nil, since a nil
// environment would be inherited from the program.
func environ(base []string, extra ...string) []string {
	set := append(append([]string{}, fixed...), extra...)
	names := map[string]bool{"CLICOLOR_FORCE": true, "FORCE_COLOR": true} // they overrule NO_COLOR
	for _, v := range set {
		names[nameOf(v)] = true
	}
	env := []string{}
	for _, v := range base {
		if !names[nameOf(v)] {
			env = append(env, v)
		}
	}
	return append(env, set...)
}

// carry returns the environment for the next command: after is that in which a command ended, before the one that was
// kept until then. changed are the names whose value is another now, refused those that are not kept.
func carry(before, after []string) (env, changed, refused []string) {
	old := map[string]string{}
	for _, v := range before {
		old[nameOf(v)] = v
	}
	for _, v := range fixed {
		delete(old, nameOf(v))
	}
	for _, v := range after {
		name := nameOf(v)
		switch {
		case slices.Contains(fleeting, name) || slices.ContainsFunc(fixed, func(f string) bool { return nameOf(f) == name }):
			continue
		case old[name] == v:
		case matches(unkept, name):
			refused = append(refused, name)
			if v = old[name]; v == "" {
				continue
			}
		default:
			changed = append(changed, name)
		}
		delete(old, name)
		env = append(env, v)
	}
	for name := range old {
		if !slices.Contains(fleeting, name) {
			changed = append(changed, name) // unset
		}
	}
	slices.Sort(changed)
	slices.Sort(refused)
	return env, changed, refused
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		begin, wild := strings.CutSuffix(p, "*")
		return p == name || wild && strings.HasPrefix(name, begin)
	})
}

func nameOf(v string) string {
	name, _, _ := strings.Cut(v, "=")
	return name
}
