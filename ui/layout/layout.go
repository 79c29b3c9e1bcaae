// Package layout decides what has room in a window (UX 4.0): the title row, the strip, the prompt, the panel beside the
// transcript. It refuses to draw, and never gives a part more than the window has.
package layout

import (
	"github.com/charmbracelet/x/ansi"
)

// The smallest window that is drawn, from where a title row has room, where words are short, and where two columns fit.
const (
	MinWidth, MinHeight     = 36, 8
	TitleWidth, TitleHeight = 60, 20
	Narrow, Wide            = 60, 110
	High                    = 30
	PanelWidth              = 35
)

// Plan is what has room in a window of W by H cells.
type Plan struct {
	W, H   int
	Small  bool // nothing is drawn but a line that says so
	Title  bool // there is a title row
	Strip  int  // rows of the strip at most
	Prompt int  // rows of the prompt at most
	Panel  int  // columns of the Work panel beside the transcript, 0 when there is no room
}

// Of is the plan for a window.
func Of(w, h int) Plan {
	p := Plan{W: w, H: h, Small: w < MinWidth || h < MinHeight, Title: w >= TitleWidth && h >= TitleHeight, Strip: strip(w, h), Prompt: prompt(h)}
	if w >= Wide && h >= TitleHeight {
		p.Panel = PanelWidth
	}
	return p
}

// strip is how many rows the strip may take. Where words are short a steer needs two.
func strip(w, h int) int {
	switch {
	case h < 12:
		return 1
	case h >= High, w < Narrow:
		return 3
	}
	return 2
}

func prompt(h int) int {
	if h < TitleHeight {
		return min(3, max(1, h/3))
	}
	return max(1, min(10, h/3))
}

// Fit makes exactly h rows, none wider than w: a frame that is too tall would lose its top on the way to the terminal,
// so it loses it here (LIBRARIES 2).
func Fit(rows []string, w, h int) []string {
	if len(rows) > h {
		rows = rows[len(rows)-h:]
	}
	for len(rows) < h {
		rows = append(rows, "")
	}
	for i, r := range rows {
		if ansi.StringWidth(r) > w {
			rows[i] = ansi.Truncate(r, w, "")
		}
	}
	return rows
}
