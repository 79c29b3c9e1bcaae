package config

import (
	"path/filepath"
	"strings"
)

// Paths are the places of all files (CONTRACT 3), absolute. Directories are made 0700 and files 0600 by who writes them.
type Paths struct {
	Config       string // config.yaml
	ConfigNamed  bool   // TALARIA_CONFIG names it: it must be there
	Data         string // directory of the sessions database, journal, memories, skills, themes, trajectories
	State        string // directory of what may be thrown away: log, crash files, drafts, results
	Sessions     string // the database
	Journal      string // directory, one file for each session
	Memories     string
	Soul         string // SOUL.md: who the agent is, in the user's words
	Skills       string
	Themes       string
	Trajectories string
	Log          string
	Crash        string
	Drafts       string
	Results      string
	Keys         string
	Approvals    string
	Trust        string
	Hooks        string // the hook commands that the user agreed to
}

// PathsFor returns the paths for an environment and a home directory: everything under TALARIA_HOME when that is set,
// else the XDG directories. A relative XDG directory is ignored, as its specification asks.
func PathsFor(getenv func(string) string, home string) Paths {
	env := func(name string) string { return strings.TrimSpace(getenv(name)) }
	xdg := func(name string, fallback ...string) string {
		dir := env(name)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(append([]string{home}, fallback...)...)
		}
		return filepath.Join(dir, "talaria")
	}
	conf, data, state := xdg("XDG_CONFIG_HOME", ".config"), xdg("XDG_DATA_HOME", ".local", "share"), xdg("XDG_STATE_HOME", ".local", "state")
	if own := env("TALARIA_HOME"); own != "" {
		conf = absolute(own)
		data, state = conf, conf
	}
	p := Paths{
		Config: filepath.Join(conf, "config.yaml"), Data: data, State: state,
		Sessions: filepath.Join(data, "sessions.db"), Journal: filepath.Join(data, "journal"),
		Memories: filepath.Join(data, "memories"), Soul: filepath.Join(conf, "SOUL.md"), Skills: filepath.Join(data, "skills"), Themes: filepath.Join(data, "themes"),
		Trajectories: filepath.Join(data, "trajectories"), Keys: filepath.Join(data, "keys.yaml"),
		Approvals: filepath.Join(data, "approvals.yaml"), Trust: filepath.Join(data, "trust.yaml"), Hooks: filepath.Join(data, "hooks.yaml"),
		Log: filepath.Join(state, "talaria.log"), Crash: filepath.Join(state, "crash"),
		Drafts: filepath.Join(state, "drafts"), Results: filepath.Join(state, "results"),
	}
	if file := env("TALARIA_CONFIG"); file != "" {
		p.Config, p.ConfigNamed = absolute(file), true
	}
	return p
}

// absolute falls back to the path as it is where the working directory is gone.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// Own returns the directories and files that belong to the program; a tool that wants to touch them asks.
func (p Paths) Own() []string {
	if p.ConfigNamed {
		return []string{p.Config, p.Data, p.State}
	}
	return []string{filepath.Dir(p.Config), p.Data, p.State}
}
