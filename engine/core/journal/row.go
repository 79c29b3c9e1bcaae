package journal

import (
	"slices"
	"strings"
	"time"

	"talaria/engine"
	"talaria/engine/core/title"
)

// previewLength is how much of the last answer a session list shows, in characters.
const previewLength = 300

// Count brings the session's row up to e.
func Count(row *engine.Session, e engine.Event, at time.Time) {
	row.Updated = at
	switch e := e.(type) {
	case engine.Appended:
		CountMessage(row, e.Message)
	case engine.Began:
		row.Turns, row.Route = e.Turn, e.Route
	case engine.Used:
		row.Usage, row.Cost, row.Context = e.Total, e.Cost, e.Context
	case engine.Rewound:
		countRewound(row, e)
	case engine.CallEnded:
		for _, path := range e.Result.Changed {
			if !slices.Contains(row.Changed, path) {
				row.Changed = append(row.Changed, path)
			}
		}
	case engine.Noted:
		if e.Kind == engine.NoteTitle && !row.TitleSet {
			row.Title = e.Text
		}
	case engine.Opened, engine.Stepped, engine.Streamed, engine.CallBegan, engine.CallWrote, engine.Asked, engine.Withdrawn, engine.Steered,
		engine.Queued, engine.Compacted, engine.Planned, engine.Child, engine.Ended, engine.Unknown:
	}
}

// countRewound takes what left the chat out of the counts, or puts it back. What it cost stays spent.
func countRewound(row *engine.Session, e engine.Rewound) {
	if e.From == "" {
		return
	}
	row.Turns = e.Turn - 1
	if e.Back {
		row.Turns += e.Turns
		row.Messages += e.Messages
	} else {
		row.Messages = max(0, row.Messages-e.Messages)
	}
}

// CountMessage brings the row up to a message of the conversation.
func CountMessage(row *engine.Session, m engine.Message) {
	if m.Aside {
		return
	}
	row.Messages++
	text := strings.Join(strings.Fields(m.Text()), " ")
	if m.Role == engine.RoleUser && !m.Steer && row.Title == "" {
		row.Title = title.Of(m.Text())
	}
	if text != "" && (m.Role == engine.RoleUser || m.Role == engine.RoleAssistant) {
		row.Last = title.Clip(text, previewLength)
	}
}
