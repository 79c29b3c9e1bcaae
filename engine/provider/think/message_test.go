package think

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"talaria/engine"
)

func TestAStoredMessageIsScrubbedLikeAStreamedOne(t *testing.T) {
	call := engine.Call{ID: "c", Name: "x", Args: `{"a":"<think>stays</think>"}`}
	m := engine.Message{Role: engine.RoleAssistant, Parts: engine.Parts{engine.Thought{Text: "<think>signed</think>", Signature: "s"}, engine.Text{Text: "<think>secret</think>Hello `<think>`"}, call}}
	want := engine.Parts{engine.Thought{Text: "<think>signed</think>", Signature: "s"}, engine.Thought{Text: "secret"}, engine.Text{Text: "Hello `<think>`"}, call}
	if got := Message(m); !reflect.DeepEqual(got.Parts, want) {
		t.Errorf("%#v", got.Parts)
	}
	user := engine.UserMessage("what does <think> do?</think>", m.At)
	if got := Message(user); !reflect.DeepEqual(got, user) {
		t.Errorf("what the user said was changed: %#v", got)
	}
	all := engine.Message{Role: engine.RoleAssistant, Parts: engine.Parts{engine.Text{Text: "<think>nothing else</think>"}}}
	if got := Message(all); !reflect.DeepEqual(got.Parts, engine.Parts{engine.Thought{Text: "nothing else"}}) {
		t.Errorf("%#v", got.Parts)
	}
}

func TestWhatIsWrittenPlainlyStaysAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching("[a-z<>/ \n`]{0,40}").Draw(t, "text")
		m := engine.Message{Role: engine.RoleAssistant, Parts: engine.Parts{engine.Text{Text: text}}}
		if visible, reasoning := Clean(text); visible == text && reasoning == "" && !reflect.DeepEqual(Message(m), m) {
			t.Fatalf("%q became %#v", text, Message(m).Parts)
		}
	})
}
