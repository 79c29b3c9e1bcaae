package converse

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// maxName is the longest id or name of a call that Bedrock takes (API reference, ToolUseBlock).
const maxName = 64

// safeID is an id that Bedrock takes: itself where it can be, else with its foreign characters replaced and a part of
// its hash, so that two ids never become one. It depends on the id alone, so call and result stay together.
func safeID(id string) string {
	clean := provider.Word(id)
	if clean == id && id != "" && len(id) <= maxName {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return clean[:min(len(clean), maxName-9)] + "_" + hex.EncodeToString(sum[:4])
}

// safeName is the name of a call in the history, which a model may have made up.
func safeName(name string) string {
	if name = provider.Word(name); name == "" {
		return "unknown"
	}
	return name[:min(len(name), maxName)]
}

// input is the arguments of a call as the object that Bedrock demands, in the model's own order. What is no object is
// {}: the result of the call says what was wrong with it.
func input(args string) json.RawMessage {
	raw := []byte(strings.ToValidUTF8(args, "\ufffd"))
	var object map[string]any
	if json.Unmarshal(raw, &object) != nil || object == nil {
		return json.RawMessage("{}")
	}
	if strings.Contains(strings.ToLower(args), `\ud`) { // half a surrogate pair may be escaped there (H13)
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		object = nil
		if dec.Decode(&object) == nil {
			if clean, err := engine.Marshal(object); err == nil {
				return clean
			}
		}
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return json.RawMessage("{}")
	}
	return b.Bytes()
}
