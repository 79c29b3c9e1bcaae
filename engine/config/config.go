// Package config reads what the user has decided: config.yaml, a trusted project's own few settings, the environment
// and the flags, in that order of rising weight, with the place that every value came from. It also knows where the
// program's files lie, which directories are trusted, and which key may go to which address.
//
// It refuses to be lenient: an unknown key, a wrong type or an impossible value is an error that names file, line, key,
// what was expected and the nearest valid key. It never combines a key with an address from another source, never reads
// a project's .env, and keeps no key in a Route, an error or a Config.
package config

import "time"

// Config is the whole of config.yaml. Its keys, defaults and the meaning of each stand in defaults.yaml.
type Config struct {
	Model             Model                `yaml:"model"`
	Providers         map[string]Provider  `yaml:"providers"`
	FallbackProviders []Fallback           `yaml:"fallback_providers"`
	CredentialPool    CredentialPool       `yaml:"credential_pool"`
	Agent             Agent                `yaml:"agent"`
	Stream            Stream               `yaml:"stream"`
	Retry             Retry                `yaml:"retry"`
	Compression       Compression          `yaml:"compression"`
	Auxiliary         Auxiliary            `yaml:"auxiliary"`
	PromptCaching     PromptCaching        `yaml:"prompt_caching"`
	Delegation        Delegation           `yaml:"delegation"`
	Memory            Memory               `yaml:"memory"`
	Review            Review               `yaml:"review"`
	Skills            Skills               `yaml:"skills"`
	Terminal          Terminal             `yaml:"terminal"`
	Approvals         Approvals            `yaml:"approvals"`
	Tools             Tools                `yaml:"tools"`
	Web               Web                  `yaml:"web"`
	MCPServers        map[string]MCPServer `yaml:"mcp_servers"`
	Hooks             map[string][]Hook    `yaml:"hooks"`
	Checkpoints       Checkpoints          `yaml:"checkpoints"`
	Sessions          Sessions             `yaml:"sessions"`
	UI                UI                   `yaml:"ui"`
}

// Seconds is a decimal number of seconds, as all times in config.yaml are.
type Seconds float64

// Duration returns s as a time.Duration.
func (s Seconds) Duration() time.Duration { return time.Duration(float64(s) * float64(time.Second)) }

// Model is the model that is used. Name may be PROVIDER/MODEL while Provider is "". Windows and caps are in tokens.
type Model struct {
	Provider        string `yaml:"provider"`
	Name            string `yaml:"name"`
	BaseURL         string `yaml:"base_url"`
	APIMode         string `yaml:"api_mode"`
	APIKeyEnv       string `yaml:"api_key_env"`
	ContextWindow   int    `yaml:"context_window"`
	MaxOutputTokens int    `yaml:"max_output_tokens"`
	Effort          string `yaml:"effort"`
	TextToolCalls   string `yaml:"text_tool_calls"`
}

// Provider is a place of the user's own, or the change of a built-in one. Its keys go to its base URL only.
type Provider struct {
	BaseURL    string            `yaml:"base_url"`
	APIMode    string            `yaml:"api_mode"`
	APIKeyEnv  string            `yaml:"api_key_env"`
	APIKeysEnv []string          `yaml:"api_keys_env"`
	Headers    map[string]string `yaml:"headers"`
	Timeouts   Stream            `yaml:"timeouts"`
	Models     Models            `yaml:"models"`
}

// Models are the models of a provider by name; a plain list of names will do.
type Models map[string]ModelLimits

// ModelLimits is what the user knows of one model: windows and caps in tokens, 0 when unknown; TextToolCalls is "" or one of
// TextCallsAuto, TextCallsOn and TextCallsOff.
type ModelLimits struct {
	ContextWindow   int    `yaml:"context_window"`
	MaxOutputTokens int    `yaml:"max_output_tokens"`
	TextToolCalls   string `yaml:"text_tool_calls"`
}

// Whether calls that a model prints as text are taken for calls. Auto: for local models of families that print them.
const (
	TextCallsAuto = "auto"
	TextCallsOn   = "on"
	TextCallsOff  = "off"
)

// Fallback is another route, asked when the one before fails.
type Fallback struct {
	Provider  string `yaml:"provider"`
	Model     string `yaml:"model"`
	BaseURL   string `yaml:"base_url"`
	APIMode   string `yaml:"api_mode"`
	APIKeyEnv string `yaml:"api_key_env"`
}

// CredentialPool says which of several keys is taken.
type CredentialPool struct {
	Strategy string `yaml:"strategy"`
}

// Agent bounds the loop. MaxTurns 0 means no cap.
type Agent struct {
	MaxTurns      int `yaml:"max_turns"`
	APIMaxRetries int `yaml:"api_max_retries"`
	ToolWorkers   int `yaml:"tool_workers"`
}

// Stream holds the clocks of a request; 0 in a provider's own means the general one.
type Stream struct {
	StaleSeconds   Seconds `yaml:"stale_seconds"`
	NoDataSeconds  Seconds `yaml:"no_data_seconds"`
	ConnectSeconds Seconds `yaml:"connect_seconds"`
	TotalSeconds   Seconds `yaml:"total_seconds"`
}

// Retry is the backoff between attempts.
type Retry struct {
	BaseSeconds Seconds `yaml:"base_seconds"`
	MaxSeconds  Seconds `yaml:"max_seconds"`
}

