package provider_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
)

func fixable() engine.Request {
	return engine.Request{
		Route: engine.Route{Model: "m", Effort: "high"}, System: "be\x00 kind", MaxTokens: 4000,
		Tools: []engine.Spec{{Name: "grep", Schema: json.RawMessage(`{"type":"object","title":"In","properties":{"pattern":{"type":"string","pattern":"^a+$"},"n":{"type":"integer","maximum":12345678901234567890}},"required":["pattern"]}`)}},
		Messages: []engine.Message{
			{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: "look\x1b[0m"}, engine.Image{Name: "a.png", MIME: "image/png", Data: []byte("large picture")}}},
			{Role: engine.RoleAssistant, Parts: engine.Parts{engine.Thought{Text: "sealed", Signature: "S"}, engine.Thought{Text: "open"},
				engine.Opaque{Mode: engine.CodexResponses, Kind: "reasoning", Data: json.RawMessage(`{}`)},
				engine.Call{ID: "c", Name: "grep", Args: `{"pattern":"\ud83d"}`, Extra: json.RawMessage(`{"sig":1}`)}}},
			{Role: engine.RoleTool, Parts: engine.Parts{engine.Result{CallID: "c", Text: "bell\a\nnext"}}},
			{Role: engine.RoleAssistant, Parts: engine.Parts{engine.Thought{Text: "only a sealed thought", Signature: "S"}}},
		},
	}
}

// untouched fails when the fix changed what it was given: the history belongs to the session.
func untouched(t *testing.T, r engine.Request) {
	t.Helper()
	if !reflect.DeepEqual(r, fixable()) {
		t.Errorf("the request that was given changed: %+v", r)
	}
}

func TestARefusedSignatureIsTakenOutWithAllThatIsSealed(t *testing.T) {
	r := fixable()
	out, changed := provider.StripSignatures(r)
	untouched(t, r)
	want := engine.Parts{engine.Thought{Text: "open"}, engine.Call{ID: "c", Name: "grep", Args: `{"pattern":"\ud83d"}`}}
	if !changed || !reflect.DeepEqual(out.Messages[1].Parts, want) || len(out.Messages) != 3 {
		t.Errorf("changed %v, %+v", changed, out.Messages)
	}
	if again, changed := provider.StripSignatures(out); changed || !reflect.DeepEqual(again.Messages, out.Messages) {
		t.Errorf("a second time it says %v", changed)
	}
}

func TestTheOutputCapGoesDownToWhatTheServerHasRoomFor(t *testing.T) {
	for _, c := range []struct{ asked, room, want int }{
		{4000, 2064, 2000}, {0, 5064, 5000}, {4000, 0, 2000}, {0, 0, 8192}, {4000, 9000, 4000}, {4000, 100, 0}, {300, 0, 0},
	} {
		out, changed := provider.LowerCap(engine.Request{MaxTokens: c.asked}, c.room)
		if changed != (c.want > 0) || changed && (out.MaxTokens != c.want || !out.HardCap) {
			t.Errorf("%+v: %v %d %v", c, changed, out.MaxTokens, out.HardCap)
		}
	}
	if _, changed := provider.LowerCap(engine.Request{MaxTokens: 4000, HardCap: true}, 9000); changed {
		t.Error("a cap that stands already is lowered for ever")
	}
}

func TestAPictureThatIsTooLargeIsMadeSmallerOrLeftOutWithAWord(t *testing.T) {
	r := fixable()
	small := func([]byte) ([]byte, string, error) { return []byte("small"), "image/jpeg", nil }
	out, changed := provider.ShrinkImages(r, small)
	untouched(t, r)
	if p, ok := out.Messages[0].Parts[1].(engine.Image); !changed || !ok || string(p.Data) != "small" || p.MIME != "image/jpeg" {
		t.Errorf("changed %v: %+v", changed, out.Messages[0].Parts)
	}
	for name, fit := range map[string]provider.Fit{"nobody can": nil,
		"damaged": func([]byte) ([]byte, string, error) { return nil, "", errors.New("damaged") },
		"as is":   func(d []byte) ([]byte, string, error) { return d, "image/png", nil }} {
		out, changed := provider.ShrinkImages(r, fit)
		if text, ok := out.Messages[0].Parts[1].(engine.Text); !changed || !ok || !strings.Contains(text.Text, "a.png was left out") {
			t.Errorf("%s: changed %v: %+v", name, changed, out.Messages[0].Parts)
		}
	}
	if _, changed := provider.ShrinkImages(engine.Request{Messages: r.Messages[1:]}, nil); changed {
		t.Error("there was no picture, and something changed")
	}
}

func TestAStrictServerGetsNothingBesideTheProtocol(t *testing.T) {
	r := fixable()
	out, changed := provider.Sanitise(r, "invalid request")
	untouched(t, r)
	call := out.Messages[1].Parts[3].(engine.Call)
	if !changed || out.System != "be kind" || out.Messages[0].Text() != "look[0m" || call.Extra != nil || call.Args != `{"pattern":"\ufffd"}` ||
		out.Messages[2].Results()[0].Text != "bell\nnext" {
		t.Errorf("changed %v: %q %+v", changed, out.System, out.Messages)
	}
	if got := string(out.Tools[0].Schema); got != `{"properties":{"n":{"type":"integer"},"pattern":{"type":"string"}},"required":["pattern"],"type":"object"}` {
		t.Errorf("schema %s", got)
	}
	if out.Messages[1].Parts[0] != r.Messages[1].Parts[0] || out.Route.Effort != "high" || out.MaxTokens != 4000 {
		t.Errorf("more changed than had to: %+v", out)
	}
	if _, changed := provider.Sanitise(out, "invalid request"); changed {
		t.Error("a clean request is asked again")
	}
}

func TestTheFieldThatAServerNamesIsDropped(t *testing.T) {
	clean, _ := provider.Sanitise(fixable(), "")
	for told, fine := range map[string]func(engine.Request) bool{
		"Unsupported parameter: 'reasoning_effort'":       func(r engine.Request) bool { return r.Route.Effort == provider.EffortOff },
		"Unsupported parameter: 'max_tokens'":             func(r engine.Request) bool { return r.MaxTokens == 0 },
		"extra inputs are not permitted: cache_control":   func(r engine.Request) bool { return r.Cache == engine.CacheOff },
		"unknown field: stream_options":                   func(r engine.Request) bool { return r.NoStream },
		"This model does not support image input":         func(r engine.Request) bool { return strings.Contains(r.Messages[0].Text(), "was left out") },
		"messages.0.content: Image URLs are not allowed.": func(r engine.Request) bool { return len(r.Messages[0].Parts) == 2 },
	} {
		if out, changed := provider.Sanitise(clean, told); !changed || !fine(out) {
			t.Errorf("%s: changed %v, %+v", told, changed, out)
		}
	}
}

func TestEveryFixHasItsFunction(t *testing.T) {
	e := &engine.Error{Message: "no", Room: 3000}
	for _, f := range []engine.Fix{engine.FixSanitise, engine.FixLowerCap, engine.FixStripSignatures, engine.FixShrinkImages} {
		if _, changed := provider.Fix(f, fixable(), e, nil); !changed {
			t.Errorf("%s changes nothing", f)
		}
	}
	for _, f := range []engine.Fix{engine.FixNone, engine.FixReduceTier} {
		if out, changed := provider.Fix(f, fixable(), e, nil); changed || !reflect.DeepEqual(out, fixable()) {
			t.Errorf("%q changes something", f)
		}
	}
}
