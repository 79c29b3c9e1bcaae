// Package ui is the screen: one tea.Model that receives the engine's events and draws them. Its panes are plain structs
// that are told things; a dialog is built with its continuation. Keys and slash commands are tables.
//
// It refuses to know a store, a provider or a tool: sessions, connections and drafts come through the interfaces of
// package engine and are called inside a tea.Cmd only, never in Update or View.
package ui
