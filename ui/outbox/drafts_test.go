package outbox

import (
	"strings"
	"testing"
)

func TestSavesOfADraftKeepTheirOrder(t *testing.T) {
	o := &saving{done: map[string]uint64{}}
	old, new := o.begin(), o.begin()
	var made []string
	save := func(text string) func() error { return func() error { made = append(made, text); return nil } }
	_ = o.make("a", new, save("new"))
	_ = o.make("a", old, save("old"))
	_ = o.make("b", old, save("other"))
	if got := strings.Join(made, " "); got != "new other" {
		t.Fatal(got)
	}
}
