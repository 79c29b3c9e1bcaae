package demo

// part is something the demo can show: steps that call tools, one after another, and a text at the end. Its words are
// the messages that ask for it, whole and in any case. Pretend makes it break off once, as a bad server would.
type part struct {
	words   []string
	steps   []string
	end     string
	pretend bool
}

var parts = []part{
	{words: []string{"tour", "1", "start", "demo", "start tour", "start the tour", "the tour", "take the tour"},
		steps: []string{"plan", "find", "read", "ask", "write", "run", "remove", "wrap"}, end: "end"},
	{words: []string{"2", "markdown", "text"}, end: "markdown"},
	{words: []string{"3", "files", "read", "tools", "search"}, steps: []string{"find", "read"}, end: "part end"},
	{words: []string{"4", "ask", "question", "clarify"}, steps: []string{"ask"}, end: "part end"},
	{words: []string{"5", "edit", "write"}, steps: []string{"write", "remove"}, end: "part end"},
	{words: []string{"6", "run", "command", "terminal"}, steps: []string{"run"}, end: "part end"},
	{words: []string{"7", "long"}, end: "long"},
	{words: []string{"8", "retry", "error"}, end: "retry", pretend: true},
}

// task is a line of the task list and the steps that it stands for.
type task struct {
	id, content string
	steps       []string
}

var tasks = []task{
	{"look", "Look around in this directory", []string{"find", "read"}},
	{"ask", "Ask what the demo file shall say", []string{"ask"}},
	{"write", "Write " + demoFile, []string{"write"}},
	{"run", "Run a harmless command", []string{"run"}},
	{"tidy", "Leave nothing behind", []string{"remove"}},
}
