package dialog

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
)

// proceed takes the next step towards a working connection: a model, a test, saving.
func (c *Connector) proceed() tea.Cmd {
	t := &c.try
	switch {
	case t.conn.Route.Model != "":
		t.doing = "Testing " + name(t.conn) + "…"
		return c.run(c.deps.Test(t.conn, t.key))
	case len(t.conn.Models) > 0:
		c.models, c.stage = newModelList(t.conn.Models), stageModels
		return nil
	}
	t.doing = "Asking " + name(t.conn) + " for its models…"
	return c.run(c.deps.Models(t.conn, t.key))
}

// run starts cmd and marks what it brings with this attempt.
func (c *Connector) run(cmd tea.Cmd) tea.Cmd {
	c.try.number++
	c.stage = stageWaiting
	number := c.try.number
	if cmd == nil {
		return nil
	}
	return func() tea.Msg { return answered{number, cmd()} }
}

func (c *Connector) outcome(msg tea.Msg) (tea.Cmd, bool) {
	t := &c.try
	switch msg := msg.(type) {
	case Offered:
		switch {
		case msg.Err != nil:
			c.fail(msg.Err)
		case len(msg.Models) == 0:
			c.stage, t.problem = stageFailed, name(t.conn)+" offers no models. Load one there and press Enter, or press Esc."
		default:
			c.models, c.stage = newModelList(msg.Models), stageModels
		}
	case Tested:
		if msg.Err != nil {
			c.fail(msg.Err)
			return nil, false
		}
		t.doing = name(t.conn) + " works. Saving…"
		return c.run(c.deps.Save(t.conn, t.key)), false
	case Saved:
		if msg.Err != nil {
			c.stage = stageFailed
			t.problem = fmt.Sprintf("%s works, but it could not be saved: %s. Enter tries again, Esc goes back.", name(t.conn), OneLine(msg.Err.Error()))
			return nil, false
		}
		c.note = msg.Where
		t.key = ""
		return c.deps.Use(t.conn), true
	}
	return nil, false
}

// fail says what happened, what became of the key, and what can be done.
func (c *Connector) fail(err error) {
	t := &c.try
	e := engine.AsError(err)
	c.stage = stageFailed
	status := ""
	if e.Status != 0 {
		status = fmt.Sprintf(" (%d)", e.Status)
	}
	switch {
	case e.Reason == engine.ReasonAuth || e.Reason == engine.ReasonAuthPermanent:
		if t.key != "" {
			t.problem = fmt.Sprintf("%s did not accept this key%s. It was not saved. Paste another or press Esc.", name(t.conn), status)
			if t.back == stageForm { // the form is still there: a new paste goes straight in
				c.form.clearKey()
				c.form.problem, c.stage = t.problem, stageForm
			}
			return
		}
		t.problem = fmt.Sprintf("%s did not accept the key%s (%s). Set another, or press Esc and paste one.", name(t.conn), status, OneLine(t.conn.Found))
	case e.Code == engine.CodeNoConnection:
		t.problem = fmt.Sprintf("Nothing answers at %s. Is the address right, and the network up? Enter tries again, Esc goes back.", where(t.conn))
	default:
		t.problem = fmt.Sprintf("%s: %s%s.", name(t.conn), OneLine(e.Message), status)
		if e.Hint != "" {
			t.problem += " " + OneLine(e.Hint)
		}
		t.problem += " Enter tries again, Esc goes back."
	}
}

// again repeats the step that failed; after a refused key that is the form.
func (c *Connector) again() tea.Cmd { return c.proceed() }

func name(c engine.Connection) string {
	switch {
	case c.Name != "":
		return OneLine(c.Name)
	case c.Route.Provider != "":
		return OneLine(c.Route.Provider)
	}
	return "The server"
}

func where(c engine.Connection) string {
	if c.Route.BaseURL != "" {
		return OneLine(c.Route.BaseURL)
	}
	return name(c)
}

// formKey moves between the fields; Enter in the last one goes on.
func (c *Connector) formKey(k tea.KeyPressMsg) tea.Cmd {
	if k.Keystroke() != "enter" {
		c.form.update(k)
		return nil
	}
	conn, key, ok := c.form.done()
	if !ok {
		return nil
	}
	c.try = attempt{number: c.try.number, conn: conn, key: key, back: stageForm}
	return c.proceed()
}

func (c *Connector) modelKey(k tea.KeyPressMsg) tea.Cmd {
	if k.Keystroke() != "enter" {
		c.models.update(k)
		return nil
	}
	model := c.models.chosen()
	if model == "" {
		return nil
	}
	c.try.conn.Route.Model = model
	return c.proceed()
}
