package plain

// absent are commands of the screen that are none here, and what there is instead. Each is said after the name.
var absent = map[string]string{
	"theme":     "there are no colours here",
	"keys":      "nothing but lines is typed here; there are no keys to change",
	"vim":       "your terminal edits the line that is typed",
	"panel":     "there is no panel; /tasks, /agents and /background read what it shows",
	"zen":       "there is nothing round the conversation to hide",
	"dump":      "the conversation stands in your terminal already",
	"clear":     "what was written stays in your terminal; /new begins another session",
	"palette":   "/help reads all commands",
	"copy":      "your terminal copies what stands in it; /export writes the session to a file",
	"editor":    "a line that ends in a backslash goes on in the next; talaria -p takes a text of many lines from a pipe",
	"paste":     "paste into your terminal; a picture of the clipboard cannot be read here, @FILE sends one of a file",
	"attach":    "@PATH in a message attaches a file",
	"notify":    "lines notify nobody",
	"ps":        "/background lists what runs",
	"tips":      "/help reads all commands",
	"verbosity": "ui.verbosity in the settings says how much is read: quiet, normal or full",
	"reasoning": "ui.reasoning in the settings says how much of the thoughts is read",
}
