package feed

import (
	"fmt"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

// A call whose arguments are longer than this many bytes is shown while they are still being written.
const longArgs = 400

// writing shows that the model writes the arguments of a call; it goes when the call is there.
type writing struct {
	face
	slot int
	name string
	size int
}

func (w *writing) Render(width int) []string {
	text := w.sheet.Words(fmt.Sprintf("%s writing the call of %s · %s", w.sheet.Glyphs.Running, w.name, bytesOf(w.size)))
	return []string{w.sheet.Ink(themes.FgMuted, w.sheet.Truncate(text, width))}
}

// delta takes a piece of the reply that is arriving.
func (f *Feed) delta(d engine.Delta) {
	switch d := d.(type) {
	case engine.TextDelta:
		f.says(d.Text)
	case engine.ThoughtDelta:
		f.thinks(d)
	case engine.CallDelta:
		f.writes(d)
	case engine.OpaqueDelta:
	case engine.Retry:
		f.again(d)
	case engine.Done:
		f.settle()
		f.closeThought()
	}
}

func (f *Feed) says(text string) {
	if text == "" {
		return
	}
	f.settle()
	r, ok := f.lastLive().(*reply)
	if !ok {
		f.closeThought()
		r = &reply{face: face{kit: f.kit}, open: true}
		f.live = append(f.live, r)
		f.add(r, false)
	}
	r.append(text)
}

func (f *Feed) thinks(d engine.ThoughtDelta) {
	t, ok := f.lastLive().(*thought)
	if !ok || !t.open {
		if strings.TrimSpace(d.Text) == "" {
			return // a seal without words shows nothing
		}
		f.settle()
		t = &thought{face: face{kit: f.kit}, open: true, began: f.now()}
		t.now = t.began
		f.live = append(f.live, t)
		f.add(t, false)
	}
	t.append(d.Text, d.Signature != "")
}

func (f *Feed) writes(d engine.CallDelta) {
	f.settle()
	f.closeThought()
	var w *writing
	for _, b := range f.live {
		if x, ok := b.(*writing); ok && x.slot == d.Index {
			w = x
		}
	}
	if w == nil {
		w = &writing{face: face{kit: f.kit, hidden: true}, slot: d.Index}
		f.live = append(f.live, w)
		f.add(w, true)
	}
	w.name += flat(d.Name)
	w.size += len(d.Args)
	w.hidden = w.size < longArgs
	w.changed()
}

// again tells of a failure that is recovered from. Unless the reply goes on where it was, what it showed so far is
// taken back, so that no word stands there twice (S25).
func (f *Feed) again(d engine.Retry) {
	if !d.Keep {
		for _, b := range f.live {
			hide(b)
		}
		f.live = nil
	}
	err := d.Err
	if err == nil {
		err = &engine.Error{Reason: engine.ReasonUnknown}
	}
	head := happened(err, f.route)
	if d.Provider != "" {
		f.route.Provider, f.route.Model = d.Provider, d.Model
	}
	if f.retry != nil {
		f.retry.again(d, head, f.now())
		return
	}
	r := &retry{face: face{kit: f.kit}}
	r.again(d, head, f.now())
	f.retry = r
	f.add(r, false)
}

// settle is called when something arrives: a wait is over. A continuation leaves no trace, since nothing was lost.
func (f *Feed) settle() {
	if f.retry == nil {
		return
	}
	if f.retry.last.Keep {
		f.retry.hide()
	} else {
		f.retry.settle()
	}
	f.retry = nil
}

func (f *Feed) lastLive() Block {
	if len(f.live) == 0 {
		return nil
	}
	return f.live[len(f.live)-1]
}

func (f *Feed) closeThought() {
	if t, ok := f.lastLive().(*thought); ok && t.open {
		t.Tick(f.now())
		t.close()
	}
}

// closeLive ends a reply that no message follows: what was shown stays.
func (f *Feed) closeLive() {
	f.closeThought()
	for _, b := range f.live {
		switch b := b.(type) {
		case *reply:
			b.close()
		case *thought:
			b.close()
		case *writing:
			b.hide()
		}
	}
	f.live = nil
}

func hide(b Block) {
	if h, ok := b.(interface{ hide() }); ok {
		h.hide()
	}
}

// message takes a finished message. What it says was perhaps on screen already, piece by piece: then those blocks
// become it, in order, and nothing moves.
func (f *Feed) message(m engine.Message) {
	if m.Summary { // a compressed session begins with it; the turns it stands for are in the parent
		f.add(&summarised{face: face{kit: f.kit}, summary: style.Safe(m.Text())}, false)
		return
	}
	switch m.Role {
	case engine.RoleUser:
		f.user(m)
	case engine.RoleAssistant:
		f.assistant(m)
	case engine.RoleTool:
		for _, r := range m.Results() {
			f.end(r, 0, "")
		}
		if text := m.Text(); text != "" {
			f.add(&said{face: face{kit: f.kit}, text: style.Safe(text), steer: true}, false)
		}
	case engine.RoleSystem:
	}
}

func (f *Feed) user(m engine.Message) {
	f.retire()
	text := style.Safe(m.Text())
	for _, p := range m.Parts {
		if img, ok := p.(engine.Image); ok {
			text += fmt.Sprintf("\n[image %s]", flat(img.Name))
		}
	}
	f.add(&said{face: face{kit: f.kit, id: m.ID}, text: strings.Trim(text, "\n"), steer: m.Steer}, false)
}

func (f *Feed) assistant(m engine.Message) {
	f.settle()
	f.closeThought()
	live := f.live
	f.live = nil
	if f.told.id == m.ID && m.ID != "" {
		live = append(slices.Clone(f.told.blocks), live...)
	}
	now := told{id: m.ID}
	for _, p := range joined(m.Parts) {
		switch p := p.(type) {
		case engine.Text:
			r, rest := take[*reply](live)
			if live = rest; r == nil {
				r = &reply{face: face{kit: f.kit}}
				f.add(r, false)
			}
			r.id = m.ID
			r.set(p.Text, m.Aside)
			now.blocks = append(now.blocks, r)
		case engine.Thought:
			t, rest := take[*thought](live)
			if live = rest; t == nil {
				t = &thought{face: face{kit: f.kit}}
				f.add(t, false)
			}
			t.set(p.Text)
			now.blocks = append(now.blocks, t)
		case engine.Call:
			f.made[p.ID] = p
		case engine.Image, engine.Result, engine.Opaque, engine.Unknown:
		}
	}
	for _, b := range live {
		hide(b)
	}
	f.told = now
}

// take removes the first block of type B from live; nil when there is none.
func take[B Block](live []Block) (B, []Block) {
	for i, b := range live {
		if x, ok := b.(B); ok {
			return x, append(live[:i:i], live[i+1:]...)
		}
	}
	var none B
	return none, live
}

// joined merges neighbouring texts and neighbouring thoughts, as they are shown, and leaves empty ones out.
func joined(parts engine.Parts) engine.Parts {
	var out engine.Parts
	for _, p := range parts {
		switch p := p.(type) {
		case engine.Text:
			if strings.TrimSpace(p.Text) == "" {
				continue
			}
			if n := len(out); n > 0 {
				if last, ok := out[n-1].(engine.Text); ok {
					out[n-1] = engine.Text{Text: last.Text + p.Text}
					continue
				}
			}
			out = append(out, p)
		case engine.Thought:
			if strings.TrimSpace(p.Text) == "" {
				continue
			}
			if n := len(out); n > 0 {
				if last, ok := out[n-1].(engine.Thought); ok {
					out[n-1] = engine.Thought{Text: last.Text + "\n\n" + p.Text}
					continue
				}
			}
			out = append(out, p)
		case engine.Call:
			out = append(out, p)
		case engine.Image, engine.Result, engine.Opaque, engine.Unknown:
		}
	}
	return out
}
