package args

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"talaria/engine"
)

// Fit converts the values of args, a JSON object, to the types of the schema and checks that required ones are
// there. Text that needs no change is returned as it was. The error continues "NAME ...".
func Fit(args string, schema json.RawMessage) (string, error) {
	var s map[string]any
	if err := json.Unmarshal(schema, &s); err != nil {
		return args, nil // the schema of a foreign tool: let it judge for itself
	}
	given, err := decodeArgs(args)
	if err != nil {
		return "", fmt.Errorf("cannot use its arguments: %w", err)
	}
	fitted, changed := coerce(given, s)
	object := fitted.(map[string]any) // coerce never changes an object into something else
	var missing []string
	for _, name := range stringsOf(s["required"]) {
		if object[name] == nil {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return "", fmt.Errorf("needs %s, which is missing%s. The call was not executed", quoted(missing), givenWords(given))
	}
	if !changed {
		return args, nil
	}
	b, err := engine.Marshal(object)
	return string(b), err
}

func givenWords(given map[string]any) string {
	if len(given) == 0 {
		return " (no arguments were given)"
	}
	var names []string
	for name := range given {
		if len(name) > 40 {
			name = "..." // no parameter of ours is as long
		}
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) > 10 {
		names = append(names[:10], "...")
	}
	return " (given: " + quoted(names) + ")"
}

func quoted(names []string) string { return `"` + strings.Join(names, `", "`) + `"` }

func stringsOf(v any) []string {
	var out []string
	list, _ := v.([]any)
	for _, x := range list {
		if s, ok := x.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
