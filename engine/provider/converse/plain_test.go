package converse

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"

	"talaria/engine/provider"
)

// FuzzPlain: a payload that is read in the fast way is the one that encoding/json reads, and a frame the one that the SDK
// reads.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{
		`{"contentBlockIndex":3,"delta":{"text":" a\nb"},"p":"abcdef"}`,
		`{"contentBlockIndex":0,"delta":{"toolUse":{"input":"{\"a\":"}}}`,
		`{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"hm"}},"p":"a"}`,
		`{"delta":{"toolUse":{"input":{"a":1}}}}`, `{"contentblockindex":3}`, `{"delta":null}`, `{"delta":{"toolUse":{}}}`, `{"delta":{"text":"a","text":null}}`,
		`{"contentBlockIndex":0,"delta":{"toolUse":{"input":"a"},"toolUse":{"input":"b"}}}`, `{"stopReason":"end_turn"}`,
	} {
		f.Add([]byte(s), "contentBlockDelta")
	}
	f.Fuzz(func(t *testing.T, raw []byte, name string) {
		var fast, slow event
		if fast.read(raw) {
			if err := provider.Lenient(raw, &slow); err != nil || !reflect.DeepEqual(fast, slow) {
				t.Errorf("%q\nfast %+v\nslow %+v (%v)", raw, fast, slow, err)
			}
		}
		m := eventstream.Message{Payload: raw}
		m.Headers.Set(":event-type", eventstream.StringValue(name))
		m.Headers.Set(":content-type", eventstream.StringValue("application/json"))
		m.Headers.Set(":message-type", eventstream.StringValue("event"))
		var b bytes.Buffer
		if len(name) > 1000 || eventstream.NewEncoder().Encode(&b, m) != nil {
			t.Skip()
		}
		whole := b.Bytes()
		headers := len(whole) - len(raw) - leastFrame
		got, ok := plainFrame(whole, headers)
		if known([]byte(name)) != "" != ok {
			t.Fatalf("%q is read the fast way: %v", name, ok)
		}
		if ok && (got.kind != "event" || got.name != name || !bytes.Equal(got.payload, raw)) {
			t.Errorf("%q became %+v", raw, got)
		}
		if len(raw) > 0 {
			whole[preludeSize+headers] ^= 1
			if _, ok := plainFrame(whole, headers); ok {
				t.Error("a frame with a wrong checksum is read")
			}
		}
	})
}

func TestTheCommonPiecesAreReadTheFastWay(t *testing.T) {
	for _, s := range []string{
		`{"contentBlockIndex":0,"delta":{"text":" \"word\"\n"},"p":"abcdefghij"}`,
		`{"contentBlockIndex":1,"delta":{"toolUse":{"input":"{\"a\":"}},"p":"ab"}`,
		`{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"hm"}},"p":"abcde"}`,
	} {
		if !new(event).read([]byte(s)) {
			t.Errorf("not read: %s", s)
		}
	}
}
