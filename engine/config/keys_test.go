package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"
)

func TestAPastedKeyIsKeptInAFileWhenThereIsNoKeyring(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d", "keys.yaml")
	k := OpenKeys(path, deadRing{})
	in, err := k.Save("openai", "https://api.openai.com/v1", "  'sk-one' ")
	if err != nil || in != InFile {
		t.Fatal(in, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	again := OpenKeys(path, deadRing{})
	if key, in, err := again.Lookup("openai", "HTTPS://api.openai.com/v1/"); key != "sk-one" || in != InFile || err != nil {
		t.Errorf("%q %q %v", key, in, err)
	}
	for _, where := range [][2]string{{"openai", "http://127.0.0.1/v1"}, {"custom", "https://api.openai.com/v1"}, {"openai", "https://api.openai.com/v2"}} {
		if key, _, _ := again.Lookup(where[0], where[1]); key != "" {
			t.Errorf("the key goes to %v as well", where)
		}
	}
	if err := again.Delete("openai", "https://api.openai.com/v1"); err != nil {
		t.Fatal(err)
	}
	if key, _, _ := k.Lookup("openai", "https://api.openai.com/v1"); key != "" {
		t.Error("a deleted key is still there")
	}
	if _, err := k.Save("openai", "https://api.openai.com/v1", " "); err == nil {
		t.Error("an empty key was saved")
	}
}

func TestAPastedKeyIsKeptInTheKeyringAndNotInAFile(t *testing.T) {
	keyring.MockInit()
	path := filepath.Join(t.TempDir(), "keys.yaml")
	k := OpenKeys(path, nil)
	in, err := k.Save("openai", "https://api.openai.com/v1", "sk-ring")
	if err != nil || in != InRing {
		t.Fatal(in, err)
	}
	if data, _ := os.ReadFile(path); strings.Contains(string(data), "sk-ring") {
		t.Errorf("the key is in the file too: %s", data)
	}
	if key, in, err := OpenKeys(path, nil).Lookup("openai", "https://api.openai.com/v1"); key != "sk-ring" || in != InRing || err != nil {
		t.Errorf("%q %q %v", key, in, err)
	}
	if list, _ := k.List(); len(list) != 1 || list[0] != (Entry{"openai", "https://api.openai.com/v1", InRing}) {
		t.Errorf("%v", list)
	}
	if err := k.Delete("openai", "https://api.openai.com/v1"); err != nil {
		t.Fatal(err)
	}
	if list, _ := k.List(); len(list) != 0 {
		t.Errorf("%v", list)
	}
}

func TestAKeyringThatHangsIsLeftAlone(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	r := &osRing{limit: 10 * time.Millisecond}
	if _, err := limited(r, func() (string, error) { <-hang; return "", nil }); err != errNoRing {
		t.Fatal(err)
	}
	asked := false
	if _, err := limited(r, func() (string, error) { asked = true; return "", nil }); err != errNoRing || asked {
		t.Error("it is asked again, and the user waits again")
	}
}

func TestABrokenKeysFileIsNeitherQuotedNorWrittenOver(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "keys.yaml"), "keys: sk-very-secret\n")
	k := OpenKeys(path, deadRing{})
	_, _, err := k.Lookup("openai", "x")
	if err == nil || strings.Contains(err.Error(), "sk-very") {
		t.Errorf("%v", err)
	}
	if _, err := k.Save("openai", "x", "sk-new"); err == nil {
		t.Error("a file that could not be read was written over")
	}
}

func TestAKeyIsTrimmedOfWhatPastingAddsAndNeverQuotedInAnError(t *testing.T) {
	for in, want := range map[string]string{" sk-a\n": "sk-a", "\"sk-a\"": "sk-a", "“sk-a”": "sk-a", "\ufeffsk-a\u200b": "sk-a", "": "", "  ": "", "«sk-a»": "sk-a"} {
		if got, err := CleanKey(in); got != want || err != nil {
			t.Errorf("CleanKey(%q) = %q, %v", in, got, err)
		}
	}
	for in, want := range map[string]string{"sk-“a": "position 4 (U+201C)", "sk a": "position 3 (U+0020)", "sk-é": "position 4 (U+00E9)", "a\x00b": "position 2 (U+0000)", "юююююю": "and more"} {
		got, err := CleanKey(in)
		if err == nil || got != "" || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "sk") {
			t.Errorf("CleanKey(%q) = %q, %v", in, got, err)
		}
	}
}
