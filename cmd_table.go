package main

import (
	"fmt"

	"talaria/engine/config"
)

// about is what is told of a subcommand: its arguments, its own options (a name that ends in "=" takes a value), and what
// it does.
type about struct{ args, opts, help string }

// abouts is for the command line, completions and the manual, by how the subcommand is typed. Every listing also takes
// --json.
var abouts = map[string]about{
	"sessions list":      {"", "", "the newest sessions"},
	"sessions show":      {"SESSION", "", "a session's messages"},
	"sessions search":    {"WORDS", "", "find sessions by words of their titles and messages"},
	"sessions rename":    {"SESSION TITLE", "", "give a session a title"},
	"sessions delete":    {"SESSION", "", "delete a session for good"},
	"sessions export":    {"SESSION", "--format= --output=", "write a session as md (default), html or json"},
	"sessions import":    {"[ID|FILE...]", "--all --from=", "list the sessions of Claude Code, Codex and Hermes, or take them over"},
	"sessions prune":     {"", "--days= --dry-run", "delete sessions that nobody touched for so many days"},
	"config get":         {"KEY", "", "a setting; --origin says where it came from"},
	"config set":         {"KEY VALUE", "", "write a setting to config.yaml"},
	"config path":        {"", "", "where config.yaml is"},
	"config schema":      {"", "", "the JSON Schema of config.yaml, for editors"},
	"config check":       {"", "", "check the configuration"},
	"config permissions": {"", "", "the approval rules that are remembered"},
	"config revoke":      {"ID", "", "forget an approval rule"},
	"memory show":        {"[memory|user]", "", "what is remembered"},
	"memory path":        {"", "", "where it is remembered"},
	"themes list":        {"", "", "the themes"},
	"themes check":       {"[THEME|FILE...]", "", "measure whether everything can be read"},
	"skills list":        {"", "", "the skills that a session here would have"},
	"skills show":        {"NAME", "", "the text of a skill"},
	"mcp list":           {"", "", "the MCP servers of the configuration"},
	"mcp test":           {"[NAME]", "", "start them and list their tools"},
	"acp":                {"", "", "serve an editor by the Agent Client Protocol, on stdin and stdout"},
	"usage":              {"", "", "tokens and cost by day and model"},
	"doctor":             {"", "--repair", "check configuration, keys, terminal, disk and sessions; rebuild the database"},
	"logs":               {"", "--session=", "the end of the log; what concerns one session"},
	"replay":             {"FILE|SESSION", "--speed=", "play a journal in the screen"},
	"models":             {"", "", "the models that are known"},
	"models list":        {"", "", "the same"},
	"models refresh":     {"", "", "ask the servers what they offer"},
	"completion":         {"bash|zsh|fish|powershell", "", "a script that completes commands and flags"},
	"man":                {"", "", "this manual, for man -l -"},
}

// cmds is the table of subcommands.
func cmds() []cmd {
	return []cmd{
		{"sessions", "list", 0, 0, listSessions},
		{"sessions", "show", 1, 1, showSession},
		{"sessions", "search", 1, 99, searchSessions},
		{"sessions", "rename", 2, 99, renameSession},
		{"sessions", "delete", 1, 1, deleteSession},
		{"sessions", "export", 1, 1, exportSession},
		{"sessions", "import", 0, 99, importSessions},
		{"sessions", "prune", 0, 0, pruneSessions},
		{"usage", "", 0, 0, showUsage},
		{"doctor", "", 0, 0, doctor},
		{"replay", "", 1, 1, replayFile},
		{"logs", "", 0, 0, showLogs},
		{"models", "", 0, 0, listModels},
		{"models", "list", 0, 0, listModels},
		{"models", "refresh", 0, 0, refreshModels},
		{"completion", "", 1, 1, writeCompletion},
		{"man", "", 0, 0, writeManual},
		{"themes", "check", 0, 99, checkThemes},
		{"config", "get", 1, 1, configGet},
		{"config", "set", 2, 2, configSet},
		{"config", "path", 0, 0, configPath},
		{"config", "schema", 0, 0, func(c *cmdline) error { _, err := fmt.Fprintln(c.out, string(config.Schema())); return err }},
		{"config", "check", 0, 0, configCheck},
		{"memory", "show", 0, 1, showMemory},
		{"memory", "path", 0, 0, memoryPath},
		{"config", "permissions", 0, 0, listPermissions},
		{"config", "revoke", 1, 1, revokePermission},
		{"themes", "list", 0, 0, listThemes},
		{"skills", "list", 0, 0, listSkills},
		{"skills", "show", 1, 1, showSkill},
		{"mcp", "list", 0, 0, listServers},
		{"mcp", "test", 0, 1, testServers},
		{"acp", "", 0, 0, serveEditor},
	}
}
