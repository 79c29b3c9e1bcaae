package image

import (
	"slices"
	"testing"
)

func TestPicturesThatAMessageNamesWithAnAt(t *testing.T) {
	for text, want := range map[string][]string{
		"look at @shot.png, please":                   {"shot.png"},
		"@a/b.JPG and @a/b.JPG and\n@~/c.webp":        {"a/b.JPG", "~/c.webp"},
		`what is in @"my holiday/a b.jpeg"?`:          {"my holiday/a b.jpeg"},
		"@a.png @b.png @c.png":                        {"a.png", "b.png", "c.png"},
		"@a.png\n@b.png.":                             {"a.png", "b.png"},
		"me@host.png, @main.go, shot.png, @, @png":    nil,
		"@shot.png.txt says it; mail x@y.png instead": nil,
	} {
		if got := Mentions(text); !slices.Equal(got, want) {
			t.Errorf("%q names %q, want %q", text, got, want)
		}
	}
}
