package dial

import (
	"reflect"

	"talaria/engine"
	"talaria/engine/config"
)

// task is the stack of a side task, for as long as it is asked of the same models.
type task struct {
	resolved []config.Resolved
	stack    engine.Provider
}

// Auxiliary returns what the side task name is asked through in a conversation with main, and who is asked first. A task
// without a model of its own is asked of main; without fallbacks of its own main's are used, since it is main's request
// then. It waits for no network and offers no wait: who asks can do without.
func (d *Dialer) Auxiliary(name string, main config.Resolved) (engine.Provider, engine.Route, error) {
	t, _, err := d.resolver.Auxiliary(name, main.Route)
	if err != nil {
		return nil, engine.Route{}, err
	}
	if !t.Own {
		t.Main = main
		if len(t.Fallbacks) == 0 {
			t.Fallbacks, _ = d.resolver.Fallbacks()
		}
	}
	if t.Main.Route.Provider == DemoProvider {
		return nil, engine.Route{}, &engine.Error{Reason: engine.ReasonModelNotFound, Message: "the demo model is scripted: it has no side tasks"}
	}
	all := append([]config.Resolved{t.Main}, t.Fallbacks...)
	d.mu.Lock()
	kept, ok := d.aux[name]
	d.mu.Unlock()
	if ok && reflect.DeepEqual(kept.resolved, all) {
		return kept.stack, t.Main.Route, nil
	}
	stack, err := d.chain(t.Main, t.Fallbacks, false)
	if err != nil {
		return nil, engine.Route{}, err
	}
	d.mu.Lock()
	d.aux[name] = task{all, stack}
	d.mu.Unlock()
	return stack, t.Main.Route, nil
}
