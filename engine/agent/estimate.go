package agent

import (
	"unicode"

	"talaria/engine"
)

// Characters per token, measured against a tokenizer on prose and code (LIBRARIES 1): a start that real usage corrects.
const (
	asciiPerToken, cyrillicPerToken, cjkPerToken = 3.8, 2.6, 1.25
	imageTokens                                  = 1600 // BEHAVIOUR 10.1
	messageTokens                                = 4    // role and separators of one message
)

// Estimate guesses the size of a request in tokens.
func Estimate(system string, msgs []engine.Message, specs []engine.Spec) int {
	n := tokens(system)
	for _, m := range msgs {
		n += Size(m)
	}
	for _, s := range specs {
		n += tokens(s.Name) + tokens(s.Doc) + tokens(string(s.Schema))
	}
	return n
}

// Size guesses the size of one message in tokens.
func Size(m engine.Message) int {
	n := messageTokens
	for _, p := range m.Parts {
		switch p := p.(type) {
		case engine.Text:
			n += tokens(p.Text)
		case engine.Thought:
			n += tokens(p.Text)
		case engine.Call:
			n += tokens(p.Name) + tokens(p.Args)
		case engine.Result:
			n += tokens(p.Text)
		case engine.Image:
			n += imageTokens
		case engine.Opaque:
			n += len(p.Data) / 4
		case engine.Unknown:
		}
	}
	return n
}

func tokens(s string) int {
	var ascii, cyrillic, wide int
	for _, r := range s {
		switch {
		case r < 0x250:
			ascii++
		case unicode.Is(unicode.Han, r) || r >= 0x2E80:
			wide++
		default:
			cyrillic++
		}
	}
	return int(float64(ascii)/asciiPerToken + float64(cyrillic)/cyrillicPerToken + float64(wide)/cjkPerToken + 0.5)
}
