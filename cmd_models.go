package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"talaria/engine"
	"talaria/engine/catalog"
	"talaria/engine/core/dial"
	"talaria/themes"
)

// modelTime bounds the question to one server.
const modelTime = 15 * time.Second

// offered is one model of talaria models.
type offered struct {
	Model  string         `json:"model"` // as -m takes it
	Window int            `json:"window,omitempty"`
	Price  *catalog.Price `json:"price_per_million,omitempty"`
	Ready  bool           `json:"ready"`
	Found  string         `json:"found,omitempty"`
}

// listModels shows what can be asked, without the network.
func listModels(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	list, lines := []offered{}, []string{}
	for _, con := range dial.NewConnector(p.resolver, p.paths.Config).Known() {
		for _, name := range append([]string{con.Route.Model}, con.Models...) {
			if name == "" {
				name = "..." // only the server knows
			}
			list, lines = add(list, lines, con, name)
		}
	}
	return c.print(list, append(lines, "talaria models refresh asks the servers what they offer.")...)
}

// refreshModels asks every server that can be asked.
func refreshModels(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	ctx := context.Background()
	connector := dial.NewConnector(p.resolver, p.paths.Config)
	list, lines, failed, asked := []offered{}, []string{}, 0, 0
	for _, con := range append(connector.Local(ctx), connector.Known()...) {
		if !con.Ready || con.Route.Provider == dial.DemoProvider {
			continue
		}
		asked++
		one, cancel := context.WithTimeout(ctx, modelTime)
		names, err := connector.Models(one, con, "")
		cancel()
		if err != nil {
			failed++
			fmt.Fprintf(c.errs, "talaria: %s: %s\n", safe(con.Name), safe(err.Error()))
			continue
		}
		for _, name := range names {
			list, lines = add(list, lines, con, name)
		}
	}
	if asked == 0 {
		lines = []string{"There is nobody to ask: no key and no local server was found. talaria connect adds one."}
	}
	if err := c.print(list, lines...); err != nil {
		return err
	}
	if failed > 0 {
		return errNotAll{failed, asked, "servers did not answer"}
	}
	return nil
}

func add(list []offered, lines []string, con engine.Connection, name string) ([]offered, []string) {
	o := offered{Model: con.Route.Provider + "/" + name, Ready: con.Ready, Found: con.Found}
	if slices.ContainsFunc(list, func(x offered) bool { return x.Model == o.Model }) {
		return list, lines
	}
	info, _ := catalog.Model(con.Route.Provider, name)
	o.Window = info.Window
	price := ""
	if info.Price != (catalog.Price{}) {
		o.Price = &info.Price
		price = fmt.Sprintf("$%g in, $%g out", info.Price.In, info.Price.Out)
	}
	state := "no key"
	if o.Ready {
		state = "ready"
	}
	return append(list, o), append(lines, fmt.Sprintf("%-48s %-7s %9d  %s", safe(o.Model), state, o.Window, price))
}

// themeFault is what is wrong with a theme.
type themeFault struct {
	Theme  string   `json:"theme"`
	Faults []string `json:"faults"`
}

// checkThemes measures the contrasts of themes: those that are named, by name or file, else all that are built in and the
// user's own.
func checkThemes(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	names := c.args
	if len(names) == 0 {
		names = append(p.themes.Names(), p.themes.Unused()...)
	}
	list, lines, bad := []themeFault{}, []string{}, 0
	for _, name := range names {
		f := themeFault{Theme: name, Faults: []string{}}
		set, known := p.themes, name
		if filepath.Ext(name) == ".yaml" {
			set, known = themes.Open(filepath.Dir(name)), strings.TrimSuffix(filepath.Base(name), ".yaml")
		}
		f.Faults = append(f.Faults, set.Faults(known)...)
		t, err := set.Load(known)
		if err != nil && len(f.Faults) == 0 {
			f.Faults = append(f.Faults, err.Error())
		}
		for _, pair := range t.Pairs() {
			if !pair.OK() {
				f.Faults = append(f.Faults, fmt.Sprintf("%s on %s: %.2f, at least %.2f is wanted", pair.Fg, pair.Bg, pair.Ratio, pair.Floor))
			}
		}
		list = append(list, f)
		if len(f.Faults) == 0 {
			lines = append(lines, name+" is in order.")
			continue
		}
		bad++
		for _, fault := range f.Faults {
			lines = append(lines, name+": "+safe(fault))
		}
	}
	if err := c.print(list, lines...); err != nil {
		return err
	}
	if bad > 0 {
		return errNotAll{bad, len(names), "themes have faults"}
	}
	return nil
}
