package provider

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"talaria/engine"
)

// EffortOff asks a model not to think, or not in a way of its own choosing where that cannot be asked.
const EffortOff = "off"

// Fit makes the picture in data fit for a server that refused it as too large, and says its MIME type.
type Fit func(data []byte) (out []byte, mime string, err error)

// Fix returns r changed the way f says after the failure e, and whether that changed anything: where it did not, asking
// again cannot help. r itself stays as it is. What StripSignatures and ShrinkImages took out comes back with the next
// request of the same history, so whoever asks remembers them. A context tier is no matter of one request: that needs a
// smaller history.
func Fix(f engine.Fix, r engine.Request, e *engine.Error, fit Fit) (engine.Request, bool) {
	switch f {
	case engine.FixSanitise:
		return Sanitise(r, e.Message)
	case engine.FixLowerCap:
		return LowerCap(r, e.Room)
	case engine.FixStripSignatures:
		return StripSignatures(r)
	case engine.FixShrinkImages:
		return ShrinkImages(r, fit)
	case engine.FixNone, engine.FixReduceTier:
	}
	return r, false
}

// StripSignatures takes out all reasoning that is sealed and all state of the provider. Open reasoning stays: servers that
// demand it demand it of every reply.
func StripSignatures(r engine.Request) (engine.Request, bool) {
	return eachPart(r, func(p engine.Part) engine.Part {
		switch p := p.(type) {
		case engine.Thought:
			if p.Signature != "" {
				return nil
			}
		case engine.Opaque:
			return nil
		case engine.Call:
			p.Extra = nil
			return p
		case engine.Text, engine.Image, engine.Result, engine.Unknown:
		}
		return p
	})
}

// The output caps that are tried where a server does not say how much it allows, in tokens.
const (
	modestCap = 8192
	leastCap  = 256
	spareRoom = 64 // BEHAVIOUR 9.6: servers count a little differently
)

// LowerCap lowers the output cap to what the server has room for, 0 when it did not say: then to half, or to a modest
// one where none was named. Nothing raises the new cap, not a thinking budget either.
func LowerCap(r engine.Request, room int) (engine.Request, bool) {
	lower := room - spareRoom
	switch {
	case room > 0:
	case r.MaxTokens > 0:
		lower = r.MaxTokens / 2
	default:
		lower = modestCap
	}
	if lower < leastCap || r.HardCap && lower >= r.MaxTokens {
		return r, false
	}
	if r.MaxTokens > 0 {
		lower = min(lower, r.MaxTokens)
	}
	r.MaxTokens, r.HardCap = lower, true
	return r, true
}

// ShrinkImages makes the pictures smaller. One that fit cannot make smaller, and all of them when fit is nil, is left out
// with a word about it.
func ShrinkImages(r engine.Request, fit Fit) (engine.Request, bool) {
	return eachPart(r, func(p engine.Part) engine.Part {
		pic, ok := p.(engine.Image)
		if !ok {
			return p
		}
		if fit != nil {
			if data, mime, err := fit(pic.Data); err == nil && len(data) < len(pic.Data) {
				pic.Data, pic.MIME = data, mime
				return pic
			}
		}
		return leftOut(pic, "the server does not take a picture of this size")
	})
}

func leftOut(p engine.Image, why string) engine.Text {
	return engine.Text{Text: strings.TrimSpace(fmt.Sprintf("[the picture %s was left out: %s]", p.Name, why))}
}

// Sanitise takes out what strict servers refuse: control characters, halves of characters, extras beside the protocol,
// words in schemas that only narrow; and the optional field that told, the server's own complaint, names.
func Sanitise(r engine.Request, told string) (engine.Request, bool) {
	r, changed := eachPart(r, func(p engine.Part) engine.Part {
		switch p := p.(type) {
		case engine.Text:
			return engine.Text{Text: printable(p.Text)}
		case engine.Call:
			p.Args, p.Extra = string(Paired([]byte(p.Args))), nil
			return p
		case engine.Result:
			p.Text = printable(p.Text)
			return p
		case engine.Thought, engine.Opaque, engine.Image, engine.Unknown:
		}
		return p
	})
	if s := printable(r.System); s != r.System {
		r.System, changed = s, true
	}
	tools := slices.Clone(r.Tools)
	for i, t := range tools {
		t.Doc, t.Schema = printable(t.Doc), plainSchema(t.Schema)
		changed = changed || t.Doc != r.Tools[i].Doc || !bytes.Equal(t.Schema, r.Tools[i].Schema)
		tools[i] = t
	}
	r.Tools = tools
	r, dropped := withoutNamed(r, strings.ToLower(told))
	return r, changed || dropped
}

// withoutNamed drops the optional field that the server complains of by name. Each is the same to the user, or less.
func withoutNamed(r engine.Request, told string) (engine.Request, bool) {
	names := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(told, w) })
	}
	changed := false
	if names("effort", "reasoning", "thinking") && r.Route.Effort != EffortOff {
		r.Route.Effort, changed = EffortOff, true
	}
	if names("max_tokens", "max_completion_tokens", "max_output_tokens", "maxtokens") && r.MaxTokens > 0 {
		r.MaxTokens, changed = 0, true
	}
	if names("cache_control", "cachepoint", "prompt_cache") && r.Cache != engine.CacheOff {
		r.Cache, changed = engine.CacheOff, true
	}
	if names("stream_options", "include_usage") && !r.NoStream {
		r.NoStream, changed = true, true
	}
	if names("image", "vision", "multimodal", "multi-modal") {
		var pictures bool
		r, pictures = eachPart(r, func(p engine.Part) engine.Part {
			if pic, ok := p.(engine.Image); ok {
				return leftOut(pic, "the server does not take pictures for this model")
			}
			return p
		})
		changed = changed || pictures
	}
	return r, changed
}

// printable is s without the control characters that no text needs and JSON parsers of some servers refuse.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\n' || c == '\t' || c == '\r':
			return c
		case c < ' ' || c >= 0x7f && c < 0xa0 || c&0xfffe == 0xfffe:
			return -1
		}
		return c
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// eachPart returns r with every part as change makes it; nil takes it out. A message that has nothing left to say goes
// where its role may: an assistant's, since the users beside it are joined by every encoder.
func eachPart(r engine.Request, change func(engine.Part) engine.Part) (engine.Request, bool) {
	changed := false
	msgs := make([]engine.Message, 0, len(r.Messages))
	for _, m := range r.Messages {
		parts := make(engine.Parts, 0, len(m.Parts))
		for _, p := range m.Parts {
			now := change(p)
			if now == nil {
				changed = true
				continue
			}
			changed = changed || !same(p, now)
			parts = append(parts, now)
		}
		m.Parts = parts
		if len(parts) == 0 && m.Role == engine.RoleAssistant {
			continue
		}
		msgs = append(msgs, m)
	}
	r.Messages = msgs
	return r, changed
}

// same compares a part with what became of it, as far as the fixes change one.
func same(a, b engine.Part) bool {
	switch a := a.(type) {
	case engine.Text:
		b, ok := b.(engine.Text)
		return ok && a == b
	case engine.Call:
		b, ok := b.(engine.Call)
		return ok && a.Args == b.Args && len(a.Extra) == len(b.Extra)
	case engine.Result:
		b, ok := b.(engine.Result)
		return ok && a.Text == b.Text
	case engine.Image:
		b, ok := b.(engine.Image)
		return ok && bytes.Equal(a.Data, b.Data)
	case engine.Thought, engine.Opaque, engine.Unknown:
	}
	return true
}
