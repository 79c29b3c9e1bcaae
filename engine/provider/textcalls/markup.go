package textcalls

import (
	"encoding/json"
	"strings"
)

// form reads a block whose opener was read.
type form func(*cursor) ([]call, verdict)

// forms are the openers of blocks and how each goes on.
var forms = []struct {
	open string
	read form
}{
	{"<tool_call>", (*cursor).toolCall},
	{"<tools>", func(c *cursor) ([]call, verdict) { return c.objects("</tools>") }}, // Qwen2.5-Coder, seen in llama.cpp's parser
	{"<function=", (*cursor).lone},
	{"[TOOL_CALLS]", (*cursor).mistral},
	{"<|python_tag|>", (*cursor).python},
	{"<｜tool▁calls▁begin｜>", (*cursor).deepseek},
	{"<｜tool_calls_begin｜>", (*cursor).deepseek},
}

// match says whether t begins with an opener.
func match(t string) (read form, size int, v verdict) {
	for _, f := range forms {
		if strings.HasPrefix(t, f.open) {
			return f.read, len(f.open), yes
		}
		if strings.HasPrefix(f.open, t) {
			v = maybe
		}
	}
	return nil, 0, v
}

// toolCall reads what follows <tool_call>, in the spelling of Hermes, Qwen3-Coder or GLM.
func (c *cursor) toolCall() ([]call, verdict) {
	c.blank()
	if v, _ := c.sees("{"); v == yes {
		return c.objects("</tool_call>")
	}
	if v, _ := c.sees("<function="); v != no {
		return c.functions(v)
	}
	return c.glm()
}

// objects reads calls as JSON up to close. A close in a string is not the end, unless the JSON is broken anyway.
func (c *cursor) objects(end string) ([]call, verdict) {
	c.blank()
	start, calls := c.i, []call(nil)
	for {
		if v := c.headed(); v != yes {
			return nil, v
		}
		raw, v := c.value()
		if v == maybe && !c.whole {
			return nil, maybe
		}
		if v != yes || !json.Valid([]byte(raw)) {
			break
		}
		one, ok := c.tools.parse(raw, marked)
		if !ok {
			return nil, no
		}
		calls = append(calls, one)
		c.blank()
		if v := c.at(end); v != no {
			return calls, v
		}
		if v, _ := c.sees("{"); v == no {
			return nil, no
		}
	}
	c.i = start
	raw, v := c.first(end)
	if v != yes {
		return nil, v
	}
	one, ok := c.tools.broken(raw)
	if !ok || len(calls) > 0 {
		return nil, no
	}
	return []call{one}, yes
}

// arguments reads a JSON object, the end of a fence if there is one, and one of end. Broken JSON goes to the first end.
func (c *cursor) arguments(end ...string) (string, verdict) {
	start := c.i
	raw, v := c.value()
	if v == maybe && !c.whole {
		return "", maybe
	}
	if v == yes {
		c.blank()
		if v := c.at("```"); v == maybe {
			return "", maybe
		}
		c.blank()
		if v := c.at(end...); v != no {
			return raw, v
		}
		if json.Valid([]byte(raw)) {
			return "", no
		}
	}
	c.i = start
	raw, v = c.first(end...)
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(raw), "```")), v
}

// mistral reads what follows [TOOL_CALLS]: a list of calls, or a name and its arguments.
func (c *cursor) mistral() ([]call, verdict) {
	c.blank()
	if v, _ := c.sees("["); v == yes {
		return c.list(marked)
	}
	name, v := c.name("[{")
	if v != yes {
		return nil, v
	}
	if v := c.at("[CALL_ID]"); v == maybe {
		return nil, maybe
	} else if v == yes {
		c.i = len(c.s) - len(strings.TrimLeft(c.rest(), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"))
	}
	if v := c.at("[ARGS]"); v == maybe {
		return nil, maybe
	}
	c.blank()
	if v, _ := c.sees("{"); v != yes {
		return nil, v
	}
	args, v := c.value()
	return []call{{name, args}}, v
}

// list reads a JSON array of calls.
func (c *cursor) list(as shape) ([]call, verdict) {
	here := c.i
	c.at("[")
	c.blank()
	v := c.headed()
	if c.i = here; v != yes {
		return nil, v
	}
	raw, v := c.value()
	if v != yes {
		return nil, v
	}
	var all []json.RawMessage
	if json.Unmarshal([]byte(raw), &all) != nil {
		return nil, no
	}
	var calls []call
	for _, one := range all {
		found, ok := c.tools.parse(string(one), as)
		if !ok {
			return nil, no
		}
		calls = append(calls, found)
	}
	return calls, yes
}

// python reads what follows Llama's <|python_tag|>: calls as JSON with ";" between them.
func (c *cursor) python() ([]call, verdict) { return c.series(marked) }

func (c *cursor) series(as shape) (calls []call, _ verdict) {
	for {
		c.blank()
		if v := c.headed(); v != yes {
			return nil, v
		}
		raw, v := c.value()
		if v != yes {
			return nil, v
		}
		one, ok := c.tools.parse(raw, as)
		if !ok {
			return nil, no
		}
		calls = append(calls, one)
		end := c.i
		c.blank()
		v = c.may(";")
		if next, _ := c.sees("{"); v == no && as == unasked && c.rest() != "" {
			v = next
		}
		switch v {
		case maybe:
			return nil, maybe
		case no:
			c.i = end
			return calls, yes
		}
	}
}

// bare reads a reply that is nothing but calls.
func (c *cursor) bare() (calls []call, v verdict) {
	if c.s[0] == '[' {
		calls, v = c.list(unasked)
	} else {
		calls, v = c.series(unasked)
	}
	if v == yes {
		c.blank()
		switch {
		case c.rest() != "":
			v = no
		case !c.whole:
			v = maybe
		}
	}
	if v == no {
		c.i = 0
	}
	return calls, v
}

// deepseek reads what follows <｜tool▁calls▁begin｜>: V3 and R1 write the kind first and fence the JSON, V3.1 does not.
func (c *cursor) deepseek() (calls []call, _ verdict) {
	for {
		c.blank()
		if len(calls) > 0 {
			if v := c.at("<｜tool▁calls▁end｜>", "<｜tool_calls_end｜>"); v != no {
				return calls, v
			}
		}
		if v := c.at("<｜tool▁call▁begin｜>", "<｜tool_call_begin｜>"); v != yes {
			return nil, v
		}
		if v := c.at("function<｜tool▁sep｜>", "function<｜tool_sep｜>"); v == maybe {
			return nil, maybe
		}
		name, v := c.name("<\n`")
		if v != yes {
			return nil, v
		}
		if v := c.at("<｜tool▁sep｜>", "<｜tool_sep｜>"); v == maybe {
			return nil, maybe
		}
		c.blank()
		if v := c.at("```json"); v == maybe {
			return nil, maybe
		}
		c.blank()
		if v, _ := c.sees("{"); v != yes {
			return nil, v
		}
		args, v := c.arguments("<｜tool▁call▁end｜>", "<｜tool_call_end｜>")
		if v != yes {
			return nil, v
		}
		calls = append(calls, call{name, args})
	}
}
