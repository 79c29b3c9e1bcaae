package screen

import (
	"net/url"
	"path/filepath"
	"strings"
)

// FileLinks gives the address of the file that a word names, for rows that are drawn; nil when there are none, or when the
// terminal is on another machine. Only what a tool worked on is known, so that nothing is looked up while drawing.
func (s *State) FileLinks() func(word string) string {
	paths := s.Log.Paths()
	if !s.Options.Terminal.Local || paths.Empty() {
		return nil
	}
	return func(word string) string {
		given, ok := paths.Find(word, s.Sheet.Glyphs.Ellipsis)
		if !ok {
			return ""
		}
		return s.address(given)
	}
}

// address is a path as it was given, as a link: from the directory of the session where it is not absolute.
func (s *State) address(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && s.Options.Home != "" {
		path = filepath.Join(s.Options.Home, rest)
	}
	if !filepath.IsAbs(path) {
		dir := s.Session.Row.Dir
		if dir == "" {
			dir = s.Options.Dir
		}
		path = filepath.Join(dir, path)
	}
	path = filepath.ToSlash(filepath.Clean(path))
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
