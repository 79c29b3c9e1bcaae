package engine

import (
	"context"
	"errors"
	"time"
)

// Permission is one approval rule that is in force. Rule is its whole text; Dir is the folder a command must run in, ""
// anywhere. Made is what it was made for, "" for one of the configuration. ID is what Revoke takes, "" where only
// the configuration can be edited.
type Permission struct {
	ID    string    `json:"id,omitempty"`
	Rule  string    `json:"rule"`
	Dir   string    `json:"dir,omitempty"`
	Scope string    `json:"scope"` // one of the Scope constants
	Made  string    `json:"made_for,omitempty"`
	At    time.Time `json:"at,omitzero"`
	Deny  bool      `json:"deny,omitempty"`
}

// Where a permission holds: until the program ends, in this project from now on, or wherever the configuration is read.
const (
	ScopeSession = "session"
	ScopeProject = "project"
	ScopeConfig  = "configuration"
)

// Ruling is what was decided about one call, and by what. Verdict is "allowed", "denied" or "blocked"; By is the rule, the
// row of the danger table or the mode that decided; Asked says that the user was asked, and Choice what they answered.
type Ruling struct {
	CallID  string    `json:"call_id"`
	Action  string    `json:"action"` // "$ npm test", "edit src/a.go"
	Verdict string    `json:"verdict"`
	By      string    `json:"by"`
	Mode    string    `json:"mode"`
	Asked   bool      `json:"asked,omitempty"`
	Choice  string    `json:"choice,omitempty"`
	At      time.Time `json:"at"`
}

// ErrNoRule: no rule has that ID.
var ErrNoRule = errors.New("no such approval rule")

// Permissions is what the permissions screen and /why ask. Methods that may take time are called in a tea.Cmd.
type Permissions interface {
	// List returns the rules that are in force, of this session first, then of the project, then of the configuration.
	List(ctx context.Context) ([]Permission, error)
	// Revoke forgets the rule with that ID; what it allowed asks again from now on. ErrNoRule when there is none.
	Revoke(ctx context.Context, id string) error
	// Rulings returns what was decided about the newest n calls of this run, newest first.
	Rulings(ctx context.Context, n int) ([]Ruling, error)
}
