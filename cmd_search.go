package main

import (
	"context"
	"fmt"
	"strings"

	"talaria/engine"
	"talaria/ui/style"
)

// foundSession is one line of talaria sessions search --json.
type foundSession struct {
	Session engine.Session `json:"session"`
	Message string         `json:"message_id,omitempty"`
	Role    engine.Role    `json:"role,omitempty"`
	Snippet string         `json:"snippet"`
	Marks   [][2]int       `json:"marks"` // bytes of the snippet, from and to
}

// searchSessions finds sessions by words of their titles and messages.
func searchSessions(c *cmdline) error {
	return c.withStore(func(ctx context.Context, s engine.Store) error {
		hits, err := s.Search(ctx, engine.SearchQuery{Text: strings.Join(c.args, " ")})
		if err != nil {
			return err
		}
		found, lines := []foundSession{}, []string(nil)
		for _, h := range hits {
			found = append(found, foundSession{h.Session, h.Message, h.Role, h.Snippet, h.Marks})
			lines = append(lines, style.Safe(fmt.Sprintf("%s  %s  %s", h.Tip, h.Session.Updated.Local().Format("2006-01-02 15:04"), h.Session.Title)),
				"    "+style.Safe(h.Snippet))
		}
		if len(lines) == 0 {
			lines = []string{"No session has all these words."}
		}
		return c.print(found, lines...)
	})
}
