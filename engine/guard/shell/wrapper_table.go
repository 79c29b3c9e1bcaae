package shell

import "regexp"

// wrapper is a program that runs the command among its arguments. valued are its options that take the next word, as
// letters and long names; operands is how many words stand before the command; assigns says that NAME=value may.
type wrapper struct {
	valued   string
	long     []string
	operands int
	assigns  bool
}

var wrappers = map[string]wrapper{
	"sudo":             {valued: "ugpUCDRTrtch", long: []string{"user", "group", "prompt", "other-user", "close-from", "chdir", "chroot", "command-timeout", "role", "type", "host"}, assigns: true},
	"doas":             {valued: "uC"},
	"pkexec":           {long: []string{"user"}},
	"env":              {valued: "uCS", long: []string{"unset", "chdir", "split-string"}, assigns: true},
	"timeout":          {valued: "ks", long: []string{"kill-after", "signal"}, operands: 1},
	"nice":             {valued: "n", long: []string{"adjustment"}},
	"ionice":           {valued: "cnpPu", long: []string{"class", "classdata"}},
	"chrt":             {valued: "pTPD", operands: 1},
	"taskset":          {operands: 1},
	"nohup":            {},
	"setsid":           {},
	"time":             {valued: "fo", long: []string{"format", "output"}},
	"stdbuf":           {valued: "ioe", long: []string{"input", "output", "error"}},
	"unbuffer":         {},
	"command":          {},
	"builtin":          {},
	"exec":             {valued: "a"},
	"xargs":            {valued: "IEdLnPsaJRS", long: []string{"replace", "eof", "delimiter", "max-lines", "max-args", "max-procs", "max-chars", "arg-file"}},
	"parallel":         {valued: "jISN", long: []string{"jobs", "arg-file", "colsep"}},
	"chroot":           {long: []string{"userspec", "groups"}, operands: 1},
	"flock":            {valued: "wE", long: []string{"timeout", "wait", "conflict-exit-code"}, operands: 1},
	"strace":           {valued: "eopsuaEIObPSX"},
	"ltrace":           {valued: "eopsuaEnlx"},
	"unshare":          {valued: "SGRw"},
	"nsenter":          {valued: "tSGrwW"},
	"busybox":          {},
	"toybox":           {},
	"watch":            {valued: "nq", long: []string{"interval", "equexit"}},
	"runuser":          {valued: "ugGs", long: []string{"user", "group"}},
	"script":           {valued: "cIOBTmoE"},
	"caffeinate":       {valued: "tw"},
	"systemd-run":      {valued: "puMHE", long: []string{"property", "unit", "machine", "host", "setenv", "slice", "working-directory", "description", "uid", "gid", "nice"}},
	"entr":             {},
	"coproc":           {},
	"noglob":           {},
	"nocorrect":        {},
	"proxychains":      {valued: "f"},
	"ssh-agent":        {valued: "aEt"},
	"dbus-run-session": {},
	"xvfb-run":         {valued: "enswpf"},
	"firejail":         {},
	"catchsegv":        {},
}

// shells run the text after -c, or their input.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash"}

// texts are programs that run one of their arguments as shell text: the word after one of these options, or with no
// options, all their words joined.
var texts = map[string][]string{
	"eval":     nil,
	"su":       {"-c", "--command", "--session-command"},
	"runuser":  {"-c", "--command"},
	"script":   {"-c", "--command"},
	"flock":    {"-c", "--command"},
	"watch":    nil,
	"fish":     {"-c", "--command"},
	"csh":      {"-c"},
	"tcsh":     {"-c"},
	"sg":       {"-c"},
	"parallel": nil,
}

// filters are the tests of find that leave out most of what it would find.
var filters = []string{"-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-size", "-mtime", "-mmin", "-newer", "-atime", "-ctime", "-cmin", "-amin",
	"-user", "-group", "-perm", "-empty", "-links", "-inum", "-samefile", "-newermt", "-lname", "-nouser", "-nogroup"}

// setters are words after which variables may hold anything.
var setters = []string{"read", "mapfile", "readarray", "printf", "getopts", "eval", "source", ".", "let", "set", "shift", "unset", "select", "wait"}

// loaders are variables that make a program run what they name.
var loaders = []string{"BASH_ENV", "ENV", "PROMPT_COMMAND", "PATH", "IFS", "SHELLOPTS", "PYTHONSTARTUP", "PERL5OPT", "RUBYOPT", "NODE_OPTIONS", "GIT_SSH",
	"GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_ASKPASS", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_PROXY_COMMAND",
	"SSH_ASKPASS", "SUDO_ASKPASS", "PAGER", "MANPAGER", "LESSOPEN", "BROWSER", "EDITOR", "VISUAL", "SHELL", "PERL5LIB", "RUBYLIB", "JAVA_TOOL_OPTIONS", "RUSTC_WRAPPER", "GOFLAGS"}

// widths are directives that would print very much.
var widths = regexp.MustCompile(`%[-+ #0]*(\*|[0-9]{4})|\.(\*|[0-9]{4})`)

// commentEnd is a comment whose line ends with a backslash.
var commentEnd = regexp.MustCompile(`#[^\n]*\\\n`)

// splitWord is a line that ends with a backslash in the middle of a word.
var splitWord = regexp.MustCompile(`[^ \t\n]\\\n`)

// calm are variables that change how a program prints or how much it does, and never what it runs: a rule for the
// command holds with them in front.
var calm = []string{"CI", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS", "LINES", "LANG", "LC_ALL", "TZ", "DEBUG", "VERBOSE",
	"NODE_ENV", "RAILS_ENV", "RUST_BACKTRACE", "RUST_LOG", "CGO_ENABLED", "GOOS", "GOARCH", "GOGC", "GOMAXPROCS", "GODEBUG", "PYTHONUNBUFFERED",
	"PYTHONDONTWRITEBYTECODE", "GIT_TERMINAL_PROMPT", "CARGO_TERM_COLOR", "LOG_LEVEL", "UPDATE_GOLDEN"}
