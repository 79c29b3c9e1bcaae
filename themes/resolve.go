package themes

import (
	"strconv"
	"strings"
)

// auto is the name that stands for "what fits the terminal".
const auto = "auto"

// Terminal is what is known of where the program draws. Getenv reads the environment; Background is what the terminal
// answered when it was asked for its colour, "" while it has not. Themes are those there are.
type Terminal struct {
	Getenv     func(string) string
	Background Kind
	Themes     Set
}

// Resolve chooses the theme. NO_COLOR (any value but "") always gives mono. Then the first name that is set counts:
// config, TALARIA_THEME. Without one, or with "auto", the background decides: what the terminal answered, then
// COLORFGBG, then dark. The theme can always be used; the error says that a name was wrong and what is used instead.
func Resolve(config string, t Terminal) (Theme, error) {
	if t.Getenv == nil {
		t.Getenv = func(string) string { return "" }
	}
	if t.Getenv("NO_COLOR") != "" {
		return Load("mono")
	}
	for _, name := range []string{config, t.Getenv("TALARIA_THEME")} {
		if name == "" || name == auto {
			continue
		}
		theme, err := t.Themes.Load(name)
		if err != nil {
			theme, _ = Load(t.fitting())
		}
		return theme, err
	}
	return Load(t.fitting())
}

// fitting names the built-in theme for t's background.
func (t Terminal) fitting() string {
	kind := t.Background
	if kind == "" {
		kind = kindOf(t.Getenv("COLORFGBG"))
	}
	if kind == Light {
		return "paper"
	}
	return "dusk"
}

// kindOf reads COLORFGBG ("15;0", "0;default;15"): the last field is the background's colour number. 7 and 9 to 15 are
// light in the usual palette of 16.
func kindOf(v string) Kind {
	fields := strings.Split(v, ";")
	n, err := strconv.Atoi(fields[len(fields)-1])
	switch {
	case err != nil || len(fields) < 2:
		return ""
	case n == 7 || n > 8 && n < 16:
		return Light
	}
	return Dark
}
