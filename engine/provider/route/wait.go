package route

import (
	"context"
	"time"

	"talaria/engine"
)

// patience is the longest wait that a server may ask for without the user being asked (RULINGS 5).
const patience = 120 * time.Second

// delay is how long to wait after the counted failure number try. What the server asks for is exact plus at most a
// second; only computed delays are spread widely (BEHAVIOUR 4.3, RULINGS 5).
func (r *route) delay(asked time.Duration, try int) time.Duration {
	if asked > 0 {
		return asked + time.Duration(r.o.Rand()*float64(time.Second))
	}
	d := r.o.Base
	for i := 1; i < try && d < r.o.Max; i++ {
		d *= 2
	}
	d = min(d, r.o.Max)
	return d + time.Duration(r.o.Rand()*0.5*float64(d))
}

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
