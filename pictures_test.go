package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talaria/themes"
)

// pictures is where TestRecordThePictures puts them: `make demo`.
var pictures = flag.String("pictures", "", "record the pictures of the README into this `directory`")

// album is where the pictures of one visit go.
type album struct {
	t   *testing.T
	dir string
}

// TestRecordThePictures visits the program as a person would and draws ten of its screens. The model is scripted; all else
// is the program. It runs only where -pictures says, since what it makes is for eyes.
func TestRecordThePictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("no -pictures DIRECTORY: make demo gives it")
	}
	if err := os.MkdirAll(*pictures, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Run("connect", func(t *testing.T) { album{t, *pictures}.connect(shop(t)) })
	t.Run("work", func(t *testing.T) {
		d := shop(t)
		d.model(shopping)
		for _, asked := range []string{"Upgrade eslint to 10", "Explain the billing module", "Which queries are slow?"} {
			cmd := exec.Command(d.program, "-p", asked)
			cmd.Dir, cmd.Env = d.dir, d.env
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		album{t, *pictures}.work(d)
		album{t, *pictures}.look(d)
	})
}

// stillTime is how long nothing must change before a screen is drawn; a clock may tick in ten seconds of waiting.
const stillTime = 400 * time.Millisecond

// keeps draws what is on the screen now.
func (a album) keeps(p *person, name, theme, caption string) {
	a.t.Helper()
	t, err := themes.Load(theme)
	if err != nil {
		a.t.Fatal(err)
	}
	draw := func() string {
		p.mu.Lock()
		defer p.mu.Unlock()
		return svg(p.screen, t, caption)
	}
	image := draw()
	still := time.Now()
	for end := time.Now().Add(10 * time.Second); time.Since(still) < stillTime && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if now := draw(); now != image {
			image, still = now, time.Now()
		}
	}
	if len(image) > 60<<10 {
		a.t.Errorf("%s has %d bytes", name, len(image))
	}
	if err := os.WriteFile(filepath.Join(a.dir, name+".svg"), []byte(image), 0o644); err != nil {
		a.t.Fatal(err)
	}
}

