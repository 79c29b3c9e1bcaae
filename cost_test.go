//go:build unix

package main

import (
	"strings"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/completions"
	"talaria/engine/provider/converse"
	"talaria/engine/provider/messages"
	"talaria/engine/provider/providertest"
	"talaria/engine/provider/responses"
	"talaria/engine/provider/think"
	"talaria/themes"
	"talaria/ui"
	"talaria/ui/listen"
	"talaria/ui/uitest"
)

// longReply is an answer of 100 KB in paragraphs, as fast models write one.
var longReply = strings.Repeat(strings.Repeat("word and word, ", 26)+"done.\n\n", 256)

// perFrame is how many pieces one frame of the screen brings: a model of 150 pieces a second, a fast one.
const perFrame = 5

// worked is the processor time that this process has used, all its goroutines and the collector included: other programs do
// not count in it.
func worked(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// drawn is what one piece of longReply costs the screen, at perFrame pieces a frame.
func drawn(b *testing.B) time.Duration {
	b.Helper()
	m := ui.New(ui.Deps{Engine: uitest.NewEngine(), Library: uitest.NewLibrary(), Connect: &uitest.Connections{}, Options: ui.Options{Mode: "ask"},
		Theme: func(bool, bool) themes.Theme {
			t, err := themes.Load("dusk")
			if err != nil {
				b.Fatal(err)
			}
			return t
		}})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	m.Update(listen.Batch{engine.Opened{Session: engine.Session{ID: "s"}}, engine.Began{Turn: 1}})
	pieces := tokens(longReply)
	began := worked(b)
	for i := 0; i < len(pieces); i += perFrame {
		text := strings.Join(pieces[i:min(len(pieces), i+perFrame)], "") // as the queue merges them
		m.Update(listen.Batch{uitest.Says(text)})
		m.View()
	}
	return (worked(b) - began) / time.Duration(len(pieces))
}

// BenchmarkDecodeBesideTheScreen is what decoding and scrubbing a reply costs, a piece, beside what the screen takes to show
// it in the same run. Read the "%screen": the aim is below 5; and the MB/s: the aim is 200.
func BenchmarkDecodeBesideTheScreen(b *testing.B) {
	screen := drawn(b)
	open := []func(provider.Endpoint) engine.Provider{completions.New, responses.New, messages.New, converse.New}
	for i, s := range speakers {
		for name, wrap := range map[string]func(engine.Provider) engine.Provider{"wire": func(p engine.Provider) engine.Provider { return p }, "wire and scrubber": think.Wrap} {
			b.Run(string(s.mode)+"/"+name, func(b *testing.B) {
				body := s.answer("m", said{Text: longReply})
				p := wrap(open[i](provider.Endpoint{BaseURL: "https://h.test", Key: "k", HTTP: providertest.Replay(body)}))
				req := engine.Request{Route: engine.Route{Model: "m"}, Messages: []engine.Message{engine.UserMessage("hi", time.Time{})}}
				pieces := len(tokens(longReply))
				b.ReportAllocs()
				began := worked(b)
				for b.Loop() {
					for _, err := range p.Stream(b.Context(), req) {
						if err != nil {
							b.Fatal(err)
						}
					}
				}
				one := float64((worked(b) - began).Nanoseconds()) / float64(b.N) / float64(pieces)
				b.ReportMetric(one, "cpu-ns/piece")
				b.ReportMetric(float64(len(body.Body))/float64(pieces)/one*1000, "MB/cpu-s")
				b.ReportMetric(100*one/float64(screen.Nanoseconds()), "%screen")
			})
		}
	}
}
