// Package completion writes the scripts by which shells complete the program's command line. It refuses to know a flag or
// a subcommand: they are given to it.
package completion

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Shells are those that there is a script for, in the order of the alphabet.
func Shells() []string { return slices.Sorted(maps.Keys(scripts)) }

// Write writes the script of a shell: flags are separated by blanks, subs are the second words by first word. It is an
// error when there is no script for the shell.
func Write(w io.Writer, shell, flags string, subs map[string]string) error {
	write, ok := scripts[shell]
	if !ok {
		return fmt.Errorf("completion: there is no script for %q; there is one for %s", shell, strings.Join(Shells(), ", "))
	}
	write(w, flags, subs)
	return nil
}

// scripts are by the shell they are for. Each completes the words of subs after a first word, and flags elsewhere; what
// follows is files, as the shell does it.
var scripts = map[string]func(w io.Writer, flags string, subs map[string]string){
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
