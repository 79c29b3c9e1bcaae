package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"go.yaml.in/yaml/v3"
)

// Hooks remembers which hook commands the user has seen and agreed to. A command that is changed by one character is a
// new one; what stands in a script that it names is the user's own care.
type Hooks struct{ path string }

// OpenHooks returns the agreements kept in the file at path, which need not exist.
func OpenHooks(path string) Hooks { return Hooks{path} }

type agreedHook struct {
	Hook    string    `yaml:"hook"`
	Command string    `yaml:"command"`
	At      time.Time `yaml:"at"`
}

type hookFile struct {
	Agreed []agreedHook `yaml:"agreed"`
}

// Has reports whether the user agreed to the command at that point. A file that cannot be read agrees to nothing.
func (h Hooks) Has(point, command string) bool {
	f, err := h.read()
	if err != nil {
		return false
	}
	for _, a := range f.Agreed {
		if a.Hook == point && a.Command == command {
			return true
		}
	}
	return false
}

// Add keeps that the user agreed.
func (h Hooks) Add(point, command string, at time.Time) error {
	f, err := h.read()
	if err != nil {
		return err // never write over what could not be read
	}
	f.Agreed = append(f.Agreed, agreedHook{point, command, at.UTC().Truncate(time.Second)})
	data, err := yaml.Marshal(f)
	if err != nil {
		return fmt.Errorf("remember that a hook may run: %w", err)
	}
	return writeFile(h.path, data)
}

func (h Hooks) read() (hookFile, error) {
	var f hookFile
	data, err := os.ReadFile(h.path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("read the hooks that were agreed to: %w", err)
	}
	if err := yaml.Unmarshal(data, &f); err != nil {
		return hookFile{}, syntaxFault(h.path, err)
	}
	return f, nil
}
