package guard

import (
	"context"
	_ "embed"
	"strconv"
	"strings"
)

//go:embed judge.md
var judgePrompt string

// judge asks the auxiliary model about a command that would ask the user. Only the one word APPROVE, and nothing else,
// is a yes; anything else, an error included, leaves the question to the user. The yes is for this very command in this
// directory. A command of the danger table, or one that cannot be parsed, is never given to it.
func (g *Guard) judge(ctx context.Context, d decision) bool {
	if g.o.Judge == nil || d.judge == "" || d.question == nil || d.question.Danger != "" {
		return false
	}
	key := d.dir + "\x00" + d.judge
	if _, ok := g.judged.Load(key); ok {
		return true
	}
	said, err := g.o.Judge(ctx, strings.NewReplacer("{{command}}", strconv.Quote(d.judge), "{{dir}}", strconv.Quote(d.dir)).Replace(judgePrompt))
	if err != nil || strings.TrimSpace(said) != "APPROVE" {
		return false
	}
	g.judged.Store(key, true)
	return true
}
