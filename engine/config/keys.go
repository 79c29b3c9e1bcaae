package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// Keys are the keys that the user pasted: in the keyring of the operating system when it answers, else in keys.yaml.
// Each belongs to one address and is found by that address only. It is safe for concurrent use.
type Keys struct {
	path string
	ring Ring
	mu   sync.Mutex
}

// Entry says that a key is kept, without the key. In is "keyring" or "keys.yaml".
type Entry struct {
	Provider string
	BaseURL  string
	In       string
}

// Where a key is kept; also what Route.KeyEnv says of a stored key.
const (
	InRing = "keyring"
	InFile = "keys.yaml"
)

// keyEntry is a line of keys.yaml. Key is "" when the keyring has it: the line then says only that it is worth asking.
type keyEntry struct {
	Provider string `yaml:"provider"`
	BaseURL  string `yaml:"base_url"`
	Key      string `yaml:"key,omitempty"`
}

type keyFile struct {
	Keys []keyEntry `yaml:"keys"`
}

// OpenKeys returns the keys whose list is the file at path. A nil ring is the one of this machine.
func OpenKeys(path string, ring Ring) *Keys {
	if ring == nil {
		ring = &osRing{limit: ringLimit}
	}
	return &Keys{path: path, ring: ring}
}

// Lookup returns the key that was saved for provider at baseURL and where it is kept, or "" when there is none.
// A keyring that refuses is an error; it is asked only for keys that were put there.
func (k *Keys) Lookup(provider, baseURL string) (key, in string, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f, err := k.read()
	if err != nil {
		return "", "", err
	}
	i := f.index(provider, baseURL)
	if i < 0 {
		return "", "", nil
	}
	if f.Keys[i].Key != "" {
		return f.Keys[i].Key, InFile, nil
	}
	key, err = k.ring.Get(ringName(provider, baseURL))
	if err != nil {
		return "", "", fmt.Errorf("read the key for %s from the keyring: %w", provider, err)
	}
	return key, InRing, nil
}

// Save keeps key for provider at baseURL and returns where: the keyring, or keys.yaml with mode 0600.
func (k *Keys) Save(provider, baseURL, key string) (in string, err error) {
	key, err = CleanKey(key)
	if err != nil {
		return "", err
	}
	if key == "" {
		return "", errors.New("save the key: it is empty")
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	f, err := k.read()
	if err != nil {
		return "", err // never write over what could not be read
	}
	e, in := keyEntry{Provider: provider, BaseURL: baseURL}, InRing
	if k.ring.Set(ringName(provider, baseURL), key) != nil {
		e.Key, in = key, InFile
	}
	if i := f.index(provider, baseURL); i >= 0 {
		f.Keys[i] = e
	} else {
		f.Keys = append(f.Keys, e)
	}
	return in, k.write(f)
}

// Delete forgets the key for provider at baseURL.
func (k *Keys) Delete(provider, baseURL string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	f, err := k.read()
	i := f.index(provider, baseURL)
	if err != nil || i < 0 {
		return err
	}
	if f.Keys[i].Key == "" {
		if err := k.ring.Delete(ringName(provider, baseURL)); err != nil {
			return fmt.Errorf("remove the key for %s from the keyring: %w", provider, err)
		}
	}
	f.Keys = slices.Delete(f.Keys, i, i+1)
	return k.write(f)
}

// List tells which keys are kept, without asking the keyring.
func (k *Keys) List() ([]Entry, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f, err := k.read()
	var out []Entry
	for _, e := range f.Keys {
		in := InFile
		if e.Key == "" {
			in = InRing
		}
		out = append(out, Entry{e.Provider, e.BaseURL, in})
	}
	return out, err
}

func (f keyFile) index(provider, baseURL string) int {
	return slices.IndexFunc(f.Keys, func(e keyEntry) bool { return e.Provider == provider && sameAddress(e.BaseURL, baseURL) })
}

func (k *Keys) read() (keyFile, error) {
	var f keyFile
	data, err := os.ReadFile(k.path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("read the saved keys: %w", err)
	}
	if yaml.Unmarshal(data, &f) != nil { // the text of a YAML error may quote the file, so it is not passed on
		return keyFile{}, &Fault{File: k.path, Problem: "not a list of keys", Expected: "the file as it was written; remove it to start again"}
	}
	return f, nil
}

func (k *Keys) write(f keyFile) error {
	data, err := yaml.Marshal(f)
	if err != nil {
		return fmt.Errorf("write the saved keys: %w", err)
	}
	return writeFile(k.path, data)
}

func ringName(provider, baseURL string) string { return provider + " " + canonical(baseURL) }

// quotes are what editors and chat programs put around a pasted key.
const quotes = "\"'`“”‘’«»„‚‹›"

// CleanKey takes blanks and quotes off the ends of a pasted key and refuses what no key holds. The error gives places,
// counted from 1, and never the key.
func CleanKey(raw string) (string, error) {
	key := strings.TrimFunc(raw, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(quotes, r)
	})
	var bad []string
	for i, r := range []rune(key) {
		if r <= ' ' || r > '~' {
			bad = append(bad, fmt.Sprintf("%d (%U)", i+1, r))
		}
	}
	if len(bad) > 5 {
		bad = append(bad[:5], "and more")
	}
	if bad != nil {
		return "", fmt.Errorf("the key has characters that no key has, at position %s: copy it again", strings.Join(bad, ", "))
	}
	return key, nil
}
