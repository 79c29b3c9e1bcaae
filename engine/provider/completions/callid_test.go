package completions

import (
	"testing"
	"time"

	"talaria/engine"
)

func TestH11IdsOfAnotherProviderFitMistral(t *testing.T) {
	q := quirks{nineIDs: true}
	seen := map[string]string{}
	for _, id := range []string{"call_00_abcdef0123456789", "toolu_01XvwabcXWkJrR", "functions.add:0", "", "D681PevKs"} {
		wire := q.callID(id)
		if !nineID.MatchString(wire) || seen[wire] != "" {
			t.Errorf("%q became %q", id, wire)
		}
		seen[wire] = id + " "
		if again := q.callID(id); again != wire {
			t.Errorf("%q became %q and then %q", id, wire, again)
		}
		call := callOf(engine.Call{ID: id, Name: "ls", Args: "{}"}, q)
		result := toolMessages(engine.ToolMessage(engine.Result{CallID: id, Text: "x"}, time.Time{}), q)
		if call.ID != result[0].ToolCallID {
			t.Errorf("call %q, result %q", call.ID, result[0].ToolCallID)
		}
	}
	if q.callID("D681PevKs") != "D681PevKs" || (quirks{}).callID("call_1") != "call_1" {
		t.Error("an id that fits was changed")
	}
}
