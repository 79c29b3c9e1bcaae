package route

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// seam joins a continuation to the text that it goes on from. Models are told to go on exactly, and mostly do; some say
// the last words once more, begin anew, or lose the space before the first word. What is joined how depends on the two
// texts alone and never on how the second one was cut, so the beginning is held back for as long as more of it could
// change the verdict. Text is only taken away where it is plainly a repeat: a wrong cut loses words, a missed one shows
// them twice.
type seam struct {
	kept     string
	held     string
	open     bool
	overlaps []string // ends of kept that the continuation may begin with, the longest first
}

// newSeam returns the seam after kept; after nothing there is none.
func newSeam(kept string) *seam {
	s := &seam{kept: kept, open: kept != ""}
	if s.open {
		s.overlaps = overlaps(kept)
	}
	return s
}

// add takes a piece of the continuation and returns what can be told now.
func (s *seam) add(text string) string {
	if !s.open {
		return text
	}
	s.held += text
	return s.settle(false)
}

// end returns what was still held: nothing more comes.
func (s *seam) end() string {
	if !s.open {
		return ""
	}
	return s.settle(true)
}

func (s *seam) settle(last bool) string {
	text, sure := s.join(last)
	if !sure {
		return ""
	}
	s.open, s.held = false, ""
	return text
}

// join returns what of the held text follows kept; sure is false while more of it could change that.
func (s *seam) join(last bool) (text string, sure bool) {
	said := strings.TrimLeftFunc(s.held, unicode.IsSpace)
	if said == "" {
		return s.held, last
	}
	for _, o := range s.overlaps {
		again := strings.HasPrefix(said, o)
		if !again && (last || !strings.HasPrefix(o, said)) || !telling(s.kept, o) {
			continue
		}
		return said[min(len(said), len(o)):], again
	}
	if len(said) < len(s.held) {
		return s.held, true
	}
	return s.words(said, last)
}

// longestWord bounds what is held to see the whole first word.
const longestWord = 100

// words is a continuation that begins with a word or a sign. Two letters that meet are either one word that was cut, a
// word begun anew ("wor", "world"), or two words whose space was lost. The text itself knows: what stands elsewhere in
// it as a whole word was no piece of one.
func (s *seam) words(said string, last bool) (text string, sure bool) {
	end, begin := lastWord(s.kept), firstWord(said)
	if end == "" || begin == "" {
		return s.sentence(said), true
	}
	if len(begin) == len(said) && len(said) < longestWord && !last {
		return "", false
	}
	longer := len(begin) > len(end) && strings.HasPrefix(begin, end) && len(begin) < longestWord
	whole := s.has(end)
	switch {
	case !whole && longer && utf8.RuneCountInString(end) >= 3:
		return said[len(end):], true
	case whole && (longer || len(begin) < longestWord && s.has(begin)) && !inCode(s.kept):
		return " " + said, true
	}
	return said, true
}

// sentence puts the lost space between a sentence or clause and the word after it, unless the text has such signs in the
// middle of words.
func (s *seam) sentence(said string) string {
	sign, n := utf8.DecodeLastRuneInString(s.kept)
	before, _ := utf8.DecodeLastRuneInString(s.kept[:len(s.kept)-n])
	first, _ := utf8.DecodeRuneInString(said)
	fits := strings.ContainsRune(",;", sign) && letter(first) || strings.ContainsRune(".!?:", sign) && unicode.IsUpper(first)
	if !fits || !letter(before) || inCode(s.kept) {
		return said
	}
	for rest := s.kept; rest != ""; {
		r, n := utf8.DecodeRuneInString(rest)
		rest = rest[n:]
		if next, _ := utf8.DecodeRuneInString(rest); r == sign && letter(next) {
			return said
		}
	}
	return " " + said
}

// has reports whether word stands alone in kept, its very end apart.
func (s *seam) has(word string) bool {
	text, word := strings.ToLower(s.kept), strings.ToLower(word)
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		at := from + i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		if at+len(word) < len(text) && !letter(before) && !letter(after) {
			return true
		}
		from = at + len(word)
	}
}
