package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"talaria/engine"
	"talaria/engine/catalog"
	"talaria/engine/config"
	"talaria/engine/core"
	"talaria/engine/core/dial"
	"talaria/engine/guard"
	"talaria/engine/prompt"
	"talaria/store"
	"talaria/store/stars"
	"talaria/themes"
	"talaria/ui"
	"talaria/ui/beacon"
	"talaria/ui/clip"
	"talaria/ui/clipboard"
	"talaria/ui/picker"
	"talaria/ui/style"
)

// screen runs the full-screen chat.
func (p *program) screen() int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	deps := p.deps(true)
	deps.Titles = true // print mode ends with its answer
	id, err := p.session(ctx)
	if err != nil {
		return usageError(os.Stderr, err)
	}
	deps.Resume = id
	c, err := core.Start(ctx, deps)
	elsewhere := ""
	if errors.Is(err, engine.ErrOwned) { // the picker offers a copy of it
		elsewhere, deps.Resume = id, ""
		c, err = core.Start(ctx, deps)
	}
	if err != nil {
		return usageError(os.Stderr, owned(id, err))
	}
	p.prune(ctx)
	// The screen handles signals; behind it they are held until the engine has stored everything and ended its processes.
	held := make(chan os.Signal, 1)
	signal.Notify(held, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(held)
	f := p.flags
	home, _ := os.UserHomeDir() // only to write ~ for it
	views := ui.Views{
		Models:   modelCard,
		Shelf:    stars.File(filepath.Join(p.paths.Data, "favourites")),
		Past:     c.Past(),
		Timeline: c.Timeline(),
		Lens:     c.Lens(),
		Memory:   c.Memory(),
		Agents:   c,
		Ledger:   c.Ledger(),
		Refs:     c.Typed(),
		Reports:  p.reports(c),
	}
	exit, err := ui.Run(ctx, ui.Deps{Views: views, Save: settings{p.paths.Config}, Exporter: exporter{p.store, p.dir}, Processes: c, Engine: c, Rules: c.Permissions(), Forks: c, Library: p.store, Skills: c, Connect: dial.NewConnector(p.resolver, p.paths.Config), Theme: p.theme,
		Options: ui.Options{Dir: p.dir, Home: home, Version: version, First: f.prompt, Mode: p.resolver.Config.Approvals.Mode, Connect: f.connect, Budget: f.budget,
			Themes: p.themes, Warnings: p.warnings(), Branch: branchOf, Roots: prompt.Worktrees(p.dir), Owned: elsewhere, Picker: f.resume != nil && *f.resume == "" || elsewhere != "", Settings: p.look()}})
	cancel()
	<-c.Done()
	tellSwept(c.Swept())
	if err != nil {
		fmt.Fprintf(os.Stderr, "talaria: %v\n", err)
		return exitFailed
	}
	return p.farewell(exit, c.Unsaved())
}

// modelCard is what the catalogue knows of a model, as the picker shows it.
func modelCard(provider, model string) picker.Card {
	info, ok := catalog.Model(provider, model)
	return picker.Card{Window: info.Window, In: info.Price.In, Out: info.Price.Out, Images: info.Vision, Tools: info.Tools, Thinking: info.Reasons, Known: ok}
}

// look is the ui section of the configuration as the screen takes it.
func (p *program) look() ui.Settings {
	cfg := p.resolver.Config.UI
	mouse := cfg.Mouse
	if p.flags.noMouse {
		mouse = "off"
	}
	term := ui.Terminal{Notifies: beacon.Notifies(os.Getenv), Progress: beacon.Progresses(os.Getenv), Tmux: os.Getenv("TMUX") != "", Clipboard: clip.Reaches(os.Getenv), Links: style.Links(os.Getenv), Local: style.Local(os.Getenv), Reads: clipboard.Here().Read, Writer: clipboard.Here().Writer()}
	inside := ""
	switch {
	case os.Getenv("ZELLIJ") != "":
		inside = "zellij"
	case strings.EqualFold(os.Getenv("TERM_PROGRAM"), "vscode"):
		inside = "vscode"
	}
	return ui.Settings{Mouse: mouse, BusyEnter: cfg.BusyEnter, Notify: cfg.Notify, Status: cfg.Status, ASCII: cfg.Glyphs == "ascii" || !style.UTF8(os.Getenv), Inline: p.flags.inline, Still: cfg.ReducedMotion, EscNow: cfg.Esc == "now",
		Keys: ui.Keys{Preset: cfg.KeyPreset, Own: cfg.Keys, Inside: inside}, Terminal: term,
		Reading: ui.Reading{Level: cfg.Verbosity, Reasoning: cfg.Reasoning, Head: cfg.Follow == "head"}, CopyFile: filepath.Join(p.paths.State, "copy.txt"), PasteDir: filepath.Join(p.paths.State, "pasted")}
}

// settings keeps in config.yaml what is changed on the screen.
type settings struct{ path string }

