package redact

import (
	"strings"
	"testing"
)

func TestAMaskThatWouldReplaceItsSecretIsFound(t *testing.T) {
	env := "# keys\nAPI_KEY=supersecretvalue12345\nDB_PASSWORD=short99\nOPENAI=sk-abcdefghijklmnopqrst\nTEXT=***\n"
	for text, want := range map[string]bool{
		Text(env):                             true,
		"API_KEY=***\n":                       true,
		"API_KEY=supers…2345\n":               true,
		"key: sk-abc…qrst":                    true,
		"DB_PASSWORD=***\n":                   true,
		"DB_PASSWORD=another\nX=***\n":        false,
		"# keys\nAPI_KEY=new\n":               false,
		"TEXT=***\n":                          false, // the file has it so
		"wait… what":                          false,
		strings.ReplaceAll(env, "keys", "k…"): false,
	} {
		if got := Masked(text, env); (got != "") != want {
			t.Errorf("%q: mask %q, want one: %v", text, got, want)
		}
	}
	pem := "x\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n"
	if Masked(Text(pem), pem) == "" || Masked(pem, pem) != "" {
		t.Error("a key block")
	}
}

func TestCodeKeepsItsNames(t *testing.T) {
	if !IsCode("a/b.GO") || IsCode(".env") || IsCode("settings.ini") || IsCode("") {
		t.Error("what is code")
	}
}
