package completions

import (
	"reflect"
	"testing"

	"talaria/engine/provider"
)

// FuzzPlain: a chunk that is read in the fast way is the one that encoding/json reads.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{
		`{"id":"x","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"a\nb"},"logprobs":null,"finish_reason":null}],"usage":null}`,
		`{"choices":[{"delta":{"content":null,"reasoning_content":" However","refusal":null,"tool_calls":null}}],"model":null}`,
		`{"choices":[{"delta":{"reasoning_details":[{"type":"t","text":"x"}],"reasoning":"x"},"finish_reason":"stop","error":{"a":1}}],"error":""}`,
		`{"choices":[{"index":1,"delta":{}},{"index":0,"delta":{"content":"b"}}]}`, `{"choices":[]}`, `{"choices":null}`, `{"choices":[{"delta":{"content":"a"},"delta":{"content":"b"}}]}`,
		`{"choices":[{"delta":{"content":"a"}}],"choices":[{"index":0}]}`, `{"choices":[{"delta":{"Content":"a"}}]}`, `{"choices":[{"delta":{"content":[{"type":"text"}]}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"index":0}]}}]}`, `{"choices":[{"delta":{"content":"a"},"index":-1}]}`, `{"choices":[{"delta":{"content":"a"},"message":{"content":"b"}}],"usage":{"prompt_tokens":1}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var p plain
		fast := p.read(raw, "")
		if fast == nil {
			return
		}
		var slow chunk
		if err := provider.Lenient(raw, &slow); err != nil || !reflect.DeepEqual(*fast, slow) {
			t.Errorf("%q\nfast %+v\nslow %+v (%v)", raw, *fast, slow, err)
		}
	})
}

func TestTheCommonChunksAreReadTheFastWay(t *testing.T) {
	var p plain
	for _, s := range []string{
		`{"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"x"}`,
		`{"choices":[{"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}},"delta":{"content":"a \"word\"\n"},"index":0}],"created":0,"model":"m"}`,
		`{"choices": [{"delta": {"content": null, "reasoning_content": " However", "tool_calls": null}, "finish_reason": null, "index": 0}], "model": "m"}`,
	} {
		if p.read([]byte(s), "") == nil {
			t.Errorf("not read: %s", s)
		}
	}
}
