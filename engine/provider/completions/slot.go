package completions

import (
	"encoding/json"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// slot is one tool call while it comes in. Its fragments are told apart by index, id and name, each of which some
// server leaves out, repeats or gets wrong (S01 to S06, BEHAVIOUR 4.7).
type slot struct {
	place      int  // order of first appearance
	key        int  // the index it came under
	round      int  // the chunk in which its name last came
	named      bool // ID and name were told
	id, name   string
	toldID     bool
	args       strings.Builder
	extra      json.RawMessage
	alreadyHad bool // extra was told
}

// slots gathers the calls of one reply.
type slots struct {
	all   []*slot
	at    map[int]*slot // the newest slot under an index
	round int
}

// chunk takes the fragments of one chunk and returns what they add. The name of a call is told when its arguments begin,
// when another call opens, or at the end: it may come in pieces.
func (s *slots) chunk(fragments []fragment) []engine.CallDelta {
	s.round++
	var out []engine.CallDelta
	for _, f := range fragments {
		args := provider.Arguments(f.Function.Arguments)
		cur := s.find(f, args)
		if cur == nil {
			if f.ID == "" && f.Function.Name == "" && args == "" {
				continue // nothing said: no call
			}
			out = append(out, s.tell()...)
			cur = s.open(f)
		}
		out = append(out, cur.add(f, args, s.round)...)
	}
	return out
}

// find returns the slot that f goes on with, nil when f opens a call.
func (s *slots) find(f fragment, args string) *slot {
	var cur *slot
	if f.Index != nil {
		cur = s.at[*f.Index]
	} else if n := len(s.all); n > 0 {
		cur = s.all[n-1]
	}
	if cur == nil {
		return nil
	}
	if f.ID != "" && f.ID != cur.id {
		for _, other := range s.all {
			if other.id == f.ID && other.key == cur.key {
				return other
			}
		}
	}
	if cur.opensAfter(f, args, s.round) {
		return nil
	}
	return cur
}

func (s *slots) open(f fragment) *slot {
	key := 0
	if f.Index != nil {
		key = *f.Index
	} else if n := len(s.all); n > 0 {
		key = s.all[n-1].key
	}
	cur := &slot{place: len(s.all), key: key}
	if s.at == nil {
		s.at = map[int]*slot{}
	}
	s.all, s.at[key] = append(s.all, cur), cur
	return cur
}

// opensAfter reports whether f, which came under the index of s, is another call.
func (s *slot) opensAfter(f fragment, args string, round int) bool {
	named := f.Function.Name != ""
	switch {
	case f.ID != "" && s.id != "" && f.ID != s.id:
		// Another id is another call, except from servers that make a new id for every fragment: those leave the name out.
		return named || s.complete()
	case f.ID != "" && f.ID == s.id:
		return named && f.Function.Name != s.name && begins(args) && s.complete()
	case named && s.name != "" && s.round == round:
		return true // two named entries of one list are two calls, though neither has an id
	}
	return named && begins(args) && s.complete()
}

func begins(args string) bool { return strings.HasPrefix(strings.TrimSpace(args), "{") }

// complete reports whether the arguments are a whole JSON value. The last byte is looked at first, since this may be
// asked for every fragment.
func (s *slot) complete() bool {
	args := strings.TrimSpace(s.args.String())
	return strings.HasSuffix(args, "}") && json.Valid([]byte(args))
}

// add takes a fragment and returns what it adds to the reply.
func (s *slot) add(f fragment, args string, round int) []engine.CallDelta {
	if s.id == "" {
		s.id = f.ID
	}
	if f.Function.Name != "" {
		s.addName(f.Function.Name)
		s.round = round
	}
	if provider.Present(f.Extra) && s.extra == nil {
		s.extra = f.Extra
	}
	if whole := !isString(f.Function.Arguments); whole && args != "" && args == s.args.String() {
		args = "" // an object that is repeated
	}
	if args == "" {
		return nil
	}
	s.args.WriteString(args)
	d := s.head()
	d.Args = args
	return []engine.CallDelta{d}
}

func isString(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

// addName takes the name whole, repeated, growing, or in pieces; once told it stays.
func (s *slot) addName(name string) {
	switch {
	case s.named || name == s.name:
	case strings.HasPrefix(name, s.name):
		s.name = name
	default:
		s.name += name
	}
}

// head is a delta with what was not told yet of id, name and extra.
func (s *slot) head() engine.CallDelta {
	d := engine.CallDelta{Index: s.place}
	if !s.named && s.name != "" {
		d.Name, s.named = s.name, true
	}
	if !s.toldID && s.id != "" && s.named {
		d.ID, s.toldID = s.id, true
	}
	if !s.alreadyHad && s.extra != nil {
		d.Extra, s.alreadyHad = s.extra, true
	}
	return d
}

// tell returns the heads that nothing has brought out yet.
func (s *slots) tell() []engine.CallDelta {
	var out []engine.CallDelta
	for _, one := range s.all {
		if !one.real() {
			continue
		}
		if d := one.head(); d.Name != "" || d.ID != "" || d.Extra != nil {
			out = append(out, d)
		}
	}
	return out
}

// real reports whether anything but an id came.
func (s *slot) real() bool { return s.name != "" || s.args.Len() > 0 }

// calls is how many calls there are, cut how many of them have arguments that broke off.
func (s *slots) calls() (calls, cut int) {
	for _, one := range s.all {
		if one.real() {
			calls++
			if provider.Truncated(one.args.String()) {
				cut++
			}
		}
	}
	return calls, cut
}
