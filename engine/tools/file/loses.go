package file

import (
	"encoding/json"
	"os"
	"strings"

	"talaria/engine"
	"talaria/engine/tools"
	"talaria/engine/tools/envelope"
)

// unreadBytes is the size from which a file that nobody read is too much to be replaced without a word.
const unreadBytes = 2 << 10

// Loses says in a few words which file a write_file or patch call would take away: one that a patch deletes, or one of some
// size that is replaced whole and was neither read nor written here before. "" when there is none.
func Loses(ws *tools.Workspace, c engine.Call) string {
	w := space{ws}
	switch c.Name {
	case "patch":
		var in patchIn
		if json.Unmarshal([]byte(c.Args), &in) != nil || in.Patch == "" {
			return ""
		}
		files, err := parsePatch(in)
		if err != nil {
			return "" // it will not be applied
		}
		var gone []string
		for _, f := range files {
			if f.Kind == envelope.Delete {
				gone = append(gone, f.Path)
			}
		}
		if len(gone) > 0 {
			return "it deletes " + strings.Join(gone, ", ")
		}
	case "write_file":
		var in writeIn
		if json.Unmarshal([]byte(c.Args), &in) != nil {
			return ""
		}
		path, err := w.Abs(in.Path)
		if err != nil || w.Knows(path) {
			return ""
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() >= unreadBytes {
			return "it replaces all of " + w.Rel(path) + " (" + sizeWord(info.Size()) + "), which the agent has not read"
		}
	}
	return ""
}
