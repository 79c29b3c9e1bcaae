package demo

import (
	"embed"
	"fmt"
	"maps"
	"regexp"
	"strings"
)

//go:embed script/*.md
var files embed.FS

// script is every text the demo can say, by its heading: the line `<!-- name -->` above it. A text whose name ends in
// ": thought" is thought before the one without.
var script = mustRead()

var heading = regexp.MustCompile(`(?m)^<!-- (.+) -->\n`)

func mustRead() map[string]string {
	all := map[string]string{}
	list, err := files.ReadDir("script")
	if err != nil {
		panic(err) // the texts are part of the program
	}
	for _, f := range list {
		b, err := files.ReadFile("script/" + f.Name())
		if err != nil {
			panic(err)
		}
		maps.Copy(all, split(string(b)))
	}
	return all
}

func split(text string) map[string]string {
	all := map[string]string{}
	heads := heading.FindAllStringSubmatchIndex(text, -1)
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		all[text[h[2]:h[3]]] = strings.TrimSpace(text[h[1]:end])
	}
	return all
}

// say returns the text called name with each {key} replaced; "" when the script has none of that name.
func say(name string, values map[string]string) string {
	var pairs []string
	for k, v := range values {
		pairs = append(pairs, "{"+k+"}", v)
	}
	return strings.NewReplacer(pairs...).Replace(script[name])
}

// list joins words as a sentence does.
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return fmt.Sprintf("%s and %s", strings.Join(words[:len(words)-1], ", "), words[len(words)-1])
}
