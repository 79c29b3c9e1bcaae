package messages

import "talaria/engine/provider"

// host is what a server wants otherwise than Anthropic's own. The zero value is that, and any server not known: a proxy
// before Anthropic's wants what Anthropic's wants.
type host struct {
	bearer   bool // the key goes as Authorization: Bearer
	unsigned bool // takes thinking back without a signature, and none that has one (BEHAVIOUR 3.5)
}

// hostRows names no provider: what one is called says nothing about who answers there.
var hostRows = []provider.Row[host]{
	// openrouter.ai/docs, Anthropic Messages: a bearer key; thinking as Anthropic's, which is behind it.
	{Hosts: []string{"openrouter.ai"}, Want: host{bearer: true}},
	// platform.moonshot.ai, Claude Code: ANTHROPIC_AUTH_TOKEN, which is a bearer key. BEHAVIOUR 3.5 names Kimi.
	{Hosts: []string{"api.moonshot.ai", "api.moonshot.cn", "api.kimi.com"}, Want: host{bearer: true, unsigned: true}},
	// api-docs.deepseek.com, Anthropic API: x-api-key. BEHAVIOUR 3.5 names DeepSeek.
	{Hosts: []string{"api.deepseek.com"}, Want: host{unsigned: true}},
	// platform.minimax.io, Anthropic API: a bearer key; thinking goes back whole, signature and all.
	{Hosts: []string{"api.minimax.io", "api.minimaxi.com"}, Want: host{bearer: true}},
	// docs.z.ai, Claude Code: ANTHROPIC_AUTH_TOKEN.
	{Hosts: []string{"api.z.ai", "open.bigmodel.cn"}, Want: host{bearer: true}},
}
