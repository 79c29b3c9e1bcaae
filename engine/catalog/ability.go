package catalog

import (
	"regexp"
	"strings"
	"sync"
)

// known is an answer that may be missing.
type known uint8

const (
	maybe known = iota // the zero value: not known
	no
	yes
)

func (k known) true() bool { return k == yes }

// ability is what is known of a model besides numbers.
type ability struct{ vision, reasons, tools known }

// bedrockName is what Bedrock puts before a model's name: a region and the maker ("eu.anthropic.claude-...").
var bedrockName = regexp.MustCompile(`^(?:[a-z-]+\.)?(?:anthropic|amazon|meta|mistral|deepseek|openai|qwen|moonshot|moonshotai|zai|google|minimax|nvidia)\.`)

// familyPatterns are the compiled patterns of families, made when first needed.
var familyPatterns = sync.OnceValue(func() []*regexp.Regexp {
	list := make([]*regexp.Regexp, len(families))
	for i, f := range families {
		list[i] = regexp.MustCompile(`^(?:` + f.pattern + `)`)
	}
	return list
})

// abilityOf finds the family of model. Who serves it does not matter: a family is what it is anywhere, and its makers'
// and servers' prefixes ("accounts/x/models/", "eu.anthropic.") are taken off.
func abilityOf(model string) ability {
	name := strings.ToLower(strings.TrimSpace(model))
	name = name[strings.LastIndexByte(name, '/')+1:]
	name = normal(bedrockName.ReplaceAllString(name, ""))
	for i, re := range familyPatterns() {
		if re.MatchString(name) {
			f := families[i]
			return ability{f.vision, f.reasons, f.tools}
		}
	}
	return ability{}
}

// Sees reports whether model can be shown pictures. When known is false nothing is known of it, and yes is false: a
// picture is then better sent than held back, since a server that cannot take it says so.
func Sees(provider, model string) (yes, known bool) {
	if strings.EqualFold(strings.TrimSpace(provider), "demo") {
		return false, true
	}
	v := abilityOf(model).vision
	return v.true(), v != maybe
}
