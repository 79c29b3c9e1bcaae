package providertest

import (
	"context"
	"fmt"
	"time"

	"talaria/engine"
)

// Reply is what a stream came to.
type Reply struct {
	Deltas  []engine.Delta
	Message engine.Message
	Done    *engine.Done // nil when the reply did not end well
	Err     error
}

// Collect reads one reply to its end. It fails loudly, as an error, when the sequence breaks its contract: something
// after Done or an error, or a call whose id or name was told twice.
func Collect(ctx context.Context, p engine.Provider, req engine.Request) Reply {
	var r Reply
	var fold engine.Fold
	named, ided := map[int]bool{}, map[int]bool{}
	over := false
	for d, err := range p.Stream(ctx, req) {
		if over {
			return Reply{Err: fmt.Errorf("providertest: %#v, %v came after the end", d, err)}
		}
		if err != nil {
			r.Err, over = err, true
			continue
		}
		if c, ok := d.(engine.CallDelta); ok {
			if c.Name != "" && named[c.Index] || c.ID != "" && ided[c.Index] {
				return Reply{Err: fmt.Errorf("providertest: slot %d was told its id or name twice: %+v", c.Index, c)}
			}
			named[c.Index], ided[c.Index] = named[c.Index] || c.Name != "", ided[c.Index] || c.ID != ""
		}
		if done, ok := d.(engine.Done); ok {
			r.Done, over = &done, true
		}
		r.Deltas = append(r.Deltas, d)
		fold.Add(d)
	}
	if !over {
		return Reply{Err: fmt.Errorf("providertest: the sequence stopped without Done or an error")}
	}
	r.Message = fold.Message(time.Time{})
	r.Message.ID = ""
	return r
}
