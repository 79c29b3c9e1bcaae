// Package ward puts the guard together with the rest of the engine: the rules that are remembered for the project, the
// auxiliary model as a judge, and what keeps secrets from travelling to the model and masks from travelling back into
// files. It decides nothing itself.
package ward

import (
	"context"
	"path/filepath"
	"time"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/guard"
	"talaria/engine/guard/ledger"
	"talaria/engine/prompt"
)

// judgeTime is how long the auxiliary model may take over a command before the user is asked: a person who waits for a
// question should not wait for another machine first. judgeTokens leaves room for a model that reasons before one word.
const (
	judgeTime   = 15 * time.Second
	judgeTokens = 1000
)

// Project is the real root under which rules are remembered: the git repository around dir, else dir. A repository that
// is the home directory, or holds it, is not one project.
func Project(dir, home string) string {
	root, _ := prompt.Git(dir)
	if real := realPath(root); root != "" && real != realPath(home) && !within(realPath(home), real) {
		return real
	}
	return realPath(dir)
}

func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !filepath.IsAbs(rel) && (len(rel) < 3 || rel[:3] != "../")
}

func realPath(p string) string {
	if p == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(p); err == nil {
		return real
	}
	return filepath.Clean(p)
}

// Keeper returns the rules in force in dir. Those that are made last as long as the program when there is no file for them,
// or when it shall leave no trace (--no-session).
func Keeper(cfg config.Config, paths config.Paths, dir, home string, noTrace bool) *guard.Keeper {
	var book *ledger.Ledger
	if paths.Approvals != "" {
		book = ledger.Open(paths.Approvals)
	}
	k := guard.NewKeeper(Project(dir, home), home, book, cfg.Approvals.Allow, cfg.Approvals.Deny)
	if noTrace {
		k.Fleeting()
	}
	return k
}

// Judge asks the auxiliary model about one command; nil, which is off, unless the user named a model for it.
func Judge(cfg config.Config, aux engine.Aux) func(ctx context.Context, prompt string) (string, error) {
	if cfg.Auxiliary.Approval.Model == "" {
		return nil
	}
	return func(ctx context.Context, text string) (string, error) {
		ctx, cancel := context.WithTimeout(ctx, judgeTime)
		defer cancel()
		m, err := aux(ctx, engine.Request{MaxTokens: judgeTokens, Messages: []engine.Message{{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: text}}}}})
		return m.Text(), err
	}
}
