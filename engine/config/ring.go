package config

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/zalando/go-keyring"

	"talaria/engine"
)

// Ring is a keyring of the operating system.
type Ring interface {
	Get(user string) (string, error)
	Set(user, key string) error
	Delete(user string) error
}

const (
	ringService = "talaria"
	ringLimit   = 2 * time.Second // a locked keyring may wait for a dialog that nobody sees
)

// errNoRing means that the keyring did not answer in time; it is not asked again in this run.
var errNoRing = errors.New("the keyring did not answer")

// osRing is the keyring of this machine, asked with a time limit.
type osRing struct {
	limit time.Duration
	dead  atomic.Bool
}

func (r *osRing) Get(user string) (key string, err error) {
	return limited(r, func() (string, error) { return keyring.Get(ringService, user) })
}

func (r *osRing) Set(user, key string) error {
	_, err := limited(r, func() (string, error) { return "", keyring.Set(ringService, user, key) })
	return err
}

func (r *osRing) Delete(user string) error {
	_, err := limited(r, func() (string, error) { return "", keyring.Delete(ringService, user) })
	return err
}

// limited runs ask, but waits no longer than the ring's limit for it.
func limited(r *osRing, ask func() (string, error)) (string, error) {
	if r.dead.Load() {
		return "", errNoRing
	}
	type reply struct {
		key string
		err error
	}
	done := make(chan reply, 1)
	engine.Go("keyring", func() {
		key, err := ask()
		done <- reply{key, err}
	})
	timer := time.NewTimer(r.limit)
	defer timer.Stop()
	select {
	case got := <-done:
		return got.key, got.err
	case <-timer.C:
		r.dead.Store(true)
		return "", errNoRing
	}
}
