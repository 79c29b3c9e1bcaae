package engine

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// fill gives every field of v a value that is not its zero, so that a field which the codec forgets is seen.
func fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("text <&> ✓")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint64, reflect.Uint8:
		v.SetUint(7)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth)
	case reflect.Slice:
		fillSlice(v, depth)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Date(2026, 11, 30, 20, 15, 0, 123456789, time.UTC)))
			return
		}
		for i := range v.NumField() {
			if tag := v.Type().Field(i).Tag.Get("json"); tag != "-" {
				fill(v.Field(i), depth+1)
			}
		}
	case reflect.Interface:
		fillInterface(v)
	}
}

func fillSlice(v reflect.Value, depth int) {
	switch {
	case v.Type() == reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(`{"k":[1,"x"]}`))
	case v.Type() == reflect.TypeFor[Parts]():
		v.Set(reflect.ValueOf(Parts{Text{"t"}, Thought{"th", "sig=="}, Call{"c", "n", `{"a":1}`, json.RawMessage(`{"s":"AbC=="}`)}, Result{CallID: "c", Text: "r"}}))
	default:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth+1)
	}
}

func fillInterface(v reflect.Value) {
	switch v.Type() {
	case reflect.TypeFor[Delta]():
		v.Set(reflect.ValueOf(TextDelta{"x"}))
	case reflect.TypeFor[Event]():
		v.Set(reflect.ValueOf(Noted{NoteInfo, "inner"}))
	}
}

func filled[T any](sample T) T {
	v := reflect.New(reflect.TypeOf(sample))
	fill(v.Elem(), 0)
	return v.Elem().Interface().(T)
}

func TestEveryEventSurvivesTheJournal(t *testing.T) {
	for name, typ := range eventSum.types {
		e := filled(reflect.Zero(typ).Interface().(Event))
		r := Record{Seq: 9, At: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), Event: e}
		line, err := EncodeRecord(r)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !json.Valid(line) || !strings.HasPrefix(string(line), `{"seq":9,"at":"2026-01-02T03:04:05.000000006Z","type":"`+name+`"`) {
			t.Errorf("%s: %s", name, line)
		}
		back, err := DecodeRecord(line)
		if err != nil || !reflect.DeepEqual(back.Event, e) || back.Seq != 9 || !back.At.Equal(r.At) {
			t.Errorf("%s came back as %#v, %v; want %#v", name, back.Event, err, e)
		}
	}
}

func TestEveryOpSurvivesTheJournal(t *testing.T) {
	for name, typ := range opSum.types {
		o := filled(reflect.Zero(typ).Interface().(Op))
		line, err := EncodeRecord(Record{Seq: 1, Op: o})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		back, err := DecodeRecord(line)
		if err != nil || !reflect.DeepEqual(back.Op, o) || back.Event != nil {
			t.Errorf("%s came back as %#v, %v", name, back, err)
		}
	}
}

func TestEveryPartSurvivesAMessage(t *testing.T) {
	for name, typ := range partSum.types {
		m := filled(Message{})
		m.Parts = Parts{filled(reflect.Zero(typ).Interface().(Part))}
		b, err := Marshal(m)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var back Message
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, m) {
			t.Errorf("%s came back as %#v, %v", name, back, err)
		}
	}
}

func TestEveryDeltaSurvivesAnEvent(t *testing.T) {
	for name, typ := range deltaSum.types {
		e := Streamed{filled(reflect.Zero(typ).Interface().(Delta))}
		b, err := EncodeEvent(e)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if back, err := DecodeEvent(b); err != nil || !reflect.DeepEqual(back, e) {
			t.Errorf("%s came back as %#v, %v", name, back, err)
		}
	}
}

func TestWhatALaterVersionWroteIsKeptAsItWas(t *testing.T) {
	line := []byte(`{"seq":4,"at":"2026-01-02T03:04:05Z","type":"dreamt","sheep":[1,2]}`)
	r, err := DecodeRecord(line)
	u, ok := r.Event.(Unknown)
	if err != nil || !ok || u.Type != "dreamt" {
		t.Fatalf("%#v %v", r, err)
	}
	if back, _ := EncodeRecord(r); string(back) != string(line) {
		t.Errorf("written back as %s", back)
	}
	var p Parts
	parts := `[{"type":"text","text":"a"},{"type":"smell","of":"rain"}]`
	if err := json.Unmarshal([]byte(parts), &p); err != nil {
		t.Fatal(err)
	}
	if b, _ := p.MarshalJSON(); string(b) != parts {
		t.Errorf("parts written back as %s", b)
	}
}

func FuzzDecodeRecord(f *testing.F) {
	f.Add([]byte(`{"seq":1,"at":"2026-01-02T03:04:05Z","type":"appended","message":{"parts":[{"type":"text","text":"x"}]}}`))
	f.Add([]byte(`{"type":"submit","text":"x"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := DecodeRecord(line)
		if err != nil {
			return
		}
		r.Raw = nil
		again, err := EncodeRecord(r)
		if err != nil {
			t.Fatalf("decoded %q but cannot encode it: %v", line, err)
		}
		if _, err := DecodeRecord(again); err != nil {
			t.Fatalf("%q became %q, which does not decode: %v", line, again, err)
		}
	})
}
