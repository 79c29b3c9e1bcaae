package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"talaria/engine/config"
)

// flags are the command line of talaria itself (CONTRACT 2). Values for the configuration are in settings.
type flags struct {
	print, cont, demo, trust, noSession, ignoreRules, noMouse, plain, inline, version, help, connect, trajectory bool
	resume                                                                                                       *string // nil: not given; "": the picker
	worktree                                                                                                     *string // nil: not given; "": named by the moment
	from                                                                                                         string  // the directory that a worktree was made from
	prompt                                                                                                       string
	system, appendSystem, output, input                                                                          string
	addDirs                                                                                                      []string
	budget                                                                                                       float64
	settings                                                                                                     []config.Value
}

// usage is the help text: under 40 lines, ending in examples.
const usage = `talaria: an agent in your terminal.

  talaria [flags] [prompt...]        full-screen chat; a prompt is sent at once
  talaria -p "prompt" [flags]        one turn, no screen; piped stdin is added to the prompt

  -c, --continue                     the newest session of this directory
  -r, --resume [ID|TEXT]             that session; without a value choose from a list
  -m, --model [PROVIDER/]MODEL[:EFFORT]   --provider --base-url --api-mode --api-key-env
      --demo                         the built-in offline model: scripted, no network
      --mode ask|edit|plan|auto      ask first (default), edits allowed, read only, everything but the hard-line list
      --yolo                         the same as --mode auto
      --max-turns N  --budget USD    limits of one turn
      --toolsets A,B  --disable-toolsets A,B
      --system-prompt TEXT  --append-system-prompt TEXT  --ignore-rules
      --output text|json|stream-json  --input text|stream-json     for -p
      --trust                        read this directory's instructions in this run
      --add-dir DIR                  one more directory to work in
      --no-session                   keep nothing
      --worktree [NAME]              work in a fresh git worktree, which goes when nothing was done in it
      --save-trajectory              also write each turn to trajectories/, for training
      --plain                        lines alone, for screen readers and simple terminals
      --inline                       in the terminal's own scrollback, not on a screen of its own
      --no-mouse  --theme NAME
  -v, --version  -h, --help

  talaria connect                              choose and test a connection
  talaria sessions list|show|search|rename|delete|export|prune|import   talaria usage   talaria logs   talaria doctor
  talaria config get|set|path|schema|check|permissions|revoke   talaria models [list|refresh]   talaria replay FILE
  talaria themes list|check   talaria mcp list|test   talaria skills list|show   talaria memory show|path
  talaria man   talaria completion SHELL                                    every listing takes --json

Examples
  talaria --demo
  talaria "why is the checkout test flaky?"
  git diff | talaria -p "review this" --output json
  talaria -m ollama/qwen3:8b
`

// errHelp asks for the usage text.
var errHelp = errors.New("help")

// parseFlags reads args; the error says what to change.
func parseFlags(args []string) (flags, error) {
	var f flags
	fs := pflag.NewFlagSet("talaria", pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.SetInterspersed(true)
	fs.BoolVarP(&f.print, "print", "p", false, "")
	fs.BoolVarP(&f.cont, "continue", "c", false, "")
	resume, worktree := fs.StringP("resume", "r", "", ""), fs.String("worktree", "", "")
	fs.BoolVar(&f.demo, "demo", false, "")
	fs.BoolVar(&f.trust, "trust", false, "")
	fs.BoolVar(&f.noSession, "no-session", false, "")
	fs.BoolVar(&f.ignoreRules, "ignore-rules", false, "")
	fs.BoolVar(&f.trajectory, "save-trajectory", false, "")
	fs.BoolVar(&f.noMouse, "no-mouse", false, "")
	fs.BoolVar(&f.plain, "plain", false, "")
	fs.BoolVar(&f.inline, "inline", false, "")
	fs.BoolVarP(&f.version, "version", "v", false, "")
	fs.BoolVarP(&f.help, "help", "h", false, "")
	yolo := fs.Bool("yolo", false, "")
	fs.StringVar(&f.system, "system-prompt", "", "")
	fs.StringVar(&f.appendSystem, "append-system-prompt", "", "")
	fs.StringVar(&f.output, "output", "text", "")
	fs.StringVar(&f.input, "input", "text", "")
	fs.StringArrayVar(&f.addDirs, "add-dir", nil, "")
	budget := fs.String("budget", "", "")
	for name, short := range map[string]string{"model": "m", "provider": "", "base-url": "", "api-mode": "", "api-key-env": "", "mode": "", "max-turns": "",
		"toolsets": "", "disable-toolsets": "", "theme": ""} {
		fs.StringP(name, short, "", "")
	}
	if err := fs.Parse(withValues(args)); err != nil {
		return f, fmt.Errorf("%w. talaria --help lists the flags", err)
	}
	f.prompt = strings.Join(fs.Args(), " ")
	if fs.Changed("resume") {
		f.resume = resume
	}
	if fs.Changed("worktree") {
		f.worktree = worktree
	}
	return f, f.finish(fs, *yolo, *budget)
}

// finish checks the values and turns flags of the configuration into settings.
func (f *flags) finish(fs *pflag.FlagSet, yolo bool, budget string) error {
	for flag, key := range map[string]string{"model": "model.name", "provider": "model.provider", "base-url": "model.base_url", "api-mode": "model.api_mode",
		"api-key-env": "model.api_key_env", "mode": "approvals.mode", "max-turns": "agent.max_turns", "toolsets": "tools.enabled_toolsets",
		"disable-toolsets": "tools.disabled_toolsets", "theme": "ui.theme"} {
		if fs.Changed(flag) {
			text, err := fs.GetString(flag)
			if err != nil {
				return err
			}
			f.settings = append(f.settings, config.Value{From: "--" + flag, Key: key, Text: text})
		}
	}
	if yolo {
		f.settings = append(f.settings, config.Value{From: "--yolo", Key: "approvals.mode", Text: "auto"})
	}
	if f.demo {
		f.settings = append(f.settings, config.Value{From: "--demo", Key: "model.provider", Text: "demo"}, config.Value{From: "--demo", Key: "model.name", Text: "offline"})
	}
	if budget != "" {
		usd, err := strconv.ParseFloat(strings.TrimPrefix(budget, "$"), 64)
		if err != nil || usd < 0 {
			return fmt.Errorf("--budget %q is not an amount in dollars, such as 0.50", budget)
		}
		f.budget = usd
	}
	for flag, words := range map[string][]string{"output": {"text", "json", "stream-json"}, "input": {"text", "stream-json"}} {
		got, err := fs.GetString(flag)
		if err != nil {
			return err
		}
		if !slices.Contains(words, got) {
			return fmt.Errorf("--%s %q: it takes %s", flag, got, strings.Join(words, ", "))
		}
	}
	if f.trajectory && f.noSession {
		return errors.New("--save-trajectory writes a file, and --no-session keeps nothing: give one of them")
	}
	if f.help {
		return errHelp
	}
	return nil
}

// withValues writes "-r X" as "--resume=X" and a bare "-r" as "--resume=", and --worktree likewise: their value is optional,
// and the argument after them is the value unless it begins with "-" (CONTRACT 2). What follows "--" is the prompt and left
// alone.
func withValues(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return append(out, args[i:]...)
		}
		if a == "-r" {
			a = "--resume"
		}
		if a != "--resume" && a != "--worktree" {
			out = append(out, a)
			continue
		}
		value := ""
		if i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++
			value = args[i]
		}
		out = append(out, a+"="+value)
	}
	return out
}
