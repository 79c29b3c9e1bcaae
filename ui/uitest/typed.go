package uitest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"talaria/engine"
)

// Refs is what "@" can name, played by the test: All are the paths, What what is sent for a reference.
type Refs struct {
	All  []string
	What map[string]string
}

// Memory takes what is remembered; Err, when set, refuses it.
type Memory struct {
	Err  error
	mu   sync.Mutex
	kept []string
}

// Pages has none.
func (f *Memory) Pages(context.Context) ([]engine.NotePage, error) { return nil, nil }

// Paths returns All.
func (f *Refs) Paths(context.Context) ([]string, error) { return f.All, nil }

// Describe returns What; a reference that it does not know cannot be attached.
func (f *Refs) Describe(_ context.Context, ref string) (string, error) {
	if what := f.What[ref]; what != "" {
		return what, nil
	}
	return "", errors.New("there is no such file")
}

// Change notes what is added.
func (f *Memory) Change(_ context.Context, page, _, text string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Err == nil {
		f.kept = append(f.kept, page+" "+text)
	}
	return f.Err
}

// Kept is what was remembered: the page, then the text.
func (f *Memory) Kept() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.kept...)
}

// Shell is a shell that prints what the test says; with Hang a command runs until it is stopped.
type Shell struct {
	Prints string
	Hang   bool
	mu     sync.Mutex
	ran    []string
}

// List, Changed, Tail and End are those of an empty background.

// List is empty.
func (*Shell) List() []engine.Process { return nil }

// Changed never closes.
func (*Shell) Changed() <-chan struct{} { return nil }

// Tail knows no process.
func (*Shell) Tail(string, int) (string, error) { return "", errors.New("no such process") }

// End knows no process.
func (*Shell) End(string) error { return errors.New("no such process") }

// Shell notes a command, and whether the model is told.
func (s *Shell) Shell(ctx context.Context, command string, tell bool) (engine.Result, error) {
	s.mu.Lock()
	s.ran = append(s.ran, fmt.Sprintf("%v %s", tell, command))
	s.mu.Unlock()
	if s.Hang {
		<-ctx.Done()
		return engine.Result{}, ctx.Err()
	}
	return engine.Result{Text: s.Prints}, nil
}

// Ran are the commands since the start.
func (s *Shell) Ran() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.ran...)
}
