package engine

import "context"

// ReportRow is one fact of a report. Mark is a word on its right, Text what is known of it, Value what an edit of it
// begins with.
type ReportRow struct {
	Name, Mark, Text, Value string
	Dim                     bool
}

// Report is a page of facts about the program. Text stands for itself where there are no rows.
type Report struct {
	Note, Text string
	Rows       []ReportRow
}

// Reports answers what the screen asks about the program itself: tools, mcp, skills, settings, doctor, changelog, bug. It
// is called in a tea.Cmd.
type Reports interface {
	Report(ctx context.Context, page string) (Report, error)
}
