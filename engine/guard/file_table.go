package guard

import "regexp"

// free are the toolsets whose reading tools read no files of the user's.
var free = []string{"agent", "skills"}

// patchHeader finds the files that a multi-file patch names.
var patchHeader = regexp.MustCompile(`(?m)^[ \t]*\*\*\*[ \t]*(?:(?:Update|Add|Delete)[ \t]+File|Move[ \t]+to):[ \t]*(.+?)[ \t\r]*$`)
