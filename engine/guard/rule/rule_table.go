package rule

// readers are programs that only read and print, whatever their arguments, once the options of `risky` and paths
// outside the workspace are excluded. A session rule covers them with other arguments.
var readers = []string{
	"ls", "cat", "head", "tail", "wc", "echo", "pwd", "stat", "file", "du", "df", "grep", "egrep", "fgrep", "rg", "find", "fd", "tree",
	"cut", "tr", "nl", "rev", "tac", "comm", "cmp", "diff", "sort", "basename", "dirname", "realpath", "readlink", "which", "whoami", "id",
	"uname", "true", "false", "test", "md5sum", "sha1sum", "sha256sum", "cksum", "od", "strings", "seq", "date", "ps", "jq", "[", "printf",
}

// subcommands are programs whose first words say what they do, with the number of those words after the program. A
// subcommand that is not here is remembered only as it stands.
var subcommands = map[string]map[string]int{
	"git": {"status": 1, "diff": 1, "log": 1, "show": 1, "add": 1, "commit": 1, "blame": 1, "ls-files": 1, "rev-parse": 1, "shortlog": 1,
		"describe": 1, "grep": 1},
	"go":            {"test": 1, "build": 1, "vet": 1, "fmt": 1, "list": 1, "doc": 1, "version": 1},
	"npm":           {"test": 1, "t": 1, "ls": 1, "outdated": 1, "run": 2, "run-script": 2},
	"pnpm":          {"test": 1, "ls": 1, "outdated": 1, "run": 2},
	"yarn":          {"test": 1, "outdated": 1, "run": 2},
	"bun":           {"test": 1, "run": 2},
	"cargo":         {"test": 1, "build": 1, "check": 1, "clippy": 1, "fmt": 1, "tree": 1, "doc": 1, "bench": 1},
	"make":          {"test": 1, "check": 1, "build": 1, "all": 1, "lint": 1, "vet": 1, "fmt": 1, "clean": 1},
	"docker":        {"ps": 1, "images": 1, "logs": 1},
	"gradle":        {"test": 1, "build": 1, "check": 1},
	"mvn":           {"test": 1, "compile": 1, "verify": 1},
	"dotnet":        {"test": 1, "build": 1},
	"swift":         {"test": 1, "build": 1},
	"zig":           {"test": 1, "build": 1},
	"mix":           {"test": 1, "compile": 1},
	"rake":          {"test": 1},
	"pytest":        {},
	"tsc":           {},
	"eslint":        {},
	"prettier":      {},
	"jest":          {},
	"vitest":        {},
	"mypy":          {},
	"flake8":        {},
	"black":         {},
	"golangci-lint": {"run": 1},
	"staticcheck":   {},
	"ruff":          {"check": 1},
	"gofmt":         {},
	"poetry":        {"check": 1, "show": 1},
	"flutter":       {"test": 1, "analyze": 1},
}

// options are those of a program that run another program, write a file, or change what it works on. letters are
// one-letter options, long ones stand without dashes and count when abbreviated, single are words with one dash.
type options struct {
	letters string
	long    []string
	single  []string
}

