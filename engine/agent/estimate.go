package agent

import (
	"unicode"

	"talaria/engine"
)

// Where a script has no words that could be counted: characters per token, measured against a tokenizer (LIBRARIES 1).
const (
	otherPerToken, cjkPerToken = 2.6, 1.25
	imageTokens                = 1600 // BEHAVIOUR 10.1
	messageTokens              = 4    // role and separators of one message
)

// How tokenizers cut Latin text and code: a word and the blank before it is one token, a long one several; a run of white
// space is one, signs go two or three together, digits in threes. A run without words (base64, a minified line) has many.
const (
	wordLetters  = 6  // a longer word is cut
	longestWord  = 24 // more is no word
	runLetters   = 3  // of a run that is no word
	accentWeight = 2  // letters outside ASCII are rarer, so words with them are cut sooner
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
	var t tally
	for _, r := range s {
		t.add(r)
	}
	t.flush()
	return t.n + int(float64(t.other)/otherPerToken+float64(t.wide)/cjkPerToken+0.5)
}

// kind is what a run of characters is made of.
type kind uint8

const (
	nothing kind = iota
	letter
	digit
	blank
	sign
)

// tally counts tokens run by run.
type tally struct {
	n, other, wide int
	kind           kind
	run            int
	lower          bool // the last letter was small: a capital begins another word
	line           bool // the blanks hold a line end or a tab
}

func (t *tally) add(r rune) {
	k, weight := sign, 1
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		k = letter
	case r >= '0' && r <= '9':
		k = digit
	case r == ' ', r == '\n', r == '\t', r == '\r':
		k = blank
	case r >= 0x80 && r < 0x250:
		k, weight = letter, accentWeight
	case r >= 0x2E80:
		t.wide++
		k = nothing
	case r >= 0x250:
		t.other++
		k = nothing
	}
	upper := k == letter && unicode.IsUpper(r)
	if k != t.kind || upper && t.lower {
		t.flush()
		t.kind = k
	}
	t.run += weight
	t.lower = k == letter && !upper
	t.line = t.line || k == blank && r != ' '
}

// flush counts the run that ends here.
func (t *tally) flush() {
	switch t.kind {
	case letter:
		if t.run > longestWord {
			t.n += t.run / runLetters
		} else {
			t.n += 1 + (t.run-1)/wordLetters
		}
	case digit, sign:
		t.n += (t.run + 2) / 3
	case blank:
		if t.line || t.run > 1 { // one blank goes with the word after it
			t.n++
		}
	case nothing:
	}
	t.kind, t.run, t.line = nothing, 0, false
}
