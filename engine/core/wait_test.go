package core_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/provider/providertest"
	"talaria/engine/provider/route"
)

// slowDown is a limit that is waited out on its only key.
func slowDown(after time.Duration) providertest.Step {
	return providertest.Fail(&engine.Error{Reason: engine.ReasonRateLimit, Status: 429, Message: "slow down", After: after})
}

// patient is a story whose model is asked through a route. It runs in a bubble of synctest.
func patient(t *testing.T, steps ...providertest.Step) *story {
	s := newStory(t, steps...)
	s.deps.Build = func(config.Resolved) (engine.Provider, error) {
		return route.New(s.model, route.Options{Attended: true, Rand: func() float64 { return 0 }}), nil
	}
	s.start("")
	return s
}

func retrying(n int) func(engine.Streamed) bool {
	seen := 0
	return func(e engine.Streamed) bool {
		if _, ok := e.Delta.(engine.Retry); ok {
			seen++
		}
		return seen >= n
	}
}

func TestEscEndsAWaitAtOnceAndTheNextTurnWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := patient(t, slowDown(time.Minute), providertest.Text("fine now"))
		s.core.Do(engine.Submit{Text: "hi"})
		until(s, retrying(1))
		synctest.Wait()
		began := time.Now()
		s.core.Do(engine.Interrupt{})
		if e := s.ended(1); !e.Outcome.Interrupted || time.Since(began) > 50*time.Millisecond {
			t.Errorf("%+v after %v", e.Outcome, time.Since(began))
		}
		s.core.Do(engine.Submit{Text: "again"})
		if e := s.ended(2); e.Outcome.Final != "fine now" {
			t.Errorf("%+v", e.Outcome)
		}
		s.stop()
		if got := strings.Join(s.history(), "|"); got != "user:hi|user:again|assistant:fine now" {
			t.Error(got)
		}
	})
}

func TestEnterEndsAWaitAndAsksAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := patient(t, slowDown(time.Minute), providertest.Text("fine now"))
		began := time.Now()
		s.core.Do(engine.Submit{Text: "hi"})
		until(s, retrying(1))
		synctest.Wait()
		s.core.Do(engine.RetryNow{})
		e := s.ended(1)
		if e.Outcome.Final != "fine now" || time.Since(began) > time.Second {
			t.Errorf("%+v after %v", e.Outcome, time.Since(began))
		}
		if r := e.Outcome.Recoveries; len(r) != 1 || r[0].Reason != engine.ReasonRateLimit || r[0].AfterMS != 60_000 {
			t.Errorf("%+v", r)
		}
		s.stop()
	})
}

func TestALongWaitIsAQuestionAndBothAnswersLeaveTheSessionWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := patient(t, slowDown(25*time.Minute), slowDown(25*time.Minute), providertest.Text("at last"))
		s.core.Do(engine.Submit{Text: "hi"})
		q := until[engine.Asked](s, nil).Question
		if !strings.Contains(q.Title, "25 min") || q.Body != "slow down" || len(q.Choices) != 2 {
			t.Errorf("%+v", q)
		}
		s.core.Do(engine.Answer{ID: q.ID, Choice: "stop"})
		if e := s.ended(1); e.Outcome.Err == nil || e.Outcome.Err.After != 25*time.Minute || e.Outcome.ExitCode() != 4 {
			t.Errorf("%+v", e.Outcome)
		}
		began := time.Now()
		s.core.Do(engine.Continue{})
		second := until(s, func(a engine.Asked) bool { return a.Question.ID != q.ID }).Question
		s.core.Do(engine.Answer{ID: second.ID, Choice: "wait"})
		synctest.Wait()
		time.Sleep(25 * time.Minute) // in the bubble; the waits of this story are shorter
		if e := s.ended(2); e.Outcome.Final != "at last" || time.Since(began) != 25*time.Minute {
			t.Errorf("%+v after %v", e.Outcome, time.Since(began))
		}
		s.stop()
	})
}
