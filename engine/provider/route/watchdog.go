package route

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/engine"
)

// errSilent is the cause of a context that the watchdog ended.
var errSilent = errors.New("no data")

// watchdog ends an attempt whose provider sends no data (RULINGS 4). Its clock runs only while the provider is asked for
// more, not while the consumer is busy.
type watchdog struct {
	clock *time.Timer
	quiet time.Duration
	end   context.CancelCauseFunc
}

func (s *station) watch(ctx context.Context, estimate int, plain bool) (context.Context, *watchdog) {
	ctx, cancel := context.WithCancelCause(ctx)
	quiet := s.quiet(estimate, plain)
	return ctx, &watchdog{time.AfterFunc(quiet, func() { cancel(errSilent) }), quiet, cancel}
}

func (w *watchdog) stop()  { w.clock.Stop() }
func (w *watchdog) reset() { w.clock.Reset(w.quiet) }

func (w *watchdog) leave() {
	w.clock.Stop()
	w.end(nil)
}

// blame returns err, or the watchdog's own when it ended the attempt. That does not wrap err: a cancelled context would
// look like the user's stop.
func (w *watchdog) blame(ctx context.Context, err error) error {
	if !errors.Is(context.Cause(ctx), errSilent) {
		return err
	}
	return &engine.Error{
		Reason:  engine.ReasonTimeout,
		Message: fmt.Sprintf("connected, no data for %d s", int(w.quiet.Seconds())),
		Hint:    "the server may be overloaded; for a slow model raise no_data_seconds",
		Err:     errSilent,
	}
}

// quiet is how long the provider may send no data, given the estimated input tokens. Without streaming the whole reply is
// one piece of data, so it takes as long as a reply takes.
func (s *station) quiet(estimate int, plain bool) time.Duration {
	const usual, whole = 180 * time.Second, 900 * time.Second
	switch {
	case s.NoData > 0:
		return s.NoData
	case plain:
		return whole
	case estimate > 100_000:
		return usual * 27 / 10
	case estimate > 50_000:
		return usual * 17 / 10
	}
	return usual
}
