package classify

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"talaria/engine/provider"
)

// facts is a failure as the rules look at it. status is the HTTP status, or the one that an error inside a reply names,
// 0 without one. text is message, code and type in lower case.
type facts struct {
	f          *provider.Failure
	status     int
	message    string
	code, kind string
	text       string
	size       size
	again      bool // the request before this one was dropped too
}

func factsOf(f *provider.Failure) *facts {
	x := &facts{f: f, status: f.Status, message: f.Message, code: f.Code, kind: f.Type}
	if provider.IsHTML(f.ContentType, f.Body) {
		if x.message == "" || strings.Contains(x.message, "<") {
			x.message = provider.DescribeHTML(f.Status, f.URL, f.Body)
		}
	} else if x.message == "" || x.code == "" && x.kind == "" {
		said := provider.ReadError(f.Body)
		if x.message == "" {
			x.message = said.Message
		}
		x.code, x.kind = said.Code, said.Type
	}
	if x.message == "" {
		x.message = f.Error()
	}
	if name, _, _ := strings.Cut(f.Header.Get("x-amzn-errortype"), ":"); name != "" {
		x.kind = name // Bedrock names the class nowhere else
	}
	if x.status < 400 {
		x.status = 0
		if n, err := strconv.Atoi(x.code); err == nil && n >= 400 && n < 600 {
			x.status = n
		}
	}
	x.text = strings.ToLower(strings.Join([]string{x.message, x.code, x.kind}, " \n "))
	x.text = digitComma.ReplaceAllString(x.text, "$1$2")
	return x
}

// digitComma is a comma inside a number.
var digitComma = regexp.MustCompile(`(\d),(\d{3})`)

// says reports whether the text holds one of the phrases.
func (x *facts) says(phrases []string) bool {
	for _, p := range phrases {
		if strings.Contains(x.text, p) {
			return true
		}
	}
	return false
}

// field returns a number that the error object holds under one of the names, wherever it is nested.
func (x *facts) field(names ...string) (float64, bool) {
	var v any
	if json.Unmarshal(x.f.Body, &v) != nil {
		return 0, false
	}
	return findNumber(v, names, 0)
}

func findNumber(v any, names []string, depth int) (float64, bool) {
	if depth > 6 {
		return 0, false
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range names {
			switch n := v[name].(type) {
			case float64:
				return n, true
			case string:
				if f, err := strconv.ParseFloat(n, 64); err == nil {
					return f, true
				}
			}
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if n, ok := findNumber(v[key], names, depth+1); ok {
				return n, true
			}
		}
	case []any:
		for _, inner := range v {
			if n, ok := findNumber(inner, names, depth+1); ok {
				return n, true
			}
		}
	}
	return 0, false
}
