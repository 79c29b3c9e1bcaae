package responses

import (
	"encoding/json"
	"reflect"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// begin takes the opening of an item.
func (d *decoder) begin(o output, index *int) {
	it := d.items.byName(o)
	if it != nil && it.done && it.mayBeAt(index) {
		return // announced once more
	}
	if it == nil || it.done {
		it = d.items.open(o.Type, o.ID, index)
	}
	it.phase = o.Phase
	if it.kind == typeCall {
		it.begun = provider.Arguments(o.Arguments)
		d.announce(it, o)
	}
}

// announce tells the id and name of a call as soon as the server does.
func (d *decoder) announce(it *item, o output) {
	if it.callID == "" {
		it.callID = o.CallID
	}
	if it.name == "" {
		it.name = o.Name
	}
	if head := it.head(); head.ID != "" || head.Name != "" {
		d.Emit(head)
	}
}

// say tells visible text of part n of a message.
func (d *decoder) say(it *item, n int, text string) {
	if text == "" {
		return
	}
	if !d.Hold(len(text)) {
		return
	}
	it.textPart = n
	it.text.WriteString(text)
	d.Emit(engine.TextDelta{Text: text})
}

// What may be taken for the reasoning of an item: servers send its text, a summary of it, or both.
const (
	thoughtText    = "text"
	thoughtSummary = "summary"
)

// think tells reasoning. Its parts, and one item after another, are set apart by a blank line.
func (d *decoder) think(it *item, kind string, n int, text string) {
	if text == "" || it.thought != "" && it.thought != kind {
		return
	}
	if it.thought == "" && d.thinking || it.thought != "" && it.thoughtPart != n {
		text = "\n\n" + text
	}
	it.thought, it.thoughtPart = kind, n
	d.Emit(engine.ThoughtDelta{Text: text})
}

// thinkOnce tells a part of the reasoning that comes whole, unless it streamed.
func (d *decoder) thinkOnce(it *item, kind string, n int, text string) {
	if it.thought == "" || it.thoughtPart < n {
		d.think(it, kind, n, text)
	}
}

// argue tells a fragment of a call's arguments.
func (d *decoder) argue(it *item, args string) {
	if args == "" {
		return
	}
	it.args.WriteString(args)
	head := it.head()
	head.Args = args
	d.Emit(head)
}

// settle takes the whole arguments of a call: what did not stream of them is told now.
func (d *decoder) settle(it *item, whole string) {
	sent := it.args.String()
	rest, grows := strings.CutPrefix(whole, sent)
	switch {
	case grows:
		d.argue(it, rest)
	case whole != "" && !sameJSON(sent, whole):
		d.Fail(d.Broken("the arguments of a call came in two versions", nil))
	}
}

// sameJSON reports whether a and b are the same value, spelled in two ways.
func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// complete takes an item that the server sent whole. What did not stream of it is told, and what has to go back kept.
func (d *decoder) complete(it *item, o output) {
	if it.done {
		return
	}
	it.done, it.status = true, o.Status
	if o.Phase != "" {
		it.phase = o.Phase
	}
	switch o.Type {
	case typeMessage:
		d.completeMessage(it, o)
	case typeReasoning:
		d.completeReasoning(it, o)
	case typeCall:
		d.announce(it, o)
		d.settle(it, provider.Arguments(o.Arguments))
	default:
		d.keep(o.Type, o.raw) // run by the server, or of a kind that is never asked for: not ours to run
	}
}

func (d *decoder) completeMessage(it *item, o output) {
	var text, refusal strings.Builder
	for _, c := range contents(o.Content) {
		text.WriteString(c.Text)
		refusal.WriteString(c.Refusal)
	}
	if rest, grows := strings.CutPrefix(text.String(), it.text.String()); grows {
		d.say(it, it.textPart, rest)
	}
	if it.refusal.Len() == 0 {
		it.refusal.WriteString(refusal.String())
	}
	l := label{o.ID, it.phase}
	if d.unsealed {
		l.ID = "" // the server ties a message's id to reasoning that cannot go back with it
	}
	if it.text.Len() > 0 && l != (label{}) {
		d.keep(kindMessage, l)
	}
}

func (d *decoder) completeReasoning(it *item, o output) {
	for n, c := range contents(o.Summary) {
		d.thinkOnce(it, thoughtSummary, n, c.Text)
	}
	for n, c := range contents(o.Content) {
		d.thinkOnce(it, thoughtText, n, c.Text)
	}
	if o.Encrypted == "" {
		d.unsealed = true
		return
	}
	d.keep(kindReasoning, o.raw)
}

func (d *decoder) keep(kind string, what any) {
	if o, ok := d.from.keep(kind, what); ok {
		d.Emit(engine.OpaqueDelta{Opaque: o})
	}
}
