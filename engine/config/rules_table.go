package config

import (
	"net/url"
	"regexp"
	"strings"
)

// rule is what a value must be beyond its type. A number lies between min and max, both included; hi 0 means no upper
// bound. A string, or each string of a list, is one of words. A "*" in a path stands for any name or place.
type rule struct {
	words  []string
	lo, hi float64
	note   string // what the value is, for error texts: "a part of the window"
	shape  func(string) bool
	hide   bool // the value may be a key that was pasted in the wrong place: never shown
}

var (
	apiModes  = []string{"", "chat_completions", "codex_responses", "anthropic_messages", "bedrock_converse"}
	textCalls = []string{TextCallsAuto, TextCallsOn, TextCallsOff}
	efforts   = []string{"off", "minimal", "low", "medium", "high", "xhigh", "max"}
	toolsets  = []string{"file", "terminal", "web", "agent", "skills", "code", "vision", "mcp"}
)

var (
	address  = rule{shape: isAddress, note: "an address that begins with http:// or https://"}
	variable = rule{shape: isVariable, note: "the name of an environment variable, not the key itself", hide: true}
)

func isAddress(s string) bool {
	u, err := url.Parse(strings.TrimSpace(s))
	return s == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,79}$`)

func isVariable(s string) bool { return s == "" || variableName.MatchString(s) }

func isPattern(s string) bool {
	_, err := regexp.Compile("^(?:" + s + ")$")
	return s == "*" || err == nil
}

const tokens, seconds, chars = "a number of tokens", "a number of seconds", "a number of characters"

// rules is by key. A number without a row may not be negative.
var rules = map[string]rule{
	"model.base_url":                       address,
	"providers.*.base_url":                 address,
	"fallback_providers.*.base_url":        address,
	"auxiliary.*.fallback.*.base_url":      address,
	"web.search.base_url":                  address,
	"mcp_servers.*.url":                    address,
	"model.api_key_env":                    variable,
	"providers.*.api_key_env":              variable,
	"providers.*.api_keys_env":             variable,
	"providers.*.api_keys_env.*":           variable,
	"fallback_providers.*.api_key_env":     variable,
	"auxiliary.*.fallback.*.api_key_env":   variable,
	"web.search.api_key_env":               variable,
	"model.api_mode":                       {words: apiModes},
	"model.effort":                         {words: efforts},
	"model.context_window":                 {hi: 1e8, note: tokens},
	"model.max_output_tokens":              {hi: 1e8, note: tokens},
	"model.text_tool_calls":                {words: textCalls},
	"providers.*.models.*.text_tool_calls": {words: textCalls},
	"providers.*.api_mode":                 {words: apiModes},
	"fallback_providers.*.api_mode":        {words: apiModes},
	"auxiliary.*.fallback.*.api_mode":      {words: apiModes},
	"providers.*.timeouts.*":               {hi: 86400, note: seconds},
	"credential_pool.strategy":             {words: []string{"fill_first", "round_robin", "least_used"}},
	"agent.max_turns":                      {hi: 1e6, note: "a number of iterations, 0 for no cap"},
	"agent.api_max_retries":                {lo: 1, hi: 100, note: "a number of attempts"},
	"agent.tool_workers":                   {lo: 1, hi: 64, note: "a number of tools at the same time"},
	"stream.*":                             {lo: 0.001, hi: 86400, note: seconds},
	"retry.base_seconds":                   {hi: 3600, note: seconds},
	"retry.max_seconds":                    {hi: 3600, note: seconds},
	"compression.threshold":                {lo: 0.05, hi: 0.95, note: "a part of the window"},
	"compression.target_ratio":             {lo: 0.01, hi: 0.9, note: "a part of the threshold"},
	"compression.protect_first_n":          {hi: 1000, note: "a number of messages"},
	"compression.protect_last_n":           {hi: 1000, note: "a number of messages"},
	"prompt_caching.ttl":                   {words: []string{"5m", "1h"}},
	"delegation.max_iterations":            {lo: 1, hi: 1e6, note: "a number of iterations"},
	"delegation.max_parallel":              {lo: 1, hi: 64, note: "a number of agents"},
	"delegation.max_depth":                 {hi: 8, note: "a depth"},
	"memory.memory_chars":                  {hi: 1e6, note: chars},
	"memory.user_chars":                    {hi: 1e6, note: chars},
	"review.max_iterations":                {lo: 1, hi: 1000, note: "a number of iterations"},
	"terminal.timeout":                     {lo: 0.001, hi: 86400, note: seconds},
	"approvals.mode":                       {words: []string{"ask", "edit", "plan", "auto"}},
	"approvals.timeout_seconds":            {hi: 86400, note: seconds},
	"tools.enabled_toolsets.*":             {words: toolsets},
	"tools.disabled_toolsets.*":            {words: toolsets},
	"tools.result_chars":                   {lo: 100, hi: 1e8, note: chars},
	"tools.turn_result_chars":              {lo: 100, hi: 1e9, note: chars},
	"web.search.backend":                   {words: []string{"", "searxng", "brave", "tavily"}},
	"hooks.*.*.match":                      {shape: isPattern, note: "a regular expression for the names of tools"},
	"mcp_servers.*.timeout":                {hi: 86400, note: seconds},
	"hooks.*.*.timeout":                    {hi: 86400, note: seconds},
	"ui.theme":                             {shape: func(s string) bool { return s != "" }, note: "the name of a theme, or auto"},
	"ui.busy_enter":                        {words: []string{"steer", "queue", "interrupt"}},
	"ui.esc":                               {words: []string{"graded", "now"}},
	"ui.follow":                            {words: []string{"tail", "head"}},
	"ui.verbosity":                         {words: []string{"quiet", "normal", "full"}},
	"ui.reasoning":                         {words: []string{"summary", "full", "hidden"}},
	"ui.mouse":                             {words: []string{"all", "buttons", "wheel", "off"}},
	"ui.notify":                            {words: []string{"auto", "bell", "off"}},
	"ui.status.*":                          {words: []string{"state", "clock", "tokens", "rate", "mode", "agents", "background", "context", "cost", "key"}},
	"ui.glyphs":                            {words: []string{"unicode", "ascii"}},
	"ui.key_preset":                        {words: []string{"default", "readline", "vim", "leader-only"}},
}

// hookPoints are the lifecycle points of CONTRACT 8; hooks has no other keys.
var hookPoints = []string{"on_session_start", "pre_llm_call", "pre_api_request", "post_api_request", "pre_tool_call", "post_tool_call"}

// projectKeys are the settings that a trusted directory's own .talaria/config.yaml may hold. A key that ends in a dot
// stands for all below it.
var projectKeys = []string{"model.name", "model.effort", "agent.max_turns", "tools.disabled_toolsets", "compression.", "ui.theme"}

// variables are the environment variables that stand for a setting. TALARIA_MODEL is split as -m is.
var variables = []struct{ name, key string }{
	{"TALARIA_PROVIDER", "model.provider"},
	{"TALARIA_BASE_URL", "model.base_url"},
	{"TALARIA_API_MODE", "model.api_mode"},
	{"TALARIA_MODEL", "model.name"},
	{"TALARIA_MODE", "approvals.mode"},
	{"TALARIA_THEME", "ui.theme"},
	{"TALARIA_PLAIN", "ui.plain"},
}
