package completions

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/providertest"
)

func TestAServerThatCannotStreamIsAskedForOnePiece(t *testing.T) {
	var asked struct {
		Stream  bool
		Options any `json:"stream_options"`
	}
	hc := providertest.Client(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(b, &asked); err != nil {
			t.Error(err)
		}
		if got := r.Header.Get("Accept"); got != "application/json" {
			t.Errorf("it accepts %q", got)
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"whole"},"finish_reason":"stop"}]}`)
	}))
	p := New(provider.Endpoint{BaseURL: "http://127.0.0.1/v1", HTTP: hc})
	var fold engine.Fold
	for d, err := range p.Stream(context.Background(), engine.Request{Route: engine.Route{Model: "m"}, NoStream: true,
		Messages: []engine.Message{engine.UserMessage("hi", time.Now())}}) {
		if err != nil {
			t.Fatal(err)
		}
		fold.Add(d)
	}
	if asked.Stream || asked.Options != nil || fold.Message(time.Now()).Text() != "whole" {
		t.Fatalf("asked %+v", asked)
	}
}
