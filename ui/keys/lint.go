package keys

import (
	"fmt"
	"strings"
)

// Lint names what is wrong with a table: two actions on one key, a key that no action may have, an action that only Alt
// reaches, a name or an action that stands twice.
func Lint(table []Binding) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	ids := map[string]bool{}
	for i, b := range table {
		if b.ID != "" && ids[b.ID] {
			fault("the action %s stands twice", b.ID)
		}
		ids[b.ID] = true
		if b.Name == "" || len(b.Keys) == 0 {
			fault("%q has no name or no key: %v", b.ID, b.Keys)
		}
		plain := false
		for _, k := range b.Keys {
			plain = plain || !strings.Contains(k, "alt+")
			if why := never[k]; why != "" {
				fault("%s has %s: %s", b.Name, k, why)
			}
			if owner := only[k]; owner != "" && owner != b.ID {
				fault("%s has %s, which is for %s only", b.Name, k, owner)
			}
			for _, c := range table[:i] {
				if overlap(b.Scope, c.Scope) && contains(c.Keys, k) {
					fault("%s is both %s and %s", k, c.Name, b.Name)
				}
			}
		}
		if !plain {
			fault("only Alt reaches %s", b.Name)
		}
	}
	return faults
}

func contains(keys []string, key string) bool {
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}
