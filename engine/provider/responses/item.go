package responses

import (
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// The types of item that a reply is made of. All others are kept and not understood.
const (
	typeMessage   = "message"
	typeReasoning = "reasoning"
	typeCall      = "function_call"
)

// maxItems is how many items one reply may have.
const maxItems = 4 * provider.MaxCalls

// item is one item of the reply while it comes in.
type item struct {
	kind, id string
	index    *int // where it stands in the output, nil when the server does not say
	status   string
	phase    string
	done     bool // the server sent it whole
	matched  bool // it was found in the terminal event

	text     strings.Builder // what was told of a message
	textPart int             // the part of the message that was told last, -1 for none
	refusal  strings.Builder

	thought     string // what is taken for the reasoning, its summary or its text: the first that came
	thoughtPart int

	place            int // among the calls
	callID, name     string
	toldID, toldName bool
	begun            string // arguments that came with the opening of the call
	argued           bool   // the server said that the arguments are whole
	args             strings.Builder
}

// items are the items of one reply in the order of their appearance.
type items struct {
	all   []*item
	calls int
}

func (s *items) open(kind, id string, index *int) *item {
	it := &item{kind: kind, id: id, index: index, textPart: -1}
	if kind == typeCall {
		it.place = s.calls
		s.calls++
	}
	s.all = append(s.all, it)
	return it
}

// newest returns the last item that ok accepts.
func (s *items) newest(ok func(*item) bool) *item {
	for i := len(s.all) - 1; i >= 0; i-- {
		if ok(s.all[i]) {
			return s.all[i]
		}
	}
	return nil
}

// find returns the item that an event belongs to, nil when it is a new one. The id decides; but some servers make
// another id for every event, and then the place does; without one, it is the newest that is not done.
func (s *items) find(kind, id string, index *int) *item {
	if id != "" {
		if it := s.newest(func(it *item) bool { return it.kind == kind && it.id == id }); it != nil {
			return it
		}
	}
	return s.newest(func(it *item) bool {
		return it.kind == kind && !it.done && it.mayBeAt(index)
	})
}

// mayBeAt reports whether it stands at index; not every server says where.
func (it *item) mayBeAt(index *int) bool {
	return index == nil || it.index == nil || *index == *it.index
}

// of returns the item that an event with a delta goes on with, opening it when nothing announced it.
func (s *items) of(kind string, ev *event) *item {
	if it := s.find(kind, ev.ItemID, ev.Index); it != nil {
		return it
	}
	return s.open(kind, ev.ItemID, ev.Index)
}

// finished returns the item that o is the whole of; it opens one that did not stream.
func (s *items) finished(o output, index *int) *item {
	it := s.byName(o)
	if it == nil {
		it = s.newest(func(it *item) bool {
			return it.kind == o.Type && !it.done && !it.otherCall(o) && it.mayBeAt(index)
		})
	}
	if it == nil {
		it = s.open(o.Type, o.ID, index)
	}
	return it
}

// byName finds the item of o by its id, or a call by its call's id.
func (s *items) byName(o output) *item {
	return s.newest(func(it *item) bool {
		return it.kind == o.Type && (o.ID != "" && it.id == o.ID && !it.otherCall(o) || o.CallID != "" && it.callID == o.CallID)
	})
}

// otherCall reports that it is a call and o another one, whatever else they have in common.
func (it *item) otherCall(o output) bool {
	return it.callID != "" && o.CallID != "" && it.callID != o.CallID
}

// pair finds for each item of the terminal event the one that streamed: by name; else, since ids may change, by place;
// else in order. What did not stream gets an item of its own.
func (s *items) pair(all []output) []*item {
	found := make([]*item, len(all))
	take := func(i int, it *item) {
		if it != nil {
			found[i], it.matched = it, true
		}
	}
	for i, o := range all {
		if it := s.byName(o); it != nil && !it.matched {
			take(i, it)
		}
	}
	for _, ordered := range []bool{false, true} {
		for i, o := range all {
			if found[i] != nil {
				continue
			}
			for _, it := range s.all {
				if it.kind == o.Type && !it.matched && !it.otherCall(o) && (ordered || it.index != nil && *it.index == i) {
					take(i, it)
					break
				}
			}
		}
	}
	for i, o := range all {
		if found[i] == nil {
			take(i, s.open(o.Type, o.ID, nil))
		}
	}
	return found
}

// head is a delta of a call with what was not told yet of its id and name.
func (it *item) head() engine.CallDelta {
	d := engine.CallDelta{Index: it.place}
	if !it.toldName && it.name != "" {
		d.Name, it.toldName = it.name, true
	}
	if !it.toldID && it.callID != "" && it.toldName {
		d.ID, it.toldID = it.callID, true
	}
	return d
}

// cut reports whether it is a call that the server did not finish, or whose arguments broke off.
func (it *item) cut() bool {
	switch {
	case it.kind != typeCall:
		return false
	case !it.done && !it.argued && it.args.Len() == 0:
		return true
	case it.status == "in_progress", it.status == "incomplete", it.status == "queued":
		return true
	}
	return provider.Truncated(it.args.String())
}
