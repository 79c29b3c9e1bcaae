package classify

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
)

// told is the error of a server that answers 400 with this text.
func told(text string) *engine.Error {
	b, err := engine.Marshal(map[string]any{"error": map[string]any{"message": text}})
	if err != nil {
		panic(err)
	}
	return Error(failed(400, string(b)))
}

func TestE02TheRealWindowIsLearntFromTheStructuredError(t *testing.T) {
	e := Error(failed(400, `{"error":{"code":400,"message":"request (124315 tokens) exceeds the available context size (123904 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":124315,"n_ctx":123904}}`))
	if e.Window != 123904 || e.Room != 0 {
		t.Errorf("window %d, room %d", e.Window, e.Room)
	}
	// an older server gives the number only as a field
	e = Error(failed(400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_ctx":8192}}`))
	if e.Window != 8192 {
		t.Errorf("window %d, want 8192", e.Window)
	}
}

func TestE02TheLoopSeesTheWindowThroughTheWrapper(t *testing.T) {
	p := Wrap(failing{failed(400, `{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}`)}, "anthropic", "a-secret-key")
	for _, err := range p.Stream(t.Context(), engine.Request{}) {
		var e *engine.Error
		if !errors.As(err, &e) || e.Window != 200000 {
			t.Errorf("got %#v", err)
		}
	}
}

type failing struct{ err error }

func (f failing) Stream(context.Context, engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) { yield(nil, f.err) }
}

func TestE05TheRoomIsWhatTheInputLeaves(t *testing.T) {
	a := told("This endpoint's maximum context length is 262144 tokens. However, you requested about 264896 tokens (52139 of text input, 12757 of tool input, 200000 in the output). Please reduce the length of either one.")
	if a.Reason != engine.ReasonMaxTokensTooLarge || a.Window != 262144 || a.Room != 262144-64896 {
		t.Errorf("A: %s, window %d, room %d; want room 197248", a.Reason, a.Window, a.Room)
	}
	b := told("This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens.")
	if b.Reason != engine.ReasonContextOverflow || b.Window != 262144 || b.Room != 0 {
		t.Errorf("B: %s, window %d, room %d", b.Reason, b.Window, b.Room)
	}
}

// The server stopped counting at the first token that did not fit: 134145 = 262145 - 128000, whatever the input is.
func TestE05AnInputThatIsAtLeastSoLargeLeavesNoRoomToName(t *testing.T) {
	e := told("This model's maximum context length is 262144 tokens. However, you requested 128000 output tokens and your prompt contains at least 134145 input tokens, for a total of at least 262145 tokens.")
	if e.Reason != engine.ReasonMaxTokensTooLarge || e.Window != 262144 || e.Room != 0 {
		t.Errorf("%s, window %d, room %d", e.Reason, e.Window, e.Room)
	}
}

func TestE05EveryServersWordsGiveTheirNumbers(t *testing.T) {
	const over, capped, large = engine.ReasonContextOverflow, engine.ReasonMaxTokensTooLarge, engine.ReasonPayloadTooLarge
	for _, c := range []struct {
		text         string
		reason       engine.Reason
		window, room int
	}{
		{"prompt is too long: 210000 tokens > 200000 maximum", over, 200000, 0},
		{"input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again", capped, 200000, 11760},
		{"This model's maximum context length is 4,097 tokens. However, you requested 5,000 tokens (1,000 in the messages, 4,000 in the completion).", capped, 4097, 3097},
		{"This model's maximum context length is 4097 tokens. However, you requested 9000 tokens (5000 in the messages, 4000 in the completion).", over, 4097, 0},
		{"This model's maximum context length is 4097 tokens, however you requested 6539 tokens (6283 in your prompt; 256 for the completion).", over, 4097, 0},
		{"This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens.", over, 8192, 0},
		{"This model's maximum context length is 2048 tokens. However, your request has 8 input tokens plus 2045 'max_tokens'. Please reduce one or the other.", capped, 2048, 2040},
		{"'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 2048 tokens and your request has 1000 input tokens (4096 > 2048 - 1000).", capped, 2048, 1048},
		{"Requested token count exceeds the model's maximum context length of 202752 tokens. You requested a total of 202941 tokens: 170941 tokens from the input messages and 32000 tokens for the completion.", capped, 202752, 31811},
		{"The decoder prompt (length 5000) is longer than the maximum model length of 4096.", over, 4096, 0},
		{"The prompt (total length 25938) is too long to fit into the model (context length 4096). Make sure that `max_model_len` is no smaller than the number of text tokens.", over, 4096, 0},
		{"prompt exceeds max_model_len (32768)", over, 32768, 0},
		{"The input (61709 tokens) is longer than the model's context length (40960 tokens).", over, 40960, 0},
		{"Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).", over, 59862, 0},
		{"Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough.", over, 32768, 0},
		{"Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)", over, 7424, 0},
		{"The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length", over, 0, 0},
		{"The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).", over, 1048576, 0},
		{"This model's maximum prompt length is 131072 but the request contains 537812 tokens.", over, 131072, 0},
		{"prompt token count of 140000 exceeds the limit of 128000", over, 128000, 0},
		{"Your request exceeded model token limit: 131072 (requested: 200000)", over, 131072, 0},
		{"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length", over, 32768, 0},
		{"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 3000 `inputs` tokens and 2000 `max_new_tokens`", capped, 4097, 1097},
		{"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]", over, 98304, 0},
		{"Range of max_tokens should be [1, 8192]", capped, 0, 8192},
		{"max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens for this model", capped, 0, 64000},
		{"max_tokens is too large: 200000. This model supports at most 16384 completion tokens, whereas you provided 200000.", capped, 0, 16384},
		{"Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", capped, 0, 8192},
		{"`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model", capped, 0, 8192},
		{"The maximum tokens you requested exceeds the model limit of 8192. Try again with a maximum tokens value that is lower than 8192.", capped, 0, 8192},
		{"Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive).", capped, 0, 65536},
		{"Your input exceeds the context window of this model. Please adjust your input and try again.", over, 0, 0},
	} {
		e := told(c.text)
		if e.Reason != c.reason || e.Window != c.window || e.Room != c.room {
			t.Errorf("%s\n got %s, window %d, room %d; want %s, %d, %d", c.text, e.Reason, e.Window, e.Room, c.reason, c.window, c.room)
		}
	}
	if e := Error(failed(413, `{"error":{"code":"tokens_limit_reached","message":"Request body too large for gpt-4o model. Max size: 8000 tokens."}}`)); e.Reason != large || e.Window != 8000 {
		t.Errorf("GitHub Models: %s, window %d", e.Reason, e.Window)
	}
}

func TestNumbersThatAreNoWindowTeachNothing(t *testing.T) {
	// a limit per minute, a wrong number of vLLM 0.15, a number no model has, a rate limit
	for status, text := range map[int]string{
		429: "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 40000. The input or output tokens must be reduced in order to run successfully.",
		400: "This model's maximum context length is 3 tokens. However, your request has 8 input tokens.",
		500: "maximum context length is 99999999999999999999999 tokens",
	} {
		b, _ := engine.Marshal(map[string]any{"error": map[string]any{"message": text}})
		if e := Error(failed(status, string(b))); e.Window != 0 || e.Room != 0 {
			t.Errorf("%d %s: window %d, room %d", status, text, e.Window, e.Room)
		}
	}
	if e := Error(failed(429, `{"error":{"message":"Rate limit reached; limit: n_ctx 4096"}}`)); e.Window != 0 {
		t.Errorf("a rate limit taught a window of %d", e.Window)
	}
}

func TestRecordedOverflowsTellTheirWindow(t *testing.T) {
	dir := fixtures(t)
	for id, window := range map[string]int{"cc-openrouter-error400-01": 200000, "cc-deepseek-error400-01": 1048565} {
		var rec struct {
			Status int
			Body   string
		}
		readJSON(t, filepath.Join(dir, "recorded", id+".json"), &rec)
		if e := Error(failed(rec.Status, rec.Body)); e.Window != window || e.Reason != engine.ReasonContextOverflow {
			t.Errorf("%s: %s, window %d, want %d", id, e.Reason, e.Window, window)
		}
	}
	// no recorded error of another kind teaches a window
	all, err := os.ReadDir(filepath.Join(dir, "recorded"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range all {
		b, err := os.ReadFile(filepath.Join(dir, "recorded", entry.Name()))
		var rec struct {
			Status int
			Body   string
		}
		if err != nil || json.Unmarshal(b, &rec) != nil || rec.Status < 400 {
			continue
		}
		e := Error(&provider.Failure{Status: rec.Status, Header: map[string][]string{}, Body: []byte(rec.Body)})
		if e.Reason != engine.ReasonContextOverflow && e.Reason != engine.ReasonMaxTokensTooLarge && (e.Window != 0 || e.Room != 0) {
			t.Errorf("%s: %s with window %d, room %d", entry.Name(), e.Reason, e.Window, e.Room)
		}
	}
}

// inTurn fails with each of these in turn; nil is a reply.
type inTurn struct {
	fails []*provider.Failure
	n     int
}

func (p *inTurn) Stream(context.Context, engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		f := p.fails[p.n]
		p.n++
		if f == nil {
			yield(engine.TextDelta{Text: "hi"}, nil)
			return
		}
		yield(nil, f)
	}
}
