package style

import "strings"

// UTF8 reports whether the locale that an environment names can show more than ASCII. Where none is named it can: a
// program that was started without a locale still writes to a terminal of today.
func UTF8(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}
