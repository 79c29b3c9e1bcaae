package adopt

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"talaria/engine"
)

// claudeLine is one record of Claude Code.
type claudeLine struct {
	Type       string          `json:"type"`
	Subtype    string          `json:"subtype"`
	UUID       string          `json:"uuid"`
	Parent     string          `json:"parentUuid"`
	Logical    string          `json:"logicalParentUuid"`
	Sidechain  bool            `json:"isSidechain"`
	Meta       bool            `json:"isMeta"`
	Compacted  bool            `json:"isCompactSummary"`
	APIError   bool            `json:"isApiErrorMessage"`
	Timestamp  json.RawMessage `json:"timestamp"`
	Dir        string          `json:"cwd"`
	Summary    string          `json:"summary"`
	Leaf       string          `json:"leafUuid"`
	Custom     string          `json:"customTitle"`
	Suggestion string          `json:"aiTitle"`
	Message    struct {
		ID      string          `json:"id"`
		Model   string          `json:"model"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// claudeBlock is a block of a message's content.
type claudeBlock struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Thinking string          `json:"thinking"`
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Input    json.RawMessage `json:"input"`
	CallID   string          `json:"tool_use_id"`
	Content  json.RawMessage `json:"content"`
	IsError  bool            `json:"is_error"`
	Source   struct {
		MIME string `json:"media_type"`
		Data string `json:"data"`
	} `json:"source"`
}

// claudeQuiet are records that tell nothing of the conversation.
var claudeQuiet = []string{"summary", "custom-title", "ai-title", "agent-name", "system", "progress", "attachment", "queue-operation", "file-history-snapshot",
	"last-prompt", "permission-mode", "mode", "pr-link", "tag", "saved_hook_context", "worktree-state", "cost-state", "marble-origami-commit"}

// synthetic is the model's name of texts that no model wrote.
const synthetic = "<synthetic>"

// readClaude reads the file twice: once for the tree of its records, of which a rewind leaves branches behind, and once
// for what was said.
func readClaude(f io.ReadSeeker, b *builder) error {
	var t tree
	long, err := eachLine(f, func(n int, line []byte) error {
		var l claudeLine
		if !decode(line, &l) {
			b.head.Damaged++
			return nil
		}
		b.claudeTitle(l, &t)
		if l.UUID != "" && !l.Sidechain {
			t.add(node{line: n, id: l.UUID, parent: l.Parent, logical: l.Logical, asks: l.Type == "user" && !l.Meta && !l.Compacted && asks(l)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.head.Damaged += long
	if b.head.Title == "" {
		b.head.Title = t.title()
	}
	b.head.Provider = "anthropic"
	gone := t.left()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = eachLine(f, func(n int, line []byte) error {
		var l claudeLine
		if decode(line, &l) && !gone[n] {
			b.claude(l)
		}
		return b.err
	})
	return err
}

// claudeTitle takes what a record says of the session's name: the user's own wins, then that of a summary of this very
// conversation, then what the program suggested.
func (b *builder) claudeTitle(l claudeLine, t *tree) {
	switch {
	case l.Type == "custom-title" && l.Custom != "":
		b.head.Title = l.Custom
	case l.Type == "summary" && l.Summary != "":
		t.titles = append(t.titles, [2]string{l.Leaf, l.Summary})
	case l.Type == "ai-title" && l.Suggestion != "":
		t.suggested = l.Suggestion
	}
}

func (b *builder) claude(l claudeLine) {
	at := instant(l.Timestamp)
	if l.Sidechain {
		return // an agent of its own, which answers the call that started it
	}
	if b.head.Dir == "" {
		b.head.Dir = l.Dir
	}
	switch {
	case l.Type == "user" && l.Compacted:
		text := ""
		for _, p := range claudeParts(l.blocks(), b) {
			if t, ok := p.(engine.Text); ok {
				text += t.Text
			}
		}
		b.summary(text, at)
	case l.Type == "user" && !l.Meta:
		b.claudeUser(l)
	case l.Type == "assistant" && l.Message.Model != synthetic && !l.APIError:
		b.says(l.Message.ID, l.Message.Model, claudeParts(l.blocks(), b), at)
	case l.Type == "user", l.Type == "assistant", slices.Contains(claudeQuiet, l.Type):
	default:
		b.skip(l.Type)
	}
}

// claudeUser takes results, and what the user said beside them.
func (b *builder) claudeUser(l claudeLine) {
	at, said := instant(l.Timestamp), []claudeBlock{}
	for _, k := range l.blocks() {
		if k.Type != "tool_result" {
			said = append(said, k)
			continue
		}
		r := engine.Result{CallID: k.CallID, Text: flat(k.Content), Status: engine.StatusDone}
		if k.IsError {
			r.Status = engine.StatusFailed
		}
		b.result(r, at)
	}
	if parts := claudeParts(said, b); len(parts) > 0 {
		b.user(parts, at)
	}
}

// blocks are the blocks of the message; a bare text is one.
func (l claudeLine) blocks() []claudeBlock { return blocksOf(l.Message.Content) }

func blocksOf(content json.RawMessage) []claudeBlock {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []claudeBlock{{Type: "text", Text: text}}
	}
	var blocks []claudeBlock
	_ = decode(content, &blocks) // what is neither says nothing
	return blocks
}

// asks reports whether a user's record is the user's own words.
func asks(l claudeLine) bool {
	return slices.ContainsFunc(l.blocks(), func(k claudeBlock) bool { return k.Type == "image" || k.Type == "text" && !staged(k.Text) })
}

// staged reports whether a text was put in the user's mouth by the program: commands of its own and what they printed.
func staged(text string) bool {
	for _, p := range []string{"<command-name>", "<command-message>", "<local-command-", "<bash-", "<system-reminder>", "<task-notification>", "[Request interrupted by user"} {
		if strings.HasPrefix(strings.TrimSpace(text), p) {
			return true
		}
	}
	return false
}

// claudeParts are blocks as our parts.
func claudeParts(blocks []claudeBlock, b *builder) (parts engine.Parts) {
	for _, k := range blocks {
		switch k.Type {
		case "text":
			if !staged(k.Text) {
				parts = append(parts, engine.Text{Text: k.Text})
			}
		case "thinking":
			parts = append(parts, engine.Thought{Text: k.Thinking})
		case "redacted_thinking":
		case "tool_use":
			parts = append(parts, engine.Call{ID: k.ID, Name: k.Name, Args: string(bytes.TrimSpace(k.Input))})
		case "image":
			if img, ok := encoded(k.Source.MIME, k.Source.Data); ok {
				parts = append(parts, img)
				continue
			}
			b.skip("image")
		default:
			b.skip("block " + k.Type)
		}
	}
	return parts
}

// flat is the text of a result: a text, or blocks of which pictures are only named.
func flat(content json.RawMessage) string {
	var lines []string
	for _, k := range blocksOf(content) {
		switch {
		case k.Text != "":
			lines = append(lines, k.Text)
		case k.Type != "" && k.Type != "text":
			lines = append(lines, "["+k.Type+"]")
		}
	}
	return strings.Join(lines, "\n")
}
