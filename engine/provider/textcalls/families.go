package textcalls

import "strings"

// Families reports whether model, as its server names it ("qwen3-coder:30b", "hf.co/NousResearch/Hermes-3-8B-GGUF:Q4"),
// is of a family that is known to print its calls: for those it is on when the server is local and the user did not
// say otherwise. Only the last part of a path counts, so a maker's name is no family.
func Families(model string) bool {
	model = strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	for _, word := range strings.FieldsFunc(model, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		for _, f := range families {
			if strings.HasPrefix(word, f.Word) {
				return true
			}
		}
	}
	return false
}
