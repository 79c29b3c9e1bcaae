package keys

// presets change keys of the table: by action, what they are instead. An action that is not there keeps its own.
// readline gives back the four readline keys that the defaults take (UX 4.2, Clashes); the leader forms stay.
var presets = map[string]map[string][]string{
	"default": {},
	"readline": {
		"work-panel": {"ctrl+x w"},
		"expand":     {"ctrl+x o"},
		"editor":     {"ctrl+x e", "ctrl+x ctrl+e"},
		"paste":      {},
	},
	"vim": {},
	"leader-only": {
		"work-panel": {"ctrl+x w"},
		"expand":     {"ctrl+x o"},
		"editor":     {"ctrl+x e", "ctrl+x ctrl+e"},
		"paste":      {},
		"history":    {},
		"top":        {"ctrl+x <"},
		"bottom":     {"ctrl+x >"},
	},
}

// never are keys that no action may have: flow control, Backspace, Tab and Enter as old terminals send them, and SIGQUIT.
var never = map[string]string{
	"ctrl+s": "terminals stop their output with it", "ctrl+q": "terminals go on with their output with it",
	"ctrl+h": "it is Backspace in many terminals", "ctrl+i": "it is Tab in many terminals", "ctrl+m": "it is Enter in many terminals",
	"ctrl+\\": "it ends programs", "ctrl+[": "it is Esc in many terminals",
}

// only are keys that no other action may have: tmux' prefix, and up and down wherever there is a list.
var only = map[string]string{"ctrl+b": "char-left", "ctrl+p": "history-up", "ctrl+n": "history-down"}

// fixed keys belong to the screen whatever a preset or the user says.
var fixed = map[string]bool{"esc": true, "ctrl+c": true, "ctrl+z": true, "ctrl+l": true, "ctrl+d": true}

// taken are keys that a surrounding program keeps for itself, so that hints name another form (UX 4.2, Clashes).
var taken = map[string]map[string]bool{
	"zellij": {"ctrl+g": true, "ctrl+o": true, "ctrl+p": true, "ctrl+t": true, "ctrl+n": true, "ctrl+h": true, "ctrl+s": true, "ctrl+q": true},
	"vscode": {"ctrl+g": true, "ctrl+p": true, "ctrl+e": true},
}

// modern are keys that only terminals with the kitty protocol tell apart from others.
var modern = map[string]bool{"shift+enter": true, "ctrl+enter": true, "ctrl+/": true}

// editing are the composer's own keys, for Help and for ui.keys: what a key is given here becomes the first of these on
// its way to the composer.
var editing = []Binding{
	{ID: "line-start", Keys: []string{"ctrl+a", "home"}, Name: "Line start"},
	{ID: "line-end", Keys: []string{"ctrl+e", "end"}, Name: "Line end"},
	{ID: "char-left", Keys: []string{"left", "ctrl+b"}, Name: "Character left"},
	{ID: "char-right", Keys: []string{"right", "ctrl+f"}, Name: "Character right"},
	{ID: "word-left", Keys: []string{"ctrl+left", "alt+b", "alt+left"}, Name: "Word left"},
	{ID: "word-right", Keys: []string{"ctrl+right", "alt+f", "alt+right"}, Name: "Word right"},
	{ID: "kill-end", Keys: []string{"ctrl+k"}, Name: "Cut to line end"},
	{ID: "kill-start", Keys: []string{"ctrl+u"}, Name: "Cut to line start"},
	{ID: "kill-word", Keys: []string{"ctrl+w"}, Name: "Cut the word before"},
	{ID: "yank", Keys: []string{"ctrl+y"}, Name: "Put back what was cut", Help: "Alt+Y: what was cut before it"},
	{ID: "undo-edit", Keys: []string{"ctrl+_", "ctrl+/", "ctrl+shift+-", "ctrl+shift+_"}, Name: "Undo edit", Help: "Alt+_ redoes"},
	{ID: "history-up", Keys: []string{"up", "ctrl+p"}, Name: "History and drafts", Help: "in the first line"},
	{ID: "history-down", Keys: []string{"down", "ctrl+n"}, Name: "Newer", Help: "in the last line"},
}

// Editing are the keys of the prompt's editor.
func Editing() []Binding {
	out := make([]Binding, len(editing))
	for i, b := range editing {
		b.Scope, b.Keys = Prompt, append([]string(nil), b.Keys...)
		out[i] = b
	}
	return out
}

// Presets are the names that ui.key_preset takes.
func Presets() []string { return []string{"default", "readline", "vim", "leader-only"} }
