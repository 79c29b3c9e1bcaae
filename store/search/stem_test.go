package search

import (
	"strings"
	"testing"
)

// FuzzEveryFormBeginsAsItsStem: words are told apart by their first letters before they are stemmed.
func FuzzEveryFormBeginsAsItsStem(f *testing.F) {
	for _, w := range strings.Fields(`skies dying lying tying idly gently ugly early only singly relational possibility hopefully enabling hoping
		happiness decisively geology youthful agreed proceeding innings outings cannings herring earring succeeding exceeded
		скоростями длинного бывший делавшись ивановна`) {
		f.Add(w)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range runs(text) {
			if word := lower(text[r.start:r.end]); !r.dense && !strings.HasPrefix(word, headOf(stem(word))) {
				t.Errorf("the stem of %q is %q", word, stem(word))
			}
		}
	})
}
