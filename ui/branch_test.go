package ui

import (
	"testing"

	"talaria/ui/uitest"
)

func TestTheBranchIsInTheTitleAndFollowsTheTurns(t *testing.T) {
	story(t, func(t *testing.T) {
		name := "main"
		s := working(t, 80, 24, func(s *setting) { s.Options.Branch = func(string) string { return name } })
		s.See("sonnet-4.5 · high · main")
		name = "fix/\x1b[31m" + "a-branch-with-a-name-that-is-far-too-long-for-any-title"
		s.See("sonnet-4.5 · high · main") // nothing is read while the turn runs
		s.Tell(uitest.Reply("Done."), uitest.Finished())
		s.See("fix/")
		s.NotSee("far-too-long", "· main", "[31m\x1b")
	})
}
