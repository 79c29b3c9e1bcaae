// Package title names a session: with the first words of its first message, and after its first turn with words of a
// model's. It refuses to be anything but one short line of plain text, whatever a model says.
package title

import (
	"context"
	_ "embed"
	"errors"
	"strings"
	"unicode"

	"talaria/engine"
)

//go:embed ask.md
var ask string

// The longest titles in characters (BEHAVIOUR 17.3 allows 100; a list shows fewer), and how much of each side of the
// exchange is shown to the model.
const (
	longest = 60
	excerpt = 500
	least   = 3 // shorter is no title
)

// maxTokens leaves room for a model that reasons before it says a few words.
const maxTokens = 1000

// Of makes a title from the first message: its first line with words in it, without control characters.
func Of(text string) string {
	for line := range strings.Lines(text) {
		if line = plain(line); line != "" {
			return Clip(line, longest)
		}
	}
	return "Untitled"
}

// Make asks the model for a title of the exchange.
func Make(ctx context.Context, aux engine.Aux, said, answer string) (string, error) {
	prompt := "<user>\n" + Clip(said, excerpt) + "\n</user>\n<assistant>\n" + Clip(answer, excerpt) + "\n</assistant>"
	m, err := aux(ctx, engine.Request{Route: engine.Route{Effort: "off"}, System: strings.TrimSpace(ask), MaxTokens: maxTokens,
		Messages: []engine.Message{{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: prompt}}}}})
	if err != nil {
		return "", err
	}
	if t := tidy(m.Text()); len([]rune(t)) >= least {
		return t, nil
	}
	return "", errors.New("make a title: the model gave none")
}

// tidy takes off what models put around a title.
func tidy(text string) string {
	for line := range strings.Lines(text) {
		line = plain(line)
		line = strings.Trim(line, "#*_ ")
		if before, after, ok := strings.Cut(line, ":"); ok && strings.EqualFold(strings.TrimSpace(before), "title") {
			line = after
		}
		line = strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "\"'`“”‘’«»*_"))
		if line = strings.TrimRight(line, " ."); line != "" {
			return Clip(line, longest)
		}
	}
	return ""
}

// plain is line without control and invisible characters, its blanks single.
func plain(line string) string {
	line = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(line, " "))
	return strings.Join(strings.Fields(line), " ")
}

// Clip shortens s to n characters, the last of them "…" when something was cut.
func Clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return strings.TrimSpace(string(r[:n-1])) + "…"
}
