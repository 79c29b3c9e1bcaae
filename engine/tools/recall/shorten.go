package recall

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"talaria/engine"
)

//go:embed shorten.md
var shortenDoc string

const (
	shortenFrom  = 2_000 // characters: what is shorter is read as it is
	shortenLimit = 60 * time.Second
	shortenReply = 3_000 // tokens, its thinking included
)

// brief is what another model makes of the excerpts that a search found, with heads, which name each session, behind it.
// Where there is none, it fails, or it makes nothing shorter, the excerpts stay as they are.
func (r recall) brief(ctx context.Context, query, found, heads string) string {
	if r.Shorten == nil || len(found) < shortenFrom {
		return found
	}
	ctx, cancel := context.WithTimeout(ctx, shortenLimit)
	defer cancel()
	prompt := fmt.Sprintf("Searched for: %s\n\n%s", query, engine.Untrusted("earlier sessions", found))
	m, err := r.Shorten(ctx, engine.Request{System: shortenDoc, MaxTokens: shortenReply, Messages: []engine.Message{engine.UserMessage(prompt, time.Now())}})
	said := strings.TrimSpace(m.Text())
	if err != nil || said == "" || len(said) >= len(found) {
		return found
	}
	return "Made short by another model; session_id with around_message_id shows the words themselves.\n" + said + "\n\nThe sessions it is from:\n" + heads
}
