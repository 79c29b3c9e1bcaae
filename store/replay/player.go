package replay

import (
	"context"
	"sync"
	"time"

	"talaria/engine"
)

// Player plays a tape. It is the engine that the screen drives; ops do nothing.
type Player struct {
	tape   Tape
	events chan engine.Event
	mu     sync.Mutex
	state  engine.Playing
	wake   chan struct{} // something changed while it waited
	skip   bool
}

// The bounds of the speed.
const slowest, fastest = 1.0 / 8, 64.0

// New returns a player that waits for Run.
func New(t Tape, speed float64) *Player {
	p := &Player{tape: t, events: make(chan engine.Event), wake: make(chan struct{}, 1)}
	p.state.Speed = min(max(speed, slowest), fastest)
	for _, s := range t.Steps {
		p.state.Total += s.After
	}
	return p
}

// Run plays until ctx ends, and then closes the events. At the end of the tape it waits: there is something to look at.
func (p *Player) Run(ctx context.Context) {
	defer close(p.events)
	opened := p.tape.Session
	opened.Turns, opened.Usage, opened.Changed, opened.Cost, opened.Context = 0, engine.Usage{}, nil, new(float64), 0
	if opened.Route.Model == "" {
		opened.Route.Model = "replay" // or the screen asks for a connection
	}
	p.tell(ctx, engine.Opened{Session: opened})
	if p.tape.Torn {
		p.tell(ctx, engine.Noted{Kind: engine.NoteInfo, Text: "The last line of this journal was cut by a crash; it ends before it."})
	}
	for _, s := range p.tape.Steps {
		if !p.wait(ctx, s.After) {
			return
		}
		p.tell(ctx, s.Event)
	}
	p.mu.Lock()
	p.state.Over, p.state.At = true, p.state.Total
	p.mu.Unlock()
	p.tell(ctx, engine.Noted{Kind: engine.NoteInfo, Text: "End of the replay. Esc leaves."})
	<-ctx.Done()
}

func (p *Player) tell(ctx context.Context, e engine.Event) {
	select {
	case p.events <- e:
	case <-ctx.Done():
	}
}

// wait lets d of the session's time pass; false when ctx ended.
func (p *Player) wait(ctx context.Context, d time.Duration) bool {
	for d > 0 {
		p.mu.Lock()
		speed, paused, skip := p.state.Speed, p.state.Paused, p.skip
		p.skip = false
		p.mu.Unlock()
		if skip {
			break
		}
		left := time.Duration(float64(d) / speed)
		if paused {
			left = time.Hour
		}
		began := time.Now()
		timer := time.NewTimer(left)
		select {
		case <-timer.C:
		case <-p.wake:
		case <-ctx.Done():
			timer.Stop()
			return false
		}
		timer.Stop()
		if !paused {
			passed := min(d, time.Duration(float64(time.Since(began))*speed)+1)
			d -= passed
			p.moved(passed)
		}
	}
	p.moved(d)
	return ctx.Err() == nil
}

func (p *Player) moved(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.At += d
}

// change changes the state and wakes the wait.
func (p *Player) change(f func()) {
	p.mu.Lock()
	f()
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Do does nothing: what is played has happened.
func (p *Player) Do(engine.Op) {}

// Events are what is played.
func (p *Player) Events() <-chan engine.Event { return p.events }

// Playing is how far it is.
func (p *Player) Playing() engine.Playing {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state
}

// Pause stops the time, or lets it go on.
func (p *Player) Pause(on bool) { p.change(func() { p.state.Paused = on }) }

// Faster doubles or halves the speed.
func (p *Player) Faster(up bool) {
	p.change(func() {
		factor := 0.5
		if up {
			factor = 2
		}
		p.state.Speed = min(max(p.state.Speed*factor, slowest), fastest)
	})
}

// Skip ends the wait for the next step, also in a pause.
func (p *Player) Skip() { p.change(func() { p.skip = true }) }
