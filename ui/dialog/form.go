package dialog

import (
	"net/url"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/composer"
)

// form is where a key is pasted, or a server of one's own described. The key is masked while it is here.
type form struct {
	providers []engine.Connection // of a key form; empty for a custom address
	provider  int
	guessed   bool // the provider was told by the key's first letters
	fields    []field
	at        int
	problem   string
}

type field struct {
	label string
	line  *composer.Line
}

func keyForm(providers []engine.Connection) form {
	return form{providers: providers, fields: []field{{"Key", &composer.Line{Mask: true}}}}
}

func customForm() form {
	return form{fields: []field{{"Base URL", &composer.Line{}}, {"Key", &composer.Line{Mask: true}}, {"Model", &composer.Line{}}}}
}

func (f *form) custom() bool { return len(f.fields) > 1 }

// value returns the text of the field with that label, trimmed.
func (f *form) value(label string) string {
	for _, one := range f.fields {
		if one.label == label {
			return strings.TrimSpace(one.line.Value())
		}
	}
	return ""
}

func (f *form) clearKey() {
	for i, one := range f.fields {
		if one.label == "Key" {
			one.line.Set("")
			f.at = i
		}
	}
}

func (f *form) update(msg tea.Msg) {
	f.problem = ""
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.Keystroke() {
		case "tab", "down":
			f.next(1)
			return
		case "shift+tab", "up":
			f.next(-1)
			return
		}
	}
	f.fields[f.at].line.Update(msg)
	f.guess()
}

// next goes to another field, or to another provider where a key is all there is to fill in.
func (f *form) next(by int) {
	if f.custom() {
		f.at = (f.at + by + len(f.fields)) % len(f.fields)
	} else if n := len(f.providers); n > 0 {
		f.provider, f.guessed = (f.provider+by+n)%n, false
	}
}

// guess chooses the provider by the longest prefix that its keys have.
func (f *form) guess() {
	if f.custom() {
		return
	}
	key, best := f.value("Key"), 0
	for prefix, provider := range keyPrefixes {
		if len(prefix) <= best || !strings.HasPrefix(key, prefix) {
			continue
		}
		for i, one := range f.providers {
			if one.Route.Provider == provider {
				f.provider, f.guessed, best = i, true, len(prefix)
			}
		}
	}
}

// leastKey is how long a text without a known beginning must be to look like a key.
const leastKey = 24

// keyLike reports whether a pasted text looks like a key: one word that begins as keys do, or a long one of letters and
// digits mixed.
func keyLike(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) < 12 || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("/\\:", r) }) {
		return false
	}
	for prefix := range keyPrefixes {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return len(text) >= leastKey && strings.ContainsAny(text, "0123456789") && strings.ContainsFunc(text, unicode.IsLetter)
}

// done returns the connection that the form describes; when something is missing it says so and goes there.
func (f *form) done() (engine.Connection, string, bool) {
	key := f.value("Key")
	if !f.custom() {
		if len(f.providers) == 0 {
			f.problem = "No provider is known. Press Esc and choose a custom URL."
			return engine.Connection{}, "", false
		}
		if key == "" {
			f.problem = "Paste the key first."
			return engine.Connection{}, "", false
		}
		return f.providers[f.provider], key, true
	}
	base := f.value("Base URL")
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		f.problem, f.at = "The base URL must begin with http:// or https://, for example http://127.0.0.1:8080/v1.", 0
		return engine.Connection{}, "", false
	}
	if f.at < len(f.fields)-1 && f.value("Model") == "" {
		f.at++
		return engine.Connection{}, "", false
	}
	return engine.Connection{Name: u.Host, Ready: true, Route: engine.Route{Provider: "custom", BaseURL: base, Model: f.value("Model")}}, key, true
}
