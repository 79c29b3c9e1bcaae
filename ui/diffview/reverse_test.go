package diffview

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
)

func TestADiffReadBackwardsLeadsBack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	text := func() string {
		var b strings.Builder
		for range rnd.IntN(12) {
			b.WriteString([]string{"a\n", "b\n", "-- c\n", "++ d\n", "\n", "@@ -1 +1 @@\n", "--- x\n"}[rnd.IntN(7)])
		}
		if rnd.IntN(3) == 0 {
			b.WriteString("no end")
		}
		return b.String()
	}
	for range 2000 {
		x, y := text(), text()
		there, back := udiff.Unified("a/f", "b/f", x, y), udiff.Unified("b/f", "a/f", y, x)
		if twice := Reverse(Reverse(there)); twice != there {
			t.Fatalf("there and back again:\n%s\n%s", there, twice)
		}
		r := Reverse(there)
		ra, rd := Stat(r)
		ba, bd := Stat(back)
		ta, td := Stat(there)
		if ra != td || rd != ta {
			t.Fatalf("%d %d against %d %d, %d %d\n%s\n%s", ra, rd, td, ta, ba, bd, there, r)
		}
	}
}

func TestPatchTakesAReversedDiff(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("there is no patch program here")
	}
	x, y := "one\ntwo\nthree\nfour\nfive\n", "one\n2\nthree\nfour and more\nfive\nsix"
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	if err := os.WriteFile(file, []byte(y), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(patch, file)
	cmd.Stdin = strings.NewReader(Reverse(udiff.Unified("a/f", "b/f", x, y)))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got, _ := os.ReadFile(file); string(got) != x {
		t.Errorf("%q", got)
	}
}
