package agent

import (
	"unicode"
	"unicode/utf8"

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
	return estimate(tokens, system, msgs, specs)
}

// Size guesses the size of one message in tokens.
func Size(m engine.Message) int { return size(tokens, m) }

// estimate is Estimate with the way in which texts are counted.
func estimate(count func(string) int, system string, msgs []engine.Message, specs []engine.Spec) int {
	n := count(system)
	for _, m := range msgs {
		n += size(count, m)
	}
	for _, s := range specs {
		n += count(s.Name) + count(s.Doc) + count(string(s.Schema))
	}
	return n
}

func size(count func(string) int, m engine.Message) int {
	n := messageTokens
	for _, p := range m.Parts {
		switch p := p.(type) {
		case engine.Text:
			n += count(p.Text)
		case engine.Thought:
			n += count(p.Text)
		case engine.Call:
			n += count(p.Name) + count(p.Args)
		case engine.Result:
			n += count(p.Text)
		case engine.Image:
			n += imageTokens
		case engine.Opaque:
			n += len(p.Data) / 4
		case engine.Unknown:
		}
	}
	return n
}

// tokens guesses those of a text.
func tokens(s string) int {
	var t tally
	for _, r := range s {
		if r < utf8.RuneSelf && same[r] == t.last {
			t.run++ // most characters go on with the run that is open
			continue
		}
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

// same tells what ASCII characters only make a run of their own kind one longer after another such one: small letters,
// digits, signs. Of the others, and at first, add has to know more.
var same = func() (table [utf8.RuneSelf]rune) {
	for r := range table {
		switch {
		case 'a' <= r && r <= 'z':
			table[r] = 'a'
		case '0' <= r && r <= '9':
			table[r] = '0'
		case 'A' <= r && r <= 'Z', r == ' ', r == '\n', r == '\t', r == '\r':
			table[r] = -1 // never what the last one was
		default:
			table[r] = '!'
		}
	}
	return table
}()

// tally counts tokens run by run.
type tally struct {
	last           rune // what same says of the last character, 0 when nothing
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
	t.last = 0
	if r < utf8.RuneSelf && same[r] > 0 {
		t.last = same[r]
	}
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
