// Package ui is the screen: one tea.Model that receives the engine's events and draws them. Its panes are plain structs
// that are told things; a dialog is built with its continuation. Keys and slash commands are tables.
//
// It refuses to know a store, a provider or a tool: sessions, connections and drafts come through the interfaces of
// package engine and are called inside a tea.Cmd only, never in Update or View.
//
// # Where things go
//
// The root has the loop (update.go), the order of keys (key.go), what is drawn where (view.go), what an event changes
// (event.go) and the list of features (feature.go, assemble). Everything else is a feature: a package below ui that works
// on a *screen.State, which has the panes, the session, the overlays and what the program gave.
//
//	package tips
//
//	func New(s *screen.State) screen.Feature {
//		open := func() tea.Cmd { return s.Open(overlay.Overlay{ID: "tips", Key: "Esc close", Box: newBox(s.Sheet)}) }
//		return screen.Feature{
//			Keys:     []keys.Binding{{ID: "tips", Keys: []string{"ctrl+x ."}, Name: "Tips", Do: open}},
//			Commands: []command.Command{{Name: "tips", Help: "good to know", Group: command.Help, Busy: true, Do: func(string) tea.Cmd { return open() }}},
//			On:       func(e engine.Event) tea.Cmd { return nil },   // what the engine tells, after the panes
//			Update:   func(msg tea.Msg) tea.Cmd { return nil },     // what its own commands brought
//		}
//	}
//
// and one row in assemble. Help, the palette, the leader's hints, the menu and the lint of keys read the same rows.
//
//   - An overlay is a dialog.Dialog (Update, View, Keys) in an overlay.Overlay; what more a box may have stands there.
//   - A popup over the prompt ("/", "@") is a screen.Popup that Feature.Popup returns for the text that opens it.
//   - What cannot be done now stays in the tables with a Can that says why; what does not exist is not there.
//   - A status cell is a row of chrome's cells; what waits above the prompt is chrome.Strip; breakpoints are layout.Of.
//   - What was typed goes through outbox, which never loses it; an overlay that sends calls it too.
package ui
