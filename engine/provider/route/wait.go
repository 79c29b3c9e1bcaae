package route

import (
	"context"
	"time"

	"talaria/engine"
)

// delay is how long to wait after the counted failure number try. What the server asks for is exact plus at most a
// second; only computed delays are spread widely (BEHAVIOUR 4.3, RULINGS 5).
func (c *Chain) delay(asked time.Duration, try int) time.Duration {
	if asked > 0 {
		return asked + c.spread()
	}
	d := c.o.Base
	for i := 1; i < try && d < c.o.Max; i++ {
		d *= 2
	}
	d = min(d, c.o.Max)
	return d + time.Duration(c.o.Rand()*0.5*float64(d))
}

// spread is what is added to a wait that is known exactly, so that programs do not come back in step.
func (c *Chain) spread() time.Duration { return time.Duration(c.o.Rand() * float64(time.Second)) }

// wait sleeps for d by the request's own Wait, which the user can cut short, or a timer.
func wait(ctx context.Context, req engine.Request, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	if req.Wait != nil {
		return req.Wait(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