// Save writes one setting.
func (s settings) Save(_ context.Context, key, text string) error {
	return config.Set(s.path, config.Value{Key: key, Text: text})
}

// theme is the colours for what the terminal told about itself. A wrong name was told when the configuration was read.
func (p *program) theme(dark, known bool) themes.Theme {
	t := themes.Terminal{Getenv: os.Getenv, Themes: p.themes}
	if known {
		t.Background = map[bool]themes.Kind{true: themes.Dark, false: themes.Light}[dark]
	}
	theme, err := themes.Resolve(p.resolver.Config.UI.Theme, t)
	if err != nil && !known {
		fmt.Fprintf(os.Stderr, "talaria: %v\n", err)
	}
	return theme
}

// branchOf names the branch of the repository that dir is in.
func branchOf(dir string) string {
	_, branch := prompt.Git(dir)
	return branch
}

// warnings are what the screen says first about its settings: what is written before it opens, it covers.
func (p *program) warnings() (all []string) {
	if _, err := themes.Resolve(p.resolver.Config.UI.Theme, themes.Terminal{Getenv: os.Getenv, Themes: p.themes}); err != nil {
		all = append(all, "ui.theme: "+err.Error()+".")
	}
	return all
}

// answerLines is how much of the last answer the summary prints.
const answerLines = 30

// farewell prints to the normal screen what is worth keeping: the last answer and how to go on. After a crash it says
// what was saved and where the report is.
func (p *program) farewell(e ui.Exit, unsaved error) int {
	if e.Crash != nil {
		report := p.crashReport(*e.Crash)
		fmt.Fprintf(os.Stderr, "talaria stopped unexpectedly (%s: %v).\nYour session and draft are saved. talaria --continue resumes.\n", e.Crash.Where, e.Crash.Value)
		if report != "" {
			fmt.Fprintf(os.Stderr, "Report: %s (nothing was sent).\n", report)
		}
		return exitFailed
	}
	if kept, ok := p.store.(store.Reporter); ok { // a damaged database was rebuilt: worth knowing, and no reason to stop anybody
		for _, text := range kept.Problems() {
			fmt.Fprintln(os.Stderr, "talaria: "+style.Safe(text))
		}
	}
	if !e.Stored || p.flags.noSession {
		return e.Code
	}
	if unsaved != nil {
		defer fmt.Fprintf(os.Stderr, "talaria: this session could not be saved: %v. What was said is not on disk; only the answer above is left.\n", unsaved)
		e.Code = max(e.Code, exitFailed)
	}
	if e.Answer != "" {
		fmt.Println(style.Head(broken(style.Safe(e.Answer)), answerLines))
		fmt.Println()
	}
	if text := p.summary(e); text != "" {
		fmt.Println(style.Safe(text))
	}
	if unsaved == nil {
		fmt.Printf("talaria --resume %s\n", e.Session.ID)
	}
	return e.Code
}

// broken wraps text at words when it goes to a terminal, which would break it inside of them.
func broken(text string) string {
	w, _, err := term.GetSize(os.Stdout.Fd())
	if err != nil || w < 1 {
		return text
	}
	return folded(text, w)
}

func folded(text string, w int) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		out = append(out, style.Wrap(line, w)...)
	}
	return strings.Join(out, "\n")
}

// summaryFiles is how many changed files the summary names.
const summaryFiles = 8

// summary is one line of what the session came to, and the files that it changed.
func (p *program) summary(e ui.Exit) string {
	var parts []string
	if e.Session.Title != "" {
		parts = append(parts, strings.Join(strings.Fields(e.Session.Title), " "))
	}
	if n := e.Session.Turns; n == 1 {
		parts = append(parts, "1 turn")
	} else if n > 1 {
		parts = append(parts, fmt.Sprintf("%d turns", n))
	}
	if e.Cost != "" {
		parts = append(parts, e.Cost)
	}
	text := strings.Join(parts, " · ")
	for i, path := range e.Changed {
		if i == 0 {
			text += fmt.Sprintf("\nFiles changed %d", len(e.Changed))
		}
		if i == summaryFiles {
			text += fmt.Sprintf("\n  … %d more", len(e.Changed)-i)
			break
		}
		if rel, err := filepath.Rel(p.dir, path); err == nil && !strings.HasPrefix(rel, "..") {
			path = rel
		}
		text += "\n  " + strings.ReplaceAll(path, "\n", " ")
	}
	return text
}

// crashReport writes what happened; it returns the file's path, "" when that failed too.
func (p *program) crashReport(c engine.Crash) string {
	path := filepath.Join(p.paths.Crash, "crash-"+time.Now().Format("20060102-150405")+".txt")
	if os.MkdirAll(p.paths.Crash, 0o700) != nil {
		return ""
	}
	text := guard.Redact(fmt.Sprintf("talaria %s\n%s: %v\n\n%s\n", version, c.Where, c.Value, c.Stack)) // law 10: also a panic may hold a key
	if os.WriteFile(path, []byte(text), 0o600) != nil {
		return ""
	}
	return path
}