// shop is a small project with a bug, under version control.
func shop(t *testing.T) *desk {
	d := newDesk(t)
	home := filepath.Dir(d.dir)
	d.dir = filepath.Join(home, "home", "src", "shop")
	d.home = filepath.Join(home, "talaria")
	d.w, d.h = 110, 32
	d.program = filepath.Join(binary, "pictured")
	if err := compile(d.program, "-ldflags", "-X main.version=1.0"); err != nil { // no picture changes with a commit
		t.Fatal(err)
	}
	d.env = append(d.env, "COLORTERM=truecolor")
	for _, dir := range []string{"src", "test"} {
		if err := os.MkdirAll(filepath.Join(d.dir, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(d.home, "config.yaml"), []byte("ui: {theme: dusk}\nmodel: {context_window: 200000}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.write("AGENTS.md", "Money is counted in cents. Run check.sh before you say that you are done.\n")
	d.write("src/coupon.ts", `import { Cart } from "./cart";

export function apply(cart: Cart, percent: number): number {
  const factor = 1 - percent / 100;
  return cart.total * factor;
}
`)
	d.write("src/cart.ts", "export interface Cart {\n  lines: Line[];\n  total: number; // cents\n}\n")
	d.write("test/coupon.test.ts", "test(\"a coupon of 10 %\", () => {\n  expect(apply({ total: 9990 }, 10)).toBe(8991);\n});\n")
	d.write("check.sh", "echo 'ok   cart      12 tests'\necho 'ok   receipt    9 tests'\nuntil [ -e .git/go ]; do sleep 0.05; done\n")
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=kim", "-c", "user.email=kim@shop.test", "commit", "-q", "-m", "shop"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = d.dir, d.env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
	return d
}

// shopping is what the model says during the visit.
const shopping = `
reply
text The names of 14 rules changed; the new ones are in place.
reply
text An invoice is drawn up at the end of the month, from the orders that were sent.
reply
text The three slowest queries have an index now.
reply
think The test of ten per cent fails by a fraction of a cent. 1 - 10/100 is 0.9, which no binary fraction is, and the total is multiplied by it before anything is rounded. The other callers may round for themselves: I look at them first.
call todo {"todos":[{"id":"1","content":"Find why the coupon test fails","status":"in_progress"},{"id":"2","content":"Round once, in cents","status":"pending"},{"id":"3","content":"Run the checks","status":"pending"}]}
call read_file {"path":"src/coupon.ts"}
call search_files {"pattern":"total","target":"content"}
use 12400 310
reply
think The cause is clear: the product is a fraction of a cent. Two ways are open, and they give different cents at the half, so this is for the owner of the shop to say.
text "The coupon is worked out as a **floating point factor**, so 10 % of 99.90 comes out as 8991.000000000001 cents.\n\nTwo ways round it, and they differ by a cent on some carts."
call clarify {"question":"How should a coupon be rounded?","choices":[{"label":"On the whole cart","description":"one rounding; what the receipt shows today","recommended":true},{"label":"On each line","description":"what the tax office of some countries wants"},{"label":"Never, keep fractions","description":"and round when money changes hands"}]}
use 14100 420
reply
text "One rounding at the end it is."
call todo {"todos":[{"id":"1","content":"Find why the coupon test fails","status":"completed"},{"id":"2","content":"Round once, in cents","status":"in_progress"},{"id":"3","content":"Run the checks","status":"pending"}]}
call patch {"path":"src/coupon.ts","old_string":"  const factor = 1 - percent / 100;\n  return cart.total * factor;","new_string":"  const off = Math.round(cart.total * percent / 100);\n  return cart.total - off; // cents, rounded once"}
use 15300 190
reply
text "Fixed. Now the checks, all at once."
call todo {"todos":[{"id":"1","content":"Find why the coupon test fails","status":"completed"},{"id":"2","content":"Round once, in cents","status":"completed"},{"id":"3","content":"Run the checks","status":"in_progress"}]}
call read_file {"path":"test/coupon.test.ts"}
call search_files {"pattern":"coupon","target":"files"}
call terminal {"command":"sh check.sh"}
use 16800 260
reply
text "All 40 tests pass.\n\n| coupon | cart | to pay |\n|---|---:|---:|\n| 10 % | 99.90 | 89.91 |\n| 25 % | 20.00 | 15.00 |\n\nThe rounding happens **once**, in ` + "`apply`" + `, and nowhere else:\n\n` + "```ts" + `\nconst off = Math.round(cart.total * percent / 100);\nreturn cart.total - off; // cents, rounded once\n` + "```" + `"
use 17900 240
reply
think The words on the receipt come from one template. It has the amount before the discount and the amount after it, and between them I would put the saving: that is what a customer looks for. The column is wide enough.
text "The receipt is built in one place, so the saving can stand between the two amounts:\n\n1. **Before**: the sum of the lines, as now.\n2. **You save**: what ` + "`apply`" + ` took off, with the name of the coupon.\n3. **To pay**: what is left.\n\nI would keep the middle line out when there is no coupon, so that the receipts of every"
stall
`

func (a album) connect(d *desk) {
	d.env = append(d.env, "ANTHROPIC_API_KEY=not-a-key", "OPENROUTER_API_KEY=not-a-key", "HTTPS_PROXY=http://127.0.0.1:9")
	if err := os.Remove(filepath.Join(d.dir, "AGENTS.md")); err != nil { // it would ask for trust first
		a.t.Fatal(err)
	}
	p := d.open("connect")
	p.sees("Choose how to connect", "Offline demo", "Esc look around", "Ready")
	a.keeps(p, "01-connect", "dusk", "First run: what was found on this machine, and the offline demo")
}

// work goes through a turn from its question to its end, and into the next.
func (a album) work(d *desk) {
	p := d.open("--trust")
	p.sees(ready)
	p.says("Why does the coupon test fail? Fix it.")
	p.sees("How should a coupon be rounded?")
	a.keeps(p, "06-question", "dusk", "The agent asks, with choices")
	p.answers("How should a coupon be rounded?", enter)
	p.sees("Allow this edit?")
	a.keeps(p, "05-approval", "dusk", "An edit waits for approval, with its diff")
	p.answers("Allow this edit?", "y")
	p.answers("Allow this command?", "y")
	p.sees("9 tests", "Running")
	a.keeps(p, "04-tools", "dusk", "The tools of one step, the last one running, and the Work panel")
	d.write(".git/go", "")
	p.sees("All 40 tests pass", "Ready")
	p.says("What would you show on the receipt?")
	p.sees("receipts of every", "Writing")
	a.keeps(p, "03-streaming", "dusk", "An answer as it is written, under its thinking")
	p.presses(ctrlC)
	p.sees("Stopped")
	p.pressesUntil("the timeline", "/timeline\r", func(s string) bool { return strings.Contains(s, "Chat and files") })
	a.keeps(p, "09-timeline", "dusk", "The timeline: back to any point, or a fork")
	p.presses(esc)
	p.seesNo("Chat and files")
	p.quits()
}

// look is the next day: what was left, and how the program looks and helps.
func (a album) look(d *desk) {
	p := d.open("--trust")
	p.sees(ready, "Pick up where you left off")
	a.keeps(p, "02-idle", "dusk", "A new session: what is known here and what was left")
	p.presses("\x18s")
	p.sees("Sessions", "coupon")
	a.keeps(p, "07-sessions", "dusk", "Sessions, with a preview")
	p.presses(esc)
	p.sees(ready, "Pick up where you left off")
	p.presses("?")
	p.sees("Help")
	a.keeps(p, "10-help", "dusk", "Help: every key and command")
	p.presses(esc)
	p.sees(ready, "Pick up where you left off")
	p.presses("\x18t")
	p.sees("Lowest text contrast")
	p.pressesUntil("the paper theme", down, func(s string) bool { return strings.Contains(s, "▸ paper") })
	a.keeps(p, "08-themes", "paper", "Themes, shown live: paper")
	p.presses(esc)
	p.seesNo("Lowest text contrast")
	p.quits()
}
