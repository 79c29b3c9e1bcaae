package redact

import (
	"path/filepath"
	"slices"
	"strings"
)

// IsCode reports whether the file at path is source code, in which names such as password are no secrets.
func IsCode(path string) bool {
	return slices.Contains(codeEndings, strings.ToLower(filepath.Ext(path)))
}

// Masked returns a mask in text that stands for a secret of content, "" when there is none. A mask that content holds
// itself is no secret. Short secrets all have the same mask, so what stands before it on its line must be the same too.
func Masked(text, content string) string {
	if !strings.Contains(text, "***") && !strings.Contains(text, "…") {
		return ""
	}
	for _, p := range pem().FindAllStringSubmatch(content, -1) {
		if m := p[1] + "\n***"; strings.Contains(text, m) && !strings.Contains(content, m) {
			return "***"
		}
	}
	for _, s := range spans(content) {
		m, before := Mask(content[s[1]:s[2]]), content[s[0]:s[1]]
		seen := []string{before + "***"}
		if strings.Contains(m, "…") {
			seen = append(seen, m)
		}
		for _, one := range seen {
			if one != "***" && strings.Contains(text, one) && !strings.Contains(content, one) {
				return m
			}
		}
	}
	return ""
}

// spans are where secrets stand: the start of what comes before one on its line, its start, its end.
func spans(content string) (all [][3]int) {
	for _, w := range windows(content, true) {
		part := content[w[0]:w[1]]
		set := kinds(part)
		for kind, p := range patterns() {
			if set&(1<<kind) == 0 {
				continue
			}
			for _, m := range p.re.FindAllStringSubmatchIndex(part, -1) {
				if from := w[0] + m[2*p.group]; m[2*p.group] >= 0 {
					line := max(w[0]+m[0], strings.LastIndexByte(content[:from], '\n')+1)
					all = append(all, [3]int{line, from, w[0] + m[2*p.group+1]})
				}
			}
		}
	}
	return all
}
