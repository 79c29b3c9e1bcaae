package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A model prints a call as text. Whether that is one is for the user to say, of a model at a provider or of any; unsaid, it
// is for the local families that are known to do it.
func TestACallThatAModelPrintsIsMadeWhereTheUserOrItsFamilySaysSo(t *testing.T) {
	if err := build(); err != nil {
		t.Fatal(err)
	}
	chat := speakers[0]
	printed := "I write it.\n<tool_call>\n" + `{"name": "write_file", "arguments": {"path": "out.txt", "content": "ok\n"}}` + "\n</tool_call>"
	for name, c := range map[string]struct {
		model, configuration string
		made                 bool
	}{
		"an unknown model":                      {"strange", "", false},
		"an unknown model, switched on":         {"strange", "model: {text_tool_calls: on}\n", true},
		"an unknown model, on at its provider":  {"strange", "providers: {mine: {base_url: URL, models: {strange: {text_tool_calls: on}}}}\n", true},
		"another model at that provider":        {"other", "providers: {mine: {base_url: URL, models: {strange: {text_tool_calls: on}}}}\n", false},
		"a family that prints calls":            {"qwen3:8b", "", true},
		"a family that prints calls, auto":      {"qwen3:8b", "model: {text_tool_calls: auto}\n", true},
		"a family that prints calls, off":       {"qwen3:8b", "model: {text_tool_calls: off}\n", false},
		"the model's own word before the usual": {"qwen3:8b", "model: {text_tool_calls: off}\nproviders: {mine: {base_url: URL, models: {'qwen3:8b': {text_tool_calls: on}}}}\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStation(t, chat.playing(c.model, said{Text: printed}, said{Text: "Done."}))
			p := newPlace(t, quick+strings.ReplaceAll(c.configuration, "URL", js(server.URL)))
			argv := []string{"-p", "write it", "-m", c.model, "--mode", "auto", "--output", "json"}
			if strings.Contains(c.configuration, "providers") {
				argv = append(argv, "--provider", "mine")
			} else {
				argv = append(argv, "--base-url", server.URL)
			}
			code, stdout, stderr := p.run(argv...)
			want := printed
			if c.made {
				want = "Done."
			}
			if r := readReport(t, stdout); code != 0 || r.Final != want || exists(filepath.Join(p.project, "out.txt")) != c.made {
				t.Errorf("exit %d, file %v: %s%s", code, !c.made, stdout, stderr)
			}
		})
	}
}
