package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"talaria/ui/completion"
)

var flagName = regexp.MustCompile(`--[a-z][a-z-]+`)

// writeCompletion writes a shell's script. The flags are those of the help text, so that neither is forgotten.
func writeCompletion(c *cmdline) error {
	flags := slices.Compact(slices.Sorted(slices.Values(flagName.FindAllString(usage, -1))))
	subs := map[string]string{"connect": ""}
	for _, one := range cmds() {
		subs[one.name] = strings.TrimSpace(subs[one.name] + " " + one.sub)
	}
	subs["completion"] = strings.Join(completion.Shells(), " ")
	return completion.Write(c.out, c.args[0], strings.Join(flags, " "), subs)
}

var roff = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`)

// writeManual writes the manual page: the help text, every subcommand, the files and the exit codes.
func writeManual(c *cmdline) error {
	w := c.out
	fmt.Fprintf(w, ".TH TALARIA 1 \"\" \"talaria %s\" \"User Commands\"\n.SH NAME\ntalaria \\- an agent in your terminal\n", roff.Replace(version))
	_, body, _ := strings.Cut(usage, "\n\n")
	fmt.Fprintf(w, ".SH SYNOPSIS AND FLAGS\n.nf\n%s\n.fi\n.SH SUBCOMMANDS\n", dotted(roff.Replace(strings.TrimRight(body, "\n"))))
	for _, one := range cmds() {
		a := abouts[one.key()]
		opts := ""
		for o := range strings.FieldsSeq(a.opts) {
			if strings.HasSuffix(o, "=") {
				o += strings.ToUpper(strings.Trim(o, "-="))
			}
			opts += " [" + o + "]"
		}
		fmt.Fprintf(w, ".TP\n.B talaria %s\n%s\n", roff.Replace(strings.TrimSpace(one.key()+" "+a.args)+opts), roff.Replace(a.help))
	}
	_, err := fmt.Fprint(w, roff.Replace(manualEnd))
	return err
}

// dotted keeps lines that begin with a dot or a quote from being taken for commands of the formatter.
func dotted(s string) string { return regexp.MustCompile(`(?m)^([.'])`).ReplaceAllString(s, `\&$1`) }

// manualEnd is the last part of the manual; its dashes are escaped when it is written.
const manualEnd = `.SH FILES
.nf
$XDG_CONFIG_HOME/talaria/config.yaml     settings
$XDG_DATA_HOME/talaria/                  sessions.db, journal/, memories/, skills/, themes/
$XDG_STATE_HOME/talaria/                 talaria.log, crash/, drafts/, results/
.fi
TALARIA_HOME puts all of it into one directory.
.SH EXIT STATUS
.nf
0    done
1    the agent failed
2    usage or configuration error
3    no connection or key
4    provider error after all recovery
5    turn or money limit reached
6    approval needed and nobody to ask
7    stopped by policy or hook
130  SIGINT
143  SIGTERM
.fi
`
