package shell

import (
	"slices"
	"strings"
)

// git is a call of git, taken apart.
type git struct {
	global []string // options before the subcommand, without their values
	sub    string
	args   []string // after the subcommand
}

// parseGit takes the arguments of git apart.
func parseGit(args []string) (g git) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if !strings.HasPrefix(arg, "-") {
			g.sub, g.args = arg, args[i+1:]
			return g
		}
		g.global = append(g.global, arg)
		if slices.Contains([]string{"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix", "--attr-source"}, arg) {
			i++
		}
	}
	return g
}

// GitGlobal reports whether options before the subcommand make git work elsewhere or by other settings.
func GitGlobal(args []string) bool {
	return slices.ContainsFunc(parseGit(args).global, func(o string) bool {
		return !slices.Contains([]string{"--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs", "--no-replace-objects"}, o)
	})
}

// onGit makes a row of the table of a test of a subcommand.
func onGit(test func(g git) bool) func([]string) bool {
	return func(args []string) bool { return test(parseGit(args)) }
}

func discards(g git) bool {
	a := g.args
	switch g.sub {
	case "reset":
		return Long(a, "hard", "merge", "keep")
	case "clean":
		return (Short(a, "fdx") || Long(a, "force")) && !(Short(a, "n") || Long(a, "dry-run"))
	case "restore":
		return !Long(a, "staged") || Long(a, "worktree") || Short(a, "W")
	case "checkout":
		return word(a, "--", ".") || Short(a, "f") || Long(a, "force")
	case "switch":
		return Short(a, "f") || Long(a, "force", "discard-changes")
	case "stash":
		return word(a, "drop", "clear")
	case "worktree":
		return word(a, "remove") && (Short(a, "f") || Long(a, "force"))
	case "rm":
		return Short(a, "rf") || Long(a, "force")
	}
	return false
}

func overwrites(g git) bool {
	a := g.args
	return g.sub == "push" && (Short(a, "fd") || Long(a, "force", "force-with-lease", "force-if-includes", "mirror", "delete", "prune") || matching(a, `^[+:]\S`))
}

func rewrites(g git) bool {
	a := g.args
	switch g.sub {
	case "branch":
		return Short(a, "DM") || Long(a, "delete") && Long(a, "force")
	case "filter-branch", "filter-repo", "update-ref", "replace":
		return true
	case "reflog":
		return word(a, "expire", "delete")
	case "gc":
		return Long(a, "prune")
	case "tag":
		return Short(a, "d") || Long(a, "delete")
	}
	return false
}

// commands reports whether options are set that git runs.
func commands(g git) bool {
	switch {
	case slices.ContainsFunc(g.global, func(o string) bool {
		return strings.HasPrefix(o, "-c") || strings.HasPrefix(o, "--config-env") || strings.HasPrefix(o, "--exec-path")
	}):
		return true
	case g.sub == "config":
		return !(Long(g.args, "get", "get-all", "list", "show-origin") || Short(g.args, "l") || word(g.args, "get", "list"))
	case g.sub == "rebase", g.sub == "bisect":
		return Long(g.args, "exec") || Short(g.args, "x") || g.sub == "bisect" && word(g.args, "run")
	case g.sub == "submodule":
		return word(g.args, "foreach")
	}
	return false
}
