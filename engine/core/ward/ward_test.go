package ward

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"talaria/engine"
	"talaria/engine/config"
)

func TestAProjectIsItsRepositoryButNeverTheHome(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, shop := filepath.Join(base, "home"), filepath.Join(base, "home", "shop")
	for _, d := range []string{filepath.Join(home, ".git"), filepath.Join(shop, ".git"), filepath.Join(shop, "src"), filepath.Join(home, "notes")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []string{filepath.Join(home, ".git"), filepath.Join(shop, ".git")} {
		if err := os.WriteFile(filepath.Join(d, "HEAD"), []byte("ref: refs/heads/main\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(shop, filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{filepath.Join(shop, "src"): shop, shop: shop, filepath.Join(base, "link"): shop, filepath.Join(home, "notes"): filepath.Join(home, "notes"), home: home, base: base} {
		if got := Project(dir, home); got != want {
			t.Errorf("%s is of the project %s, want %s", dir, got, want)
		}
	}
}

func TestTheJudgeIsOffUnlessAModelIsNamed(t *testing.T) {
	cfg := config.Defaults()
	asked := engine.Aux(func(context.Context, engine.Request) (engine.Message, error) {
		return engine.Message{Role: engine.RoleAssistant, Parts: engine.Parts{engine.Text{Text: "APPROVE"}}}, errors.New("both")
	})
	if Judge(cfg, asked) != nil {
		t.Error("it is on by default")
	}
	cfg.Auxiliary.Approval.Model = "small"
	if said, err := Judge(cfg, asked)(t.Context(), "x"); said != "APPROVE" || err == nil {
		t.Errorf("%q, %v", said, err)
	}
}

func TestCodeIsMaskedByFormAndTextByName(t *testing.T) {
	text := "password = os.environ['DB'] # sk-abcdefghijklmnopqrst\nDB_PASSWORD=hunter2hunter2hunter2\n"
	code := Redact(engine.Call{Args: `{"path":"a.py"}`}, engine.Result{Text: text})
	if code.Text != "password = os.environ['DB'] # sk-abc…qrst\nDB_PASSWORD=hunter2hunter2hunter2\n" {
		t.Errorf("code: %q", code.Text)
	}
	if env := Redact(engine.Call{Args: `{"path":".env"}`}, engine.Result{Text: "DB_PASSWORD=hunter2hunter2hunter2\n"}); env.Text != "DB_PASSWORD=hunter…ter2\n" {
		t.Errorf("text: %q", env.Text)
	}
}
