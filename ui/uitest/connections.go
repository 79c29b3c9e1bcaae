package uitest

import (
	"context"

	"talaria/engine"
)

// Connections is what the connect and model screens find. Fault is what Test and Save answer.
type Connections struct {
	Ready   []engine.Connection // what the environment allows
	Servers []engine.Connection // that answer on this machine
	Fault   error
	Saved   []engine.Connection
}

// Known returns Ready.
func (c *Connections) Known() []engine.Connection { return c.Ready }

// Local returns Servers.
func (c *Connections) Local(context.Context) []engine.Connection { return c.Servers }

// Models returns what the connection offers.
func (c *Connections) Models(_ context.Context, one engine.Connection, _ string) ([]string, error) {
	return one.Models, c.Fault
}

// Test answers Fault.
func (c *Connections) Test(context.Context, engine.Connection, string) error { return c.Fault }

// Save notes the connection.
func (c *Connections) Save(_ context.Context, one engine.Connection, _ string) (string, error) {
	c.Saved = append(c.Saved, one)
	return "the keys file", c.Fault
}
