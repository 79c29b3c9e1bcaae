package converse

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"talaria/engine/provider"
)

// reply is the answer of /converse.
type reply struct {
	Output struct {
		Message *struct {
			Content []json.RawMessage `json:"content"`
		} `json:"message"`
	} `json:"output"`
	StopReason string `json:"stopReason"`
	Usage      *usage `json:"usage"`
}

// wholeBlock is a content block that came at once.
type wholeBlock struct {
	Text    string `json:"text"`
	ToolUse *struct {
		toolUseStart
		Input json.RawMessage `json:"input"`
	} `json:"toolUse"`
	Reasoning *struct {
		Text struct {
			Text      string `json:"text"`
			Signature string `json:"signature"`
		} `json:"reasoningText"`
		Redacted []byte `json:"redactedContent"`
	} `json:"reasoningContent"`
	Citations struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	} `json:"citationsContent"`
}

// text reads an answer that is no stream: a whole reply, an error, or a web page.
func (d *decoder) text(r *bufio.Reader) {
	body, err := io.ReadAll(io.LimitReader(r, provider.MaxLine))
	trimmed := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	switch {
	case len(trimmed) > 0 && trimmed[0] == '<':
		d.Fail(d.Page(trimmed))
	case err != nil:
		d.some = len(trimmed) > 0
		d.End(err)
	case len(trimmed) == 0:
		d.End(io.EOF)
	default:
		d.whole(trimmed)
	}
}

func (d *decoder) whole(body []byte) {
	var in reply
	if err := provider.Lenient(body, &in); err != nil {
		d.Fail(d.Broken("it is neither an event stream nor valid JSON: "+err.Error(), nil))
		return
	}
	if in.Output.Message == nil && in.StopReason == "" {
		d.Fail(d.Said(body, "the answer holds neither a reply nor an error"))
		return
	}
	d.count(in.Usage)
	if in.Output.Message != nil {
		for i, raw := range in.Output.Message.Content {
			var b wholeBlock
			if err := provider.Lenient(raw, &b); err != nil {
				d.Fail(d.Broken("a piece of it is not valid: "+err.Error(), nil))
				return
			}
			d.wholeBlock(i, b)
		}
	}
	d.reason, d.Ended, d.some = in.StopReason, true, true
	d.End(io.EOF)
}

// wholeBlock tells a block the way the stream would.
func (d *decoder) wholeBlock(i int, b wholeBlock) {
	if b.ToolUse != nil {
		d.start(i, &b.ToolUse.toolUseStart)
	}
	var in deltaBlock
	in.Text = b.Text
	for _, c := range b.Citations.Content {
		in.Text += c.Text
	}
	if u := b.ToolUse; u != nil {
		in.ToolUse = &inputDelta{u.Input}
	}
	if r := b.Reasoning; r != nil {
		in.Reasoning = &thoughtDelta{r.Text.Text, r.Text.Signature, r.Redacted}
	}
	d.delta(i, in)
	d.close(i)
}
