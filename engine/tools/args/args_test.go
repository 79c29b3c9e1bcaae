package args

import (
	"encoding/json"
	"strings"
	"testing"
)

// S23: a raw line end in a string is escaped, which loses nothing; the value is what the model meant.
func TestS23RawLineEndInAStringIsEscaped(t *testing.T) {
	got, err := Mend("{\"path\":\"a\",\"old\":\"x\ny\"}")
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]string
	if err := json.Unmarshal([]byte(got), &v); err != nil || v["old"] != "x\ny" {
		t.Fatalf("got %q, %v", got, err)
	}
}

func TestMendRemovesAndEscapesButAddsNothing(t *testing.T) {
	for in, want := range map[string]string{
		"":                                       "{}",
		" \n ":                                   "{}",
		"null":                                   "{}",
		`{}`:                                     "{}",
		` {"a": 1} `:                             `{"a": 1}`,
		`{"a":1,}`:                               `{"a":1}`,
		"{\"a\":[1,2,\n],\n}":                    "{\"a\":[1,2\n]\n}",
		`{"a":1}}`:                               `{"a":1}`,
		`{"a":1}]}`:                              `{"a":1}`,
		"```json\n{\"a\":1}\n```":                `{"a":1}`,
		`"{\"a\":1}"`:                            `{"a":1}`,
		"{\"a\":\"x\ty\x01\"}":                   `{"a":"x\ty\u0001"}`,
		`{"a":"say \"hi\", }"}`:                  `{"a":"say \"hi\", }"}`,
		`{"q":"현\ud99c 보유"}`:                     `{"q":"현\ufffd 보유"}`,
		`{"q":"\ud83d\ude00"}`:                   `{"q":"\ud83d\ude00"}`,
		"{\"a\":\"\xff\"}":                       "{\"a\":\"\uFFFD\"}",
		`{"a":"\\\\ud800 is text, \\ud800 too"}`: `{"a":"\\\\ud800 is text, \\ud800 too"}`,
	} {
		if got, err := Mend(in); err != nil || got != want {
			t.Errorf("Mend(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestMendRefusesWhatWasCutOff(t *testing.T) {
	whole := `{"path":"a.txt","list":[1,{"x":"y"}],"content":"some \"quoted\" text"}`
	for i := 1; i < len(whole); i++ {
		got, err := Mend(whole[:i])
		if err == nil {
			t.Fatalf("Mend(%q) = %q: a cut call would run", whole[:i], got)
		}
		if !strings.Contains(err.Error(), "were cut off at byte") || !strings.Contains(err.Error(), "was not executed") {
			t.Fatalf("Mend(%q): %v does not say that it was cut off and not executed", whole[:i], err)
		}
	}
}

func TestMendRefusesWhatIsNoObject(t *testing.T) {
	for _, in := range []string{"None", "[]", `["a"]`, `"text"`, "12", "true", `{"a" 1}`, `{"a":[1}`, `{,}`, `{}}`, `{"a":1} and more`,
		`{"a":1}{"a":2}`, "```", "```json\n```", `{'a':1}`, `{"a":"\d"}`, "{a:1}", "}", ","} {
		if got, err := Mend(in); err == nil {
			t.Errorf("Mend(%q) = %q, want it refused", in, got)
		}
	}
}

func TestAnInvalidPlaceIsNamed(t *testing.T) {
	_, err := Mend(`{"a" 1}`)
	if err == nil || !strings.Contains(err.Error(), "at byte 6") {
		t.Fatalf("got %v", err)
	}
}

const schema = `{"type":"object","properties":{
 "n":{"type":"integer"},"f":{"type":"number"},"b":{"type":"boolean"},"s":{"type":"string"},
 "list":{"type":"array","items":{"type":"string"}},"nums":{"type":"array","items":{"type":"integer"}},
 "maybe":{"type":["integer","null"]},"either":{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"string"}}]},
 "obj":{"type":"object","properties":{"k":{"type":"boolean"}}},
 "objs":{"type":"array","items":{"type":"object","properties":{"k":{"type":"integer"}}}}},"required":[]}`

// Scenario 39 of BEHAVIOUR 25c and its kin.
func TestScenario39ValuesGetTheTypesOfTheSchema(t *testing.T) {
	for in, want := range map[string]string{
		`{"n":"42"}`:                  `{"n":42}`,
		`{"n":" 42 "}`:                `{"n":42}`,
		`{"n":5.0}`:                   `{"n":5}`,
		`{"n":"5.5"}`:                 `{"n":"5.5"}`,
		`{"n":"1e999"}`:               `{"n":"1e999"}`,
		`{"n":"NaN"}`:                 `{"n":"NaN"}`,
		`{"n":"1e-999999999"}`:        `{"n":0}`,
		`{"n":"null"}`:                `{"n":null}`,
		`{"n":""}`:                    `{"n":null}`,
		`{"f":"2.5"}`:                 `{"f":2.5}`,
		`{"b":"True"}`:                `{"b":true}`,
		`{"b":"yes"}`:                 `{"b":"yes"}`,
		`{"s":"null"}`:                `{"s":"null"}`,
		`{"s":12}`:                    `{"s":"12"}`,
		`{"list":"x"}`:                `{"list":["x"]}`,
		`{"list":"[\"a\",\"b\"]"}`:    `{"list":["a","b"]}`,
		`{"nums":"[1,2]"}`:            `{"nums":[1,2]}`,
		`{"nums":["1",2]}`:            `{"nums":[1,2]}`,
		`{"maybe":"null"}`:            `{"maybe":null}`,
		`{"maybe":"7"}`:               `{"maybe":7}`,
		`{"either":["a"]}`:            `{"either":["a"]}`,
		`{"either":"7"}`:              `{"either":7}`,
		`{"obj":"{\"k\":\"true\"}"}`:  `{"obj":{"k":true}}`,
		`{"objs":{"k":"1"}}`:          `{"objs":[{"k":1}]}`,
		`{"unknown":"1","n": 3}`:      `{"unknown":"1","n": 3}`,
		`{"n":9007199254740993}`:      `{"n":9007199254740993}`,
		`{"s":"<a href=\"x\">&</a>"}`: `{"s":"<a href=\"x\">&</a>"}`,
	} {
		got, err := Fit(in, json.RawMessage(schema))
		if err != nil || got != want {
			t.Errorf("Fit(%s) = %s, %v; want %s", in, got, err, want)
		}
	}
}

func TestMissingParametersAreNamed(t *testing.T) {
	s := json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}`)
	_, err := Fit(`{"file_path":"a","content":null}`, s)
	if err == nil || !strings.Contains(err.Error(), `needs "path", "content"`) || !strings.Contains(err.Error(), "file_path") {
		t.Fatalf("got %v", err)
	}
	if _, err := Fit(`{"path":"","content":""}`, s); err != nil {
		t.Fatalf("an empty text is not a missing one: %v", err)
	}
}

func FuzzMend(f *testing.F) {
	for _, s := range []string{"", "null", "{", `{"a":"b\u12`, "```json\n{\"a\":[1,]}\n```", `{"a":"\ud800"}`, `"{\"a\":1}"`, "{}}", "\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, err := Mend(raw)
		if err != nil {
			return
		}
		var v map[string]any
		if json.Unmarshal([]byte(got), &v) != nil {
			t.Fatalf("Mend(%q) = %q is no object", raw, got)
		}
		blank := strings.TrimSpace(raw) == "" || strings.TrimSpace(raw) == "null"
		if len(v) == 0 && !blank && !json.Valid([]byte(raw)) {
			t.Fatalf("Mend(%q) = %q: invalid JSON became empty arguments", raw, got)
		}
		for _, r := range `"{[` { // what was not there is not put there
			if !strings.HasPrefix(strings.TrimSpace(raw), `"`) && strings.Count(got, string(r)) > strings.Count(raw, string(r)) && !blank {
				t.Fatalf("Mend(%q) = %q has more %q", raw, got, r)
			}
		}
		if again, err := Mend(got); err != nil || again != got {
			t.Fatalf("Mend is not stable: %q, then %q, %v", got, again, err)
		}
		if fitted, err := Fit(got, json.RawMessage(schema)); err == nil && !json.Valid([]byte(fitted)) {
			t.Fatalf("Fit(%q) = %q", got, fitted)
		}
	})
}
