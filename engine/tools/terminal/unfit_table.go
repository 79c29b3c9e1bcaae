package terminal

// answered are options that make any program print and end.
var answered = []string{"--help", "-h", "--version", "-V", "-version", "help"}

// wrappers run the rest of their line; what they add does not matter here.
var wrappers = []string{"sudo", "env", "command", "exec", "time", "nohup", "nice"}

const editAdvice = "Change files with patch or write_file."

// fullScreen are programs that draw on the whole terminal, with what to do instead.
var fullScreen = map[string]string{
	"vi": editAdvice, "vim": editAdvice, "nvim": editAdvice, "view": editAdvice, "nano": editAdvice, "pico": editAdvice, "emacs": editAdvice,
	"micro": editAdvice, "hx": editAdvice, "helix": editAdvice, "joe": editAdvice, "mcedit": editAdvice,
	"top": "Use `top -b -n 1` or `ps aux`.", "htop": "Use `top -b -n 1` or `ps aux`.", "btop": "Use `top -b -n 1` or `ps aux`.",
	"mc": "Use ls, cp and mv.", "ranger": "Use ls, cp and mv.", "nnn": "Use ls, cp and mv.",
	"tig": "Use git log and git show.", "lazygit": "Use git.", "gitui": "Use git.", "ncdu": "Use du.", "fzf": "Use grep.",
	"tmux": "Run the command itself, with background=true if it has to go on.", "screen": "Run the command itself, with background=true if it has to go on.",
	"watch":  "Run the command itself, once.",
	"passwd": "It asks for a password; the user has to run it.",
}

// batch are arguments with which such a program needs no terminal.
var batch = map[string][]string{
	"vim": {"-es", "-Es", "-e", "-s"}, "nvim": {"--headless", "-es", "-Es", "-l"}, "vi": {"-es", "-e", "-s"},
	"emacs": {"--batch", "-batch", "--script"}, "top": {"-b", "-bn1", "-bn", "-l"},
	"tmux":   {"-d", "ls", "list-sessions", "kill-session", "kill-server", "send-keys", "capture-pane", "has-session", "-L", "-C"},
	"screen": {"-dm", "-dmS", "-ls", "-list", "-X", "-S"}, "fzf": {"-f", "--filter"}, "passwd": {"--stdin", "-S"},
	"docker": {"-d", "--detach"}, "docker-compose": {"-d", "--detach"}, "podman": {"-d", "--detach"},
}

// dialogue is a program that talks with whoever sits at the terminal, unless its arguments say what to run.
type dialogue struct {
	script  bool     // an argument that is no option is a script
	options []string // that say what to run
	advice  string
}

const talkAdvice = "To talk with it, start it with background=true and use process(action=\"write\")."

var dialogues = map[string]dialogue{
	"python":  {true, []string{"-c", "-m", "-"}, "Use python -c or a script. " + talkAdvice},
	"python3": {true, []string{"-c", "-m", "-"}, "Use python3 -c or a script. " + talkAdvice},
	"ipython": {true, []string{"-c", "-m"}, "Use python3 -c or a script. " + talkAdvice},
	"node":    {true, []string{"-e", "-p", "--eval", "--print", "--test", "--run", "-"}, "Use node -e or a script. " + talkAdvice},
	"irb":     {true, nil, "Use ruby -e or a script. " + talkAdvice},
	"ghci":    {false, []string{"-e"}, "Use ghci -e. " + talkAdvice},
	"psql":    {false, []string{"-c", "-f", "-l", "--command", "--file", "--list"}, "Use psql -c. " + talkAdvice},
	"mysql":   {false, []string{"-e", "--execute"}, "Use mysql -e. " + talkAdvice},
	"mongosh": {false, []string{"--eval", "-f", "--file"}, "Use mongosh --eval. " + talkAdvice},
}

// server is a command that runs until it is ended.
type server struct {
	names []string
	args  []string // words in order; "a|b" is either
	pipes bool     // the reader of a pipe may end it
}

var servers = []server{
	{[]string{"npm", "pnpm", "yarn", "bun"}, []string{"run", "dev|start|serve|watch"}, false},
	{[]string{"npm", "pnpm", "yarn", "bun"}, []string{"dev|start|serve|watch"}, false},
	{[]string{"npx", "bunx", "pnpx"}, []string{"vite|nodemon|serve|http-server|live-server|webpack-dev-server"}, false},
	{[]string{"next", "nuxt", "astro", "remix", "gatsby"}, []string{"dev|start|develop"}, false},
	{[]string{"ng"}, []string{"serve"}, false},
	{[]string{"vite"}, []string{"dev|serve|preview"}, false},
	{[]string{"nodemon", "live-server", "http-server", "uvicorn", "gunicorn", "hypercorn", "daphne", "redis-server", "mongod"}, nil, false},
	{[]string{"python", "python3"}, []string{"http.server"}, false},
	{[]string{"flask"}, []string{"run"}, false},
	{[]string{"rails"}, []string{"server|s"}, false},
	{[]string{"php"}, []string{"artisan", "serve"}, false},
	{[]string{"jekyll", "hugo", "mkdocs"}, []string{"serve|server"}, false},
	{[]string{"tail"}, []string{"-f|-F|--follow"}, true},
	{[]string{"docker", "podman"}, []string{"compose", "up"}, false},
	{[]string{"docker-compose"}, []string{"up"}, false},
}
