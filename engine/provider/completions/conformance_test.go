package completions_test

import (
	"fmt"
	"net/http"
	"testing"

	"go.uber.org/goleak"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/completions"
	pt "talaria/engine/provider/providertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConformance(t *testing.T) {
	pt.Run(t, func(base string, hc *http.Client) engine.Provider {
		return completions.New(provider.Endpoint{BaseURL: base, Key: "sk-test-key", HTTP: hc})
	}, pt.Wire{
		Type: "text/event-stream", Path: "/v1/chat/completions", Tail: 2, Quiet: ": OPENROUTER PROCESSING\n\n",
		Error: func(text string) string { return pt.DATA(fmt.Sprintf(`{"error":{"message":%q}}`, text)) },
		Reply: func(s pt.Said) []string {
			var out []string
			if s.Thought != "" {
				out = append(out, pt.RSN(s.Thought))
			}
			for _, r := range s.Text {
				out = append(out, pt.TXT(string(r)))
			}
			for i, c := range s.Calls {
				half := len(c.Args) / 2
				out = append(out,
					pt.TC(fmt.Sprintf(`[{"index":%d,"id":%q,"type":"function","function":{"name":%q,"arguments":""}}]`, i, c.ID, c.Name)),
					pt.TC(fmt.Sprintf(`[{"index":%d,"function":{"arguments":%q}}]`, i, c.Args[:half])),
					pt.TC(fmt.Sprintf(`[{"index":%d,"function":{"arguments":%q}}]`, i, c.Args[half:])))
			}
			fin := map[engine.Stop]string{engine.StopEnd: "stop", engine.StopCalls: "tool_calls"}[s.Stop]
			return append(out, pt.FIN(fin), pt.USE(s.Usage.Input, s.Usage.Output), pt.DONE)
		},
	})
}