// risky are the options by program (A05). Those of "" count for programs that are not named here.
var risky = map[string]options{
	"find":   {single: []string{"exec", "execdir", "ok", "okdir", "delete", "fprint", "fprint0", "fprintf", "fls", "files0-from"}},
	"fd":     {letters: "xXHIu", long: []string{"exec", "exec-batch", "hidden", "no-ignore", "unrestricted"}},
	"sort":   {letters: "oTS", long: []string{"compress-program", "output", "temporary-directory", "files0-from"}},
	"rg":     {letters: "uz.f", long: []string{"pre", "hostname-bin", "pre-glob", "search-zip", "unrestricted", "hidden", "no-ignore", "file"}},
	"grep":   {letters: "Rf", long: []string{"dereference-recursive", "file", "directories"}},
	"egrep":  {letters: "Rf", long: []string{"dereference-recursive", "file", "directories"}},
	"fgrep":  {letters: "Rf", long: []string{"dereference-recursive", "file", "directories"}},
	"man":    {letters: "PHBTXZCM", long: []string{"pager", "html", "browser", "gxditview", "troff-device", "config-file", "manpath"}},
	"tree":   {letters: "oR", long: []string{"output", "fromfile"}},
	"date":   {letters: "sf", long: []string{"set", "file"}},
	"wc":     {long: []string{"files0-from"}},
	"du":     {letters: "X", long: []string{"files0-from", "exclude-from"}},
	"file":   {letters: "mfCzZ", long: []string{"magic-file", "files-from", "compile", "uncompress"}},
	"jq":     {letters: "fL", long: []string{"from-file", "rawfile", "slurpfile"}},
	"tail":   {letters: "fF", long: []string{"follow", "retry", "pid"}},
	"ps":     {letters: "eE"},
	"diff":   {letters: "l", long: []string{"paginate", "from-file", "to-file"}},
	"tar":    {letters: "IFT", long: []string{"checkpoint-action", "to-command", "use-compress-program", "info-script", "new-volume-script", "rsh-command", "rmt-command"}},
	"git":    {letters: "Ox", long: []string{"ext-diff", "textconv", "exec", "exec-path", "upload-pack", "receive-pack", "open-files-in-pager", "output", "config", "config-env", "git-dir", "work-tree", "extcmd", "tool", "template", "no-index", "paginate", "show-signature", "gpg-sign", "pathspec-from-file", "contents"}},
	"go":     {letters: "C", single: []string{"exec", "toolexec", "C", "overlay", "modfile", "vettool", "ldflags", "gccgoflags", "gcflags", "asmflags", "pkgdir", "http"}},
	"npm":    {letters: "C", long: []string{"script-shell", "prefix", "node-options", "userconfig", "globalconfig", "shell", "scripts-prepend-node-path"}},
	"pnpm":   {letters: "C", long: []string{"script-shell", "dir", "prefix", "node-options", "shell-emulator", "userconfig"}},
	"yarn":   {long: []string{"cwd", "script-shell", "use-yarnrc", "modules-folder"}},
	"bun":    {letters: "cr", long: []string{"cwd", "config", "preload", "require", "shell"}},
	"cargo":  {letters: "CZ", long: []string{"config", "manifest-path"}},
	"make":   {letters: "fCIEo", long: []string{"file", "makefile", "directory", "include-dir", "eval"}},
	"pytest": {letters: "pco", long: []string{"rootdir", "override-ini", "confcutdir", "basetemp", "config-file", "pastebin"}},
	"uniq":   {},
	"od":     {},
	"printf": {letters: "v"},
	"docker": {letters: "Hc", long: []string{"host", "config", "context"}},
	"gradle": {letters: "IDPpbcg", long: []string{"init-script", "project-dir", "build-file", "settings-file", "gradle-user-home"}},
	"mvn":    {letters: "Dfsgt", long: []string{"file", "settings", "global-settings", "toolchains", "define"}},
	"": {letters: "c", long: []string{"exec", "exec-batch", "pre", "compress-program", "use-compress-program", "to-command", "pager", "shell", "script-shell", "command", "output", "config", "eval", "require", "preload", "init-script", "rsh", "proxy-command"},
		single: []string{"exec", "toolexec", "e", "o"}},
}

// never are programs that run what their arguments or input say, and words that change what later words mean. No rule
// covers them, even one of the configuration (A03, A04).
var never = []string{
	"eval", "source", ".", "exec", "command", "builtin", "trap", "alias", "unalias", "export", "declare", "typeset", "local", "readonly", "set",
	"shopt", "enable", "hash", "bind", "complete", "fc", "coproc", "function", "env", "sudo", "doas", "su", "runuser", "pkexec", "xargs", "parallel",
	"nohup", "setsid", "nice", "ionice", "chrt", "taskset", "time", "timeout", "stdbuf", "unbuffer", "script", "watch", "flock", "strace", "ltrace",
	"gdb", "chroot", "unshare", "nsenter", "busybox", "toybox", "ssh", "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh",
	"systemd-run", "at", "batch", "crontab", "entr", "expect", "screen", "tmux", "osascript", "open", "xdg-open", "less", "more", "vi", "vim", "nvim",
	"ed", "ex", "emacs", "nano", "read", "mapfile", "readarray", "let", "dd", "tee", "rm",
}

// fixed are programs that a rule covers only as they stand: any other word makes them do something else.
var fixed = []string{"curl", "wget", "http", "https", "xh", "aria2c", "nc", "ncat", "socat", "scp", "rsync", "sftp", "ftp", "npx", "bunx", "uvx", "pipx", "mv", "ln", "chmod", "chown",
	"chgrp", "kill", "truncate", "install", "psql", "mysql", "sqlite3", "redis-cli", "mongosh"}

// narrow are programs of which a rule takes at least two words: as a whole they can do anything. Interpreters count too.
var narrow = []string{"npm", "pnpm", "yarn", "pip", "pip3", "uv", "gem", "composer", "brew", "apt", "apt-get", "dnf", "yum", "pacman", "docker", "docker-compose", "podman",
	"kubectl", "oc", "helm", "terraform", "tofu", "pulumi", "aws", "gcloud", "az", "gh", "glab", "systemctl", "service", "launchctl", "ansible", "vagrant", "flyctl", "heroku",
	"vercel", "netlify", "wrangler", "java", "dotnet", "poetry", "git"}
