package dial

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"iter"
	"strings"
	"sync"

	"talaria/engine"
	"talaria/engine/catalog"
	"talaria/engine/config"
)

//go:embed describe.md
var describe string

// Blind reports whether r's model is known not to see pictures.
func Blind(r engine.Route) bool {
	sees, known := catalog.Sees(r.Provider, r.Model)
	return known && !sees
}

// Eyes is the model that looks at pictures for r's: the one of auxiliary.vision, where r's model is known not to see and that
// one is not.
func Eyes(resolver config.Resolver, r engine.Route) (engine.Route, bool) {
	if !Blind(r) {
		return engine.Route{}, false
	}
	t, _, err := resolver.Auxiliary(engine.TaskVision, r)
	if err != nil || !t.Own || Blind(t.Main.Route) {
		return engine.Route{}, false
	}
	return t.Main.Route, true
}

// Sight tells a model that cannot see what pictures show. It remembers what was said of each, so that a prompt keeps its
// bytes, and each picture is paid for once. The zero value is ready; it is safe for concurrent use.
type Sight struct {
	mu   sync.Mutex
	said map[[sha256.Size]byte]string
}

// Tell returns p with a description in the place of every picture; the history keeps the pictures, for a model that sees. With
// a nil ask the model learns that there is a picture which it cannot see.
func (s *Sight) Tell(p engine.Provider, ask engine.Aux) engine.Provider { return &told{p, s, ask} }

type told struct {
	engine.Provider
	sight *Sight
	ask   engine.Aux
}

func (t *told) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		for d, err := range t.Provider.Stream(ctx, t.sight.request(ctx, req, t.ask)) {
			if !yield(d, err) {
				return
			}
		}
	}
}

// request is req with words for pictures.
func (s *Sight) request(ctx context.Context, req engine.Request, ask engine.Aux) engine.Request {
	msgs := make([]engine.Message, len(req.Messages))
	for i, m := range req.Messages {
		parts := make(engine.Parts, len(m.Parts))
		for j, p := range m.Parts {
			parts[j] = p
			if pic, ok := p.(engine.Image); ok {
				parts[j] = engine.Text{Text: s.words(ctx, pic, ask)}
			}
		}
		m.Parts = parts
		msgs[i] = m
	}
	req.Messages = msgs
	return req
}

// words are what stands in the place of a picture. A failure is said, and asked about again with the next request.
func (s *Sight) words(ctx context.Context, pic engine.Image, ask engine.Aux) string {
	if ask == nil {
		return fmt.Sprintf("[the user attached the picture %s, which you cannot see]", pic.Name)
	}
	key := sha256.Sum256(pic.Data)
	s.mu.Lock()
	text, ok := s.said[key]
	s.mu.Unlock()
	if !ok {
		m, err := ask(ctx, engine.Request{System: describe, Messages: []engine.Message{{Role: engine.RoleUser,
			Parts: engine.Parts{pic, engine.Text{Text: "What does this picture show?"}}}}})
		if text = strings.TrimSpace(m.Text()); err != nil || text == "" {
			return fmt.Sprintf("[the user attached the picture %s, which you cannot see; describing it failed: %v]", pic.Name, err)
		}
		s.mu.Lock()
		if s.said == nil {
			s.said = map[[sha256.Size]byte]string{}
		}
		s.said[key] = text
		s.mu.Unlock()
	}
	return fmt.Sprintf("[the user attached the picture %s, which you cannot see. Another model says of it:\n%s]", pic.Name, text)
}
