package approval

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestACommandAndItsDiffAreBothInViewInASmallWindow(t *testing.T) {
	for _, danger := range []string{"", "changes files in place"} {
		for _, command := range []string{"sed -i s/a/b/ src/auth/refresh.ts", "sed -i " + strings.Repeat("-e s/a/b/ ", 40)} {
			q := editQuestion()
			q.Title, q.Body, q.Danger = "Run a command", command, danger
			if danger != "" {
				q.Rule, q.Choices = "", dangerQuestion().Choices // what is dangerous cannot be remembered
			}
			for _, size := range screens {
				d := New(sheet(t), q, longAgo(), 2, nil)
				view, _ := d.View(size.w, size.room)
				plain := ansi.Strip(view)
				if !strings.Contains(plain, "$ sed -i") || !strings.Contains(plain, "@@ refresh.ts") || !strings.Contains(plain, "inFl") {
					t.Errorf("at %dx%d:\n%s", size.w, size.h, plain)
				}
				press(d, "d")
				seen := ""
				for range 20 {
					view, _ = d.View(size.w, size.room)
					seen += joined(ansi.Strip(view))
					press(d, "pgdown")
				}
				if !strings.Contains(strings.ReplaceAll(seen, " ", ""), strings.ReplaceAll(command, " ", "")) && size.w > 60 {
					t.Errorf("at %dx%d the command is not whole in full", size.w, size.h)
				}
			}
		}
	}
}
