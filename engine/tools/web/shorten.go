package web

import (
	"context"
	_ "embed"
	"errors"
	"strings"
	"time"

	"talaria/engine"
	"talaria/engine/tools"
)

//go:embed shorten.md
var shortenDoc string

const (
	shortenLimit = 90 * time.Second
	shortenChars = 120_000 // of a page that the other model reads
	shortenReply = 4000    // tokens, its thinking included
)

// brief asks the auxiliary model for a short version of a page.
func (w *Web) brief(ctx context.Context, source, text string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, shortenLimit)
	defer cancel()
	m, err := w.o.Shorten(ctx, engine.Request{System: shortenDoc, MaxTokens: shortenReply,
		Messages: []engine.Message{engine.UserMessage(engine.Untrusted(source, tools.Cut(text, shortenChars)), time.Now())}})
	if err != nil {
		return "", err
	}
	said := strings.TrimSpace(m.Text())
	if said == "" || len(said) >= len(text) {
		return "", errors.New("the other model did not make it shorter")
	}
	return said, nil
}
