package shell

// hazard is one row of the danger table: a command that does it is asked each time, with these words in the question.
// programs "" speak of every program.
type hazard struct {
	words    string
	programs []string
	match    func(args []string) bool
}

// hazards are the categories of BEHAVIOUR 13.2 that one command alone can show.
var hazards = []hazard{
	{"deletes a directory tree", []string{"rm"}, func(a []string) bool { return Short(a, "rR") || Long(a, "recursive") }},
	{"deletes files without a question", []string{"rm"}, func(a []string) bool { return Short(a, "f") || Long(a, "force") }},
	{"deletes what it finds", []string{"find"}, func(a []string) bool { return word(a, "-delete") }},
	{"destroys the content of files", []string{"shred", "wipe", "srm"}, always},
	{"lets everybody write", []string{"chmod"}, func(a []string) bool {
		return matching(a, `^[0-7]?[0-7][0-7][2367]$|(^|,)[ugo]*[oa][ugo]*[+=][rxXst]*w|(^|,)\+[rxXst]*w`)
	}},
	{"changes rights of a whole tree", []string{"chmod", "chown", "chgrp"}, func(a []string) bool { return Short(a, "R") || Long(a, "recursive") }},
	{"makes files run with their owner's rights", []string{"chmod"}, func(a []string) bool {
		return matching(a, `^[4-7][0-7]{3}$|(^|,)[ugo]*[+=][rwxX]*s`)
	}},
	{"writes a disk or file block by block", []string{"dd"}, func(a []string) bool { return matching(a, `^of=`) }},
	{"changes a database for good", nil, func(a []string) bool {
		return matching(a, `(?is)\bdrop\s+(table|database|schema)\b|\btruncate\s+(table\s+)?\w|\bdelete\s+from\s+[\w."]+\s*(;|$)`)
	}},
	{"stops or disables a service", []string{"systemctl"}, func(a []string) bool { return word(a, "stop", "restart", "disable", "mask", "kill", "isolate") }},
	{"stops or disables a service", []string{"service", "launchctl", "rc-service"}, func(a []string) bool {
		return word(a, "stop", "restart", "unload", "bootout", "remove", "kill")
	}},
	{"ends processes by force or by name", []string{"kill"}, func(a []string) bool {
		return matching(a, `(?i)^-(9|(SIG)?KILL)$`) || (Short(a, "sn") || Long(a, "signal")) && matching(a, `(?i)^(9|(SIG)?KILL|--signal=(9|(SIG)?KILL))$`)
	}},
	{"ends processes by force or by name", []string{"pkill", "killall", "skill", "xkill"}, always},
	{"runs code given on the command line", []string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh"}, func(a []string) bool { return Short(a, "c") }},
	{"runs code given on the command line", []string{"python", "python2", "python3", "pypy", "pypy3"}, func(a []string) bool { return Short(a, "c") }},
	{"runs code given on the command line", []string{"perl", "ruby", "node", "nodejs", "bun", "php", "lua", "luajit", "deno", "Rscript", "osascript", "tclsh", "ghc", "groovy", "julia", "elixir", "scala", "ts-node", "tsx", "raku", "guile", "racket"},
		func(a []string) bool { return Short(a, "eErp") || Long(a, "eval", "print", "run") || word(a, "eval") }},
	{"runs code given on the command line", []string{"awk", "gawk", "mawk", "nawk"}, func(a []string) bool { return matching(a, `system\s*\(|\|\s*getline|\|\s*"|>\s*"`) }},
	{"runs text as a command", []string{"eval"}, always},
	{"changes files in place", []string{"sed", "perl", "ruby"}, func(a []string) bool { return Short(a, "i") || Long(a, "in-place") }},
	{"restarts or stops containers", []string{"docker", "docker-compose", "podman"}, func(a []string) bool {
		return word(leadingWords(a, 2), "restart", "stop", "kill", "down", "rm", "rmi", "prune")
	}},
	{"gives a container the machine", []string{"docker", "podman"}, func(a []string) bool {
		return Long(a, "privileged", "cap-add", "device", "pid", "userns") || matching(a, `^(-v|--volume=)?(/|/etc|/root|/home|/usr|/var|/var/run/docker\.sock|/run/docker\.sock|~):`) ||
			matching(a, `(^|,)(source|src)=(/|/etc|/root|/home|/var/run/docker\.sock)(,|$)`)
	}},
	{"throws away changes that are not committed", []string{"git"}, onGit(discards)},
	{"overwrites or deletes what others have", []string{"git"}, onGit(overwrites)},
	{"deletes or rewrites history", []string{"git"}, onGit(rewrites)},
	{"sets git options that can run commands", []string{"git"}, onGit(commands)},
	{"takes a password from its input, or a root shell", []string{"sudo", "doas"}, func(a []string) bool {
		lead := leading(a)
		return Short(lead, "SAsi") || Long(lead, "stdin", "askpass", "shell", "login")
	}},
	{"becomes another user", []string{"sudo", "doas", "su", "pkexec", "runuser"}, always},
	{"makes keys or accounts", []string{"useradd", "userdel", "usermod", "passwd", "chpasswd", "visudo", "groupadd", "adduser", "deluser", "dscl"}, always},
	{"changes disks or file systems", []string{"fdisk", "sfdisk", "gdisk", "sgdisk", "parted", "mount", "umount", "diskutil", "lvremove", "vgremove", "zfs", "zpool",
		"btrfs", "cryptsetup", "swapoff", "losetup"}, always},
	{"changes the firewall or network", []string{"iptables", "ip6tables", "nft", "ufw", "firewall-cmd", "ifconfig", "route"}, always},
	{"schedules commands for later", []string{"crontab", "at", "batch", "systemd-run"}, func(a []string) bool { return !(len(a) == 1 && a[0] == "-l") }},
	{"runs commands on another machine", []string{"ssh", "sshpass", "mosh"}, always},
	{"publishes", []string{"npm", "pnpm", "yarn", "cargo", "twine", "gem", "gh", "poetry", "uv", "mvn", "gradle", "dotnet", "lerna", "vsce", "docker", "podman", "helm"}, func(a []string) bool {
		return word(leadingWords(a, 2), "publish", "unpublish", "upload", "yank", "push", "deploy") || word(a, "release", "repo") && word(a, "create", "delete", "upload", "edit")
	}},
	{"changes a cluster or cloud", []string{"kubectl", "oc", "terraform", "tofu", "helm", "pulumi"}, func(a []string) bool {
		return word(a, "delete", "apply", "destroy", "drain", "uninstall", "replace", "scale", "up", "upgrade", "rollback", "exec")
	}},
	{"deletes in the cloud", []string{"aws", "gcloud", "az"}, func(a []string) bool { return matching(a, `^(delete|terminate|remove|rm|rb|destroy|purge)`) }},
	{"talks to Talaria itself", []string{"talaria"}, always},
	{"opens a network port to a shell", []string{"nc", "ncat", "netcat", "socat"}, func(a []string) bool {
		return Short(a, "ec") || Long(a, "exec", "sh-exec") || matching(a, `(?i)exec:|system:`)
	}},
	{"types into or runs commands in another program", []string{"tmux", "screen", "zellij", "expect", "dtach", "abduco"}, func(a []string) bool {
		return !word(a, "ls", "list-sessions", "-ls", "capture-pane", "list-panes", "list-windows", "has-session", "kill-session")
	}},
	{"runs commands in an editor or debugger", []string{"vi", "vim", "nvim", "ex", "emacs", "gdb", "lldb"}, func(a []string) bool {
		return Short(a, "c") || matching(a, `^\+.|^-ex|^--(cmd|eval|batch|command)|^-(batch|eval|es)`)
	}},
	{"runs a makefile given on the command line", []string{"make", "gmake"}, func(a []string) bool { return matching(a, `^(-f|--file=|--makefile=)?(-|/dev/stdin)$|^--eval`) }},
}

// writers are programs whose path arguments they write or delete; a path of these in a shielded place is pointed out.
var writers = []string{"tee", "cp", "mv", "install", "ln", "sed", "perl", "ruby", "rm", "truncate", "dd", "touch", "chmod", "chown", "rsync", "unlink", "rmdir", "patch", "git"}

// fetchers get things from the network.
var fetchers = []string{"curl", "wget", "fetch", "http", "https", "xh", "aria2c", "nc", "ncat", "lynx", "w3m"}

// Interpreters run the text they get on their input.
var Interpreters = []string{
	"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "python", "python2", "python3", "perl", "ruby", "node", "nodejs", "php", "lua",
	"osascript", "psql", "mysql", "sqlite3", "at", "batch", "crontab", "source", ".", "deno", "bun", "pypy", "julia", "Rscript", "tclsh", "ts-node", "tsx",
}

// databases run the text they get on their input as statements: what it says is looked at.
var databases = []string{"psql", "mysql", "mariadb", "sqlite", "sqlite3", "mongosh", "redis-cli"}

// removers delete what they are given.
var removers = []string{"rm", "unlink", "shred", "rmdir", "trash", "srm", "truncate"}

// finders print the numbers of processes.
var finders = []string{"pgrep", "pidof", "lsof", "fuser", "ps", "ss"}
