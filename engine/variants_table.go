package engine

// The closed sets: what belongs to each, and the name of each in JSON.

func (Text) part()    {}
func (Thought) part() {}
func (Image) part()   {}
func (Call) part()    {}
func (Result) part()  {}
func (Opaque) part()  {}
func (Unknown) part() {}

var partSum = newSum("part", map[string]Part{
	"text": Text{}, "thought": Thought{}, "image": Image{}, "call": Call{}, "result": Result{}, "opaque": Opaque{},
})

func (TextDelta) delta()    {}
func (ThoughtDelta) delta() {}
func (CallDelta) delta()    {}
func (OpaqueDelta) delta()  {}
func (Retry) delta()        {}
func (Done) delta()         {}

var deltaSum = newSum("delta", map[string]Delta{
	"text": TextDelta{}, "thought": ThoughtDelta{}, "call": CallDelta{}, "opaque": OpaqueDelta{}, "retry": Retry{}, "done": Done{},
})

func (Opened) event()    {}
func (Began) event()     {}
func (Stepped) event()   {}
func (Streamed) event()  {}
func (Appended) event()  {}
func (CallBegan) event() {}
func (CallWrote) event() {}
func (CallEnded) event() {}
func (Asked) event()     {}
func (Withdrawn) event() {}
func (Steered) event()   {}
func (Queued) event()    {}
func (Compacted) event() {}
func (Rewound) event()   {}
func (Used) event()      {}
func (Planned) event()   {}
func (Noted) event()     {}
func (Child) event()     {}
func (Ended) event()     {}
func (Unknown) event()   {}

var eventSum = newSum("event", map[string]Event{
	"opened": Opened{}, "began": Began{}, "stepped": Stepped{}, "streamed": Streamed{}, "appended": Appended{},
	"call_began": CallBegan{}, "call_wrote": CallWrote{}, "call_ended": CallEnded{}, "asked": Asked{}, "withdrawn": Withdrawn{},
	"steered": Steered{}, "queued": Queued{}, "compacted": Compacted{}, "rewound": Rewound{}, "used": Used{}, "planned": Planned{}, "noted": Noted{},
	"child": Child{}, "ended": Ended{},
})

func (Submit) op()    {}
func (Steer) op()     {}
func (Queue) op()     {}
func (Interrupt) op() {}
func (Continue) op()  {}
func (Answer) op()    {}
func (RetryNow) op()  {}
func (Compact) op()   {}
func (Open) op()      {}
func (Switch) op()    {}
func (Set) op()       {}
func (Undo) op()      {}
func (Unknown) op()   {}

var opSum = newSum("op", map[string]Op{
	"submit": Submit{}, "steer": Steer{}, "queue": Queue{}, "interrupt": Interrupt{}, "continue": Continue{}, "answer": Answer{},
	"retry_now": RetryNow{}, "compact": Compact{}, "open": Open{}, "switch": Switch{}, "set": Set{}, "undo": Undo{},
})
