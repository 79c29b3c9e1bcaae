package main

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// shells are the scripts that completions are written in. Each completes the words of the table after a first word, and
// flags elsewhere; what follows is files, as the shell does it.
var shells = map[string]func(w io.Writer, flags string, subs map[string]string){
	"bash": func(w io.Writer, flags string, subs map[string]string) {
		fmt.Fprint(w, "_talaria() {\n  local cur=${COMP_WORDS[COMP_CWORD]} words=\"\"\n")
		fmt.Fprintf(w, "  if [[ $cur == -* ]]; then words=%q\n  elif [[ $COMP_CWORD == 1 ]]; then words=%q\n", flags, firsts(subs))
		fmt.Fprint(w, "  elif [[ $COMP_CWORD == 2 ]]; then\n    case ${COMP_WORDS[1]} in\n")
		for _, name := range slices.Sorted(maps.Keys(subs)) {
			fmt.Fprintf(w, "      %s) words=%q ;;\n", name, subs[name])
		}
		fmt.Fprint(w, "    esac\n  fi\n  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -o default -F _talaria talaria\n")
	},
	"zsh": func(w io.Writer, flags string, subs map[string]string) {
		fmt.Fprint(w, "#compdef talaria\n_talaria() {\n  local -a list\n")
		fmt.Fprintf(w, "  if [[ $PREFIX == -* ]]; then list=(%s)\n  elif (( CURRENT == 2 )); then list=(%s)\n", flags, firsts(subs))
		fmt.Fprint(w, "  elif (( CURRENT == 3 )); then\n    case $words[2] in\n")
		for _, name := range slices.Sorted(maps.Keys(subs)) {
			fmt.Fprintf(w, "      %s) list=(%s) ;;\n", name, subs[name])
		}
		fmt.Fprint(w, "    esac\n  fi\n  (( $#list )) && compadd -a list || _files\n}\ncompdef _talaria talaria\n")
	},
	"fish": func(w io.Writer, flags string, subs map[string]string) {
		for _, f := range strings.Fields(flags) {
			fmt.Fprintf(w, "complete -c talaria -l %s\n", strings.TrimPrefix(f, "--"))
		}
		fmt.Fprintf(w, "complete -c talaria -n __fish_use_subcommand -a '%s'\n", firsts(subs))
		for _, name := range slices.Sorted(maps.Keys(subs)) {
			fmt.Fprintf(w, "complete -c talaria -n '__fish_seen_subcommand_from %s; and test (count (commandline -opc)) -eq 2' -a '%s'\n", name, subs[name])
		}
	},
	"powershell": func(w io.Writer, flags string, subs map[string]string) {
		fmt.Fprint(w, "Register-ArgumentCompleter -Native -CommandName talaria -ScriptBlock {\n  param($word, $ast, $at)\n")
		fmt.Fprint(w, "  $given = @($ast.CommandElements | ForEach-Object { $_.ToString() })\n  $place = $given.Count - [int]($word -ne '')\n")
		fmt.Fprintf(w, "  $all = if ($word -like '-*') { '%s' } elseif ($place -eq 1) { '%s' } elseif ($place -eq 2) {\n    switch ($given[1]) {\n", flags, firsts(subs))
		for _, name := range slices.Sorted(maps.Keys(subs)) {
			fmt.Fprintf(w, "      '%s' { '%s' }\n", name, subs[name])
		}
		fmt.Fprint(w, "    }\n  } else { '' }\n  ($all -split ' ') | Where-Object { $_ -and $_ -like \"$word*\" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }\n}\n")
	},
}

func firsts(subs map[string]string) string {
	return strings.Join(slices.Sorted(maps.Keys(subs)), " ")
}

var flagName = regexp.MustCompile(`--[a-z][a-z-]+`)

// writeCompletion writes a shell's script. The flags are those of the help text, so that neither is forgotten.
func writeCompletion(c *cmdline) error {
	write, ok := shells[c.args[0]]
	if !ok {
		return fmt.Errorf("completion: there is no script for %q; there is one for %s", c.args[0], strings.Join(slices.Sorted(maps.Keys(shells)), ", "))
	}
	flags := slices.Compact(slices.Sorted(slices.Values(flagName.FindAllString(usage, -1))))
	subs := map[string]string{"connect": ""}
	for _, one := range cmds() {
		subs[one.name] = strings.TrimSpace(subs[one.name] + " " + one.sub)
	}
	subs["completion"] = firsts(map[string]string{"bash": "", "zsh": "", "fish": "", "powershell": ""})
	write(c.out, strings.Join(flags, " "), subs)
	return nil
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
