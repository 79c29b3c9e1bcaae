package style

import "testing"

func TestGlyphsFollowTheLocale(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		utf8 bool
	}{
		{nil, true}, {map[string]string{"LANG": "C"}, false}, {map[string]string{"LANG": "POSIX"}, false}, {map[string]string{"LANG": "en_GB.UTF-8"}, true},
		{map[string]string{"LANG": "de_DE.utf8"}, true}, {map[string]string{"LANG": "ja_JP.eucJP"}, false}, {map[string]string{"LC_CTYPE": "UTF-8", "LANG": "C"}, true},
		{map[string]string{"LC_ALL": "C", "LANG": "en_GB.UTF-8"}, false},
	} {
		if got := UTF8(func(name string) string { return c.env[name] }); got != c.utf8 {
			t.Errorf("%v: %v", c.env, got)
		}
	}
}
