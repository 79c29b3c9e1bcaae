package responses

import (
	"reflect"
	"testing"

	"talaria/engine/provider"
)

// FuzzPlain: an event that is read in the fast way is the one that encoding/json reads, whatever came before it.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{
		`{"type":"response.output_text.delta","content_index":0,"item_id":"msg_1","logprobs":[],"obfuscation":"x","output_index":1,"delta":" word\n","sequence_number":90}`,
		`{"type":"response.reasoning_summary_text.delta","item_id":"rs_1","output_index":0,"summary_index":2,"delta":"hm"}`,
		`{"type":"response.function_call_arguments.delta","item_id":null,"output_index":null,"delta":"{\"a\":"}`,
		`{"type":"response.x.delta","item_id":"","output_index":1,"output_index":2,"delta":null,"content_index":null}`, `{"type":"response.x.delta","delta":"a"}`, `{"type":"response.completed","item_id":"a","response":{}}`,
		`{"type":"response.x.delta","item_id":"a","output_index":1.0}`, `{"type":"response.x.delta","item_id":"a","Delta":"b"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		one := 1
		for _, before := range []event{{}, {Type: "response.output_text.delta", ItemID: "msg_1", Index: &one, ContentIndex: 4, Delta: "x"}} {
			fast := before
			if !fast.read(raw) {
				continue
			}
			var slow event
			if err := provider.Lenient(raw, &slow); err != nil || !reflect.DeepEqual(fast, slow) {
				t.Errorf("%q\nfast %+v\nslow %+v (%v)", raw, fast, slow, err)
			}
		}
		if one != 1 {
			t.Fatal("an index that an item keeps was written to")
		}
	})
}

func TestTheCommonEventsAreReadTheFastWay(t *testing.T) {
	for _, s := range []string{
		`{"type":"response.output_text.delta","content_index":0,"item_id":"msg_1","logprobs":[],"obfuscation":"x","output_index":1,"delta":" word\n","sequence_number":90}`,
		`{"type":"response.reasoning_summary_text.delta","item_id":"rs_1","output_index":0,"summary_index":2,"delta":"hm"}`,
		`{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":0,"delta":"{\"a\":"}`,
	} {
		if !new(event).read([]byte(s)) {
			t.Errorf("not read: %s", s)
		}
	}
}
