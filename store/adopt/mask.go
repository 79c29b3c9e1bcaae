package adopt

import (
	"bytes"
	"encoding/json"

	"talaria/engine"
)

// Masked applies mask to the texts inside args, which is JSON and stays it. Arguments in which nothing is masked come back
// byte for byte.
func Masked(args string, mask func(string) string) string {
	if mask(args) == args {
		return args
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(args)))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return "{}"
	}
	out, err := engine.Marshal(masked(v, mask))
	if err != nil {
		return "{}"
	}
	return string(out)
}

func masked(v any, mask func(string) string) any {
	switch v := v.(type) {
	case string:
		return mask(v)
	case []any:
		for i := range v {
			v[i] = masked(v[i], mask)
		}
	case map[string]any:
		for k := range v {
			// The name says what a value is: "password": "..." is masked as it would be in a text.
			if s, ok := v[k].(string); ok {
				if pair := k + "=" + s; mask(pair) != pair {
					v[k] = mask(s)
					if v[k] == s {
						v[k] = "***"
					}
					continue
				}
			}
			v[k] = masked(v[k], mask)
		}
	}
	return v
}
