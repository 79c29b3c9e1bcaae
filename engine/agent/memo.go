package agent

import "sync"

// memo remembers what was found out about the texts of a conversation: every round sends the whole history again, of which
// only the end is new. It changes no answer. It may be used from several goroutines.
type memo struct {
	mu    sync.Mutex
	sizes map[string]int
	args  map[string]arguments
}

// arguments are those of a call as canonical returns them.
type arguments struct {
	text  string
	whole bool
}

// The length in bytes from which a text's size is remembered, and how many texts are at most: then all are forgotten.
const (
	rememberedBytes = 200
	rememberedTexts = 10_000
)

// tokens is the function tokens.
func (m *memo) tokens(text string) int {
	if len(text) < rememberedBytes {
		return tokens(text)
	}
	return remembered(m, &m.sizes, text, tokens)
}

// canonical is the function canonical.
func (m *memo) canonical(args string) (string, bool) {
	a := remembered(m, &m.args, args, func(args string) arguments {
		text, whole := canonical(args)
		return arguments{text, whole}
	})
	return a.text, a.whole
}

// remembered is find(text), found out once.
func remembered[T any](m *memo, known *map[string]T, text string, find func(string) T) T {
	m.mu.Lock()
	v, ok := (*known)[text]
	m.mu.Unlock()
	if ok {
		return v
	}
	v = find(text)
	m.mu.Lock()
	defer m.mu.Unlock()
	if *known == nil || len(*known) >= rememberedTexts {
		*known = map[string]T{}
	}
	(*known)[text] = v
	return v
}