// Compression says when and how far the history is summarised. Threshold and TargetRatio are parts of the window.
type Compression struct {
	Enabled       bool    `yaml:"enabled"`
	Threshold     float64 `yaml:"threshold"`
	TargetRatio   float64 `yaml:"target_ratio"`
	ProtectFirstN int     `yaml:"protect_first_n"`
	ProtectLastN  int     `yaml:"protect_last_n"`
}

// Auxiliary names the models of side tasks; an empty one is the main model.
type Auxiliary struct {
	Compression   Aux `yaml:"compression"`
	Title         Aux `yaml:"title"`
	Approval      Aux `yaml:"approval"`
	Vision        Aux `yaml:"vision"`
	WebExtract    Aux `yaml:"web_extract"`
	SessionSearch Aux `yaml:"session_search"`
	Review        Aux `yaml:"review"`
}

// Aux is the model of one side task.
type Aux struct {
	Provider string     `yaml:"provider"`
	Model    string     `yaml:"model"`
	Fallback []Fallback `yaml:"fallback"`
}

// PromptCaching marks the stable part of requests for the provider's cache.
type PromptCaching struct {
	Enabled bool   `yaml:"enabled"`
	TTL     string `yaml:"ttl"`
}

// Delegation bounds sub-agents.
type Delegation struct {
	MaxIterations int  `yaml:"max_iterations"`
	MaxParallel   int  `yaml:"max_parallel"`
	MaxDepth      int  `yaml:"max_depth"`
	ShareBudget   bool `yaml:"share_budget"`
}

// Memory bounds what is remembered, in characters; NudgeInterval is in turns.
type Memory struct {
	Enabled       bool `yaml:"enabled"`
	MemoryChars   int  `yaml:"memory_chars"`
	UserChars     int  `yaml:"user_chars"`
	NudgeInterval int  `yaml:"nudge_interval"`
}

// Review is the look back after a turn.
type Review struct {
	Memory             bool `yaml:"memory"`
	Skills             bool `yaml:"skills"`
	MaxIterations      int  `yaml:"max_iterations"`
	SkillNudgeInterval int  `yaml:"skill_nudge_interval"`
}

// Skills names further directories of skills.
type Skills struct {
	Dirs []string `yaml:"dirs"`
}

// Terminal is how commands run. Shell "" is the user's own.
type Terminal struct {
	Timeout        Seconds  `yaml:"timeout"`
	Shell          string   `yaml:"shell"`
	EnvPassthrough []string `yaml:"env_passthrough"`
}

// Approvals says what asks. TimeoutSeconds 0 waits for ever.
type Approvals struct {
	Mode           string   `yaml:"mode"`
	Allow          []string `yaml:"allow"`
	Deny           []string `yaml:"deny"`
	TimeoutSeconds Seconds  `yaml:"timeout_seconds"`
}

// Tools says which tools exist and how much of their output is sent, in characters.
type Tools struct {
	EnabledToolsets  []string `yaml:"enabled_toolsets"`
	DisabledToolsets []string `yaml:"disabled_toolsets"`
	ResultChars      int      `yaml:"result_chars"`
	TurnResultChars  int      `yaml:"turn_result_chars"`
}

// Web is the search backend and what web tools may reach.
type Web struct {
	Search                WebSearch `yaml:"search"`
	AllowPrivateAddresses bool      `yaml:"allow_private_addresses"`
}

// WebSearch is one search service; its key goes to its base URL only.
type WebSearch struct {
	Backend   string `yaml:"backend"`
	BaseURL   string `yaml:"base_url"`
	APIKeyEnv string `yaml:"api_key_env"`
}

// MCPServer is started by Command or reached at URL.
type MCPServer struct {
	Command      string            `yaml:"command"`
	Args         []string          `yaml:"args"`
	Env          map[string]string `yaml:"env"`
	URL          string            `yaml:"url"`
	Headers      map[string]string `yaml:"headers"`
	Timeout      Seconds           `yaml:"timeout"`
	Tools        MCPTools          `yaml:"tools"`
	ParallelSafe bool              `yaml:"parallel_safe"`
}

// MCPTools narrows what a server offers.
type MCPTools struct {
	Include []string `yaml:"include"`
	Exclude []string `yaml:"exclude"`
}

// Hook is a command that runs at a lifecycle point.
type Hook struct {
	Match   string  `yaml:"match"`
	Command string  `yaml:"command"`
	Timeout Seconds `yaml:"timeout"`
}

// Checkpoints bounds the copies of changed files, in megabytes and days.
type Checkpoints struct {
	Enabled   bool    `yaml:"enabled"`
	MaxMB     float64 `yaml:"max_mb"`
	MaxDays   float64 `yaml:"max_days"`
	MaxFileMB float64 `yaml:"max_file_mb"`
}

// Sessions says what is kept. PruneDays 0 keeps everything.
type Sessions struct {
	SaveTrajectories bool    `yaml:"save_trajectories"`
	PruneDays        float64 `yaml:"prune_days"`
}

// UI is how the screen looks and what its keys do.
type UI struct {
	Theme         string              `yaml:"theme"`
	BusyEnter     string              `yaml:"busy_enter"`
	Esc           string              `yaml:"esc"`
	Follow        string              `yaml:"follow"`
	Verbosity     string              `yaml:"verbosity"`
	Reasoning     string              `yaml:"reasoning"`
	Mouse         string              `yaml:"mouse"`
	Notify        string              `yaml:"notify"`
	Plain         bool                `yaml:"plain"`
	ReducedMotion bool                `yaml:"reduced_motion"`
	Glyphs        string              `yaml:"glyphs"`
	KeyPreset     string              `yaml:"key_preset"`
	Keys          map[string][]string `yaml:"keys"`
	Status        []string            `yaml:"status"`
}
