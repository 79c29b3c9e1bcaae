package main

import "testing"

// What the manual and the completions say of subcommands is as long as the table of them.
func TestEverySubcommandIsToldOf(t *testing.T) {
	have := map[string]bool{}
	for _, one := range cmds() {
		have[one.key()] = true
		if abouts[one.key()].help == "" {
			t.Errorf("talaria %s has no row in abouts (cmd_table.go)", one.key())
		}
	}
	for key := range abouts {
		if !have[key] {
			t.Errorf("abouts tells of talaria %s, which does not exist", key)
		}
	}
}
