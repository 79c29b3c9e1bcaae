package textcalls

import "strings"

// lone reads <function=..> without <tool_call> around it; a </tool_call> whose opener was left out goes with it.
func (c *cursor) lone() ([]call, verdict) {
	one, v := c.function()
	if v != yes {
		return nil, v
	}
	end := c.i
	c.blank()
	if v := c.may("</tool_call>"); v == maybe {
		return nil, maybe
	} else if v == no {
		c.i = end
	}
	return []call{one}, yes
}

// functions reads one <function=..> or more and </tool_call>.
func (c *cursor) functions(v verdict) (calls []call, _ verdict) {
	for ; v == yes; v, _ = c.sees("<function=") {
		c.at("<function=")
		one, v := c.function()
		if v != yes {
			return nil, v
		}
		calls = append(calls, one)
		c.blank()
		if v := c.at("</tool_call>"); v != no {
			return calls, v
		}
	}
	return nil, v
}

// function reads what follows "<function=": parameters as XML (Qwen3-Coder) or as JSON (Llama 3.1).
func (c *cursor) function() (call, verdict) {
	name, v := c.name(">\n")
	if v != yes {
		return call{}, v
	}
	if v := c.at(">"); v != yes {
		return call{}, v
	}
	c.blank()
	if v, _ := c.sees("{"); v == yes {
		args, v := c.arguments("</function>")
		return call{name, args}, v
	}
	var all []argument
	for {
		end := c.at("</function>")
		if end == yes {
			return call{name, object(c.tools[name], all)}, yes
		}
		if v := c.at("<parameter="); v != yes {
			return call{}, max(v, end)
		}
		key, v := c.key(">")
		if v != yes {
			return call{}, v
		}
		value, v := c.until("</parameter>", "<parameter=", "</function>", "</tool_call>", "<tool_call>", "<function=")
		if v != yes {
			return call{}, v
		}
		value = strings.TrimSuffix(strings.TrimPrefix(value, "\n"), "\n") // they belong to the markup
		all = append(all, argument{key, value})
		c.blank()
	}
}

// key reads a parameter's name up to end.
func (c *cursor) key(end string) (string, verdict) {
	look := c.look(len(end))
	i := strings.Index(look, end)
	key := look
	if i >= 0 {
		key = look[:i]
	}
	switch {
	case len(key) > maxName || strings.ContainsAny(strings.TrimSpace(key), "\n{}\""):
		return "", no
	case i < 0:
		return "", maybe
	}
	c.i += i + len(end)
	return strings.TrimSpace(key), yes
}

// glm reads a name and <arg_key>, <arg_value> pairs.
func (c *cursor) glm() ([]call, verdict) {
	name, v := c.name("<\n")
	if v != yes {
		return nil, v
	}
	c.blank()
	var all []argument
	for {
		end := c.at("</tool_call>")
		if end == yes {
			return []call{{name, object(c.tools[name], all)}}, yes
		}
		if v := c.at("<arg_key>"); v != yes {
			return nil, max(v, end)
		}
		key, v := c.key("</arg_key>")
		if v != yes {
			return nil, v
		}
		c.blank()
		if v := c.at("<arg_value>"); v != yes {
			return nil, v
		}
		value, v := c.until("</arg_value>", "<arg_key>", "</tool_call>", "<tool_call>")
		if v != yes {
			return nil, v
		}
		all = append(all, argument{key, value})
		c.blank()
	}
}
