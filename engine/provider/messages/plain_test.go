package messages

import (
	"reflect"
	"testing"

	"talaria/engine/provider"
)

// FuzzPlain: an event that is read in the fast way is the one that encoding/json reads, whatever came before it.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{
		`{"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":" a\nb"}      }`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"},"delta":{"type":"x","text":null}}`,
		`{"type":null,"delta":{"type":"a"}}`, `{"delta":{"type":"a"}}`, `{"type":"a","delta":{}}`, `{"type":"a","delta":{"type":"b","signature":"c"}}`, `{"Type":"a","delta":{"type":"b"}}`,
		`{"type":"message_delta","delta":{"type":"x","text":"\u0041"},"usage":{"output_tokens":3}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, before := range []event{{}, {Type: "content_block_delta", Index: 7, Delta: delta{Type: "text_delta", Text: "x"}}} {
			fast := before
			if !fast.read(raw) {
				continue
			}
			var slow event
			if err := provider.Lenient(raw, &slow); err != nil || !reflect.DeepEqual(fast, slow) {
				t.Errorf("%q\nfast %+v\nslow %+v (%v)", raw, fast, slow, err)
			}
		}
	})
}

func TestTheCommonEventsAreReadTheFastWay(t *testing.T) {
	for _, s := range []string{
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" \"word\"\n"}   }`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm","estimated_tokens":3}}`,
	} {
		if !new(event).read([]byte(s)) {
			t.Errorf("not read: %s", s)
		}
	}
}
