package compress

import (
	"fmt"
	"strings"

	"talaria/engine"
)

// Sizes in characters of what a summary is made from (BEHAVIOUR 10.5).
const (
	longText, textHead, textEnd = 6_000, 4_000, 1_500
	longCall, callHead          = 1_500, 1_200
)

// transcript writes msgs for the summariser, one labelled piece a message. clean takes out what must not leave: secrets,
// reasoning that was written as text.
func transcript(msgs []engine.Message, clean func(string) string) []string {
	var out []string
	for _, m := range msgs {
		if m.Aside || m.Summary {
			continue
		}
		var b strings.Builder
		for _, p := range m.Parts {
			switch p := p.(type) {
			case engine.Text:
				fmt.Fprintf(&b, "[%s] %s\n", label(m), ends(clean(p.Text)))
			case engine.Call:
				args := clean(p.Args)
				if len(args) > longCall {
					args = clip(args, callHead)
				}
				fmt.Fprintf(&b, "[call %s] %s\n", p.Name, args)
			case engine.Result:
				fmt.Fprintf(&b, "[result of %s, %s] %s\n", p.Name, p.Status, ends(clean(p.Text)))
			case engine.Image:
				fmt.Fprintf(&b, "[%s] (a picture: %s)\n", label(m), p.Name)
			case engine.Thought, engine.Opaque, engine.Unknown:
				// what a model thought on the way is not what was done
			}
		}
		if b.Len() > 0 {
			out = append(out, b.String())
		}
	}
	return out
}

func label(m engine.Message) string {
	who := map[engine.Role]string{engine.RoleUser: "user", engine.RoleAssistant: "assistant", engine.RoleTool: "tool"}[m.Role]
	if !m.At.IsZero() {
		who += " " + m.At.UTC().Format("2006-01-02 15:04")
	}
	return who
}

// ends keeps the beginning and the end of a long text.
func ends(s string) string {
	r := []rune(s)
	if len(r) <= longText {
		return s
	}
	return fmt.Sprintf("%s\n… [%d characters left out] …\n%s", string(r[:textHead]), len(r)-textHead-textEnd, string(r[len(r)-textEnd:]))
}

// focusOf is what the summary should dwell on when nobody said: the user's last three messages, shortened.
func focusOf(msgs []engine.Message) string {
	const each, whole, asks = 260, 700, 3
	var lines []string
	for i := len(msgs) - 1; i >= 0 && len(lines) < asks; i-- {
		if isAsk(msgs[i]) {
			lines = append([]string{clip(oneLine(msgs[i].Text()), each)}, lines...)
		}
	}
	return clip(strings.Join(lines, "\n"), whole)
}
