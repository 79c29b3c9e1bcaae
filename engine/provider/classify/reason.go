package classify

import (
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"unicode/utf8"

	"talaria/engine"
	"talaria/engine/provider"
)

// reason is the pipeline of BEHAVIOUR 9.3: what happened to the connection, texts that mean the same under any status,
// the status, the code, the text. The first that knows decides.
func (x *facts) reason() engine.Reason {
	if r := x.byConnection(); r != "" {
		return r
	}
	if r := x.byRules(anyStatus); r != "" {
		return r
	}
	if x.status != 0 {
		return x.byStatus()
	}
	if r := x.byCode(); r != "" {
		return r
	}
	if r := x.byText(); r != "" {
		return r
	}
	if x.f.Err != nil && transport(x.f.Err) {
		return engine.ReasonTimeout
	}
	return engine.ReasonUnknown
}

// size is how large a request is: tokens, estimated, and the window of the model; 0 where they are not known.
type size struct{ tokens, window int }

// over reports whether the request fills more than share of the window, or, where the window is small or not known, has
// more than tokens. Messages are not counted: many small ones fill no window (E06).
func (s size) over(share float64, tokens int) bool {
	const small = 256_000
	return s.window > 0 && float64(s.tokens) > share*float64(s.window) || s.window <= small && s.tokens > tokens
}

// byConnection is for what no server said.
func (x *facts) byConnection() engine.Reason {
	f := x.f
	var stale *provider.StaleError
	switch {
	case f.Code == provider.CodeBadKey:
		return engine.ReasonAuth
	case f.Code == provider.CodeBadURL, f.Code == provider.CodeBadRequest, errors.Is(f.Err, provider.ErrLineTooLong):
		return engine.ReasonFormatError
	case f.Status >= 300 && f.Status < 400, f.Status >= 200 && f.Status < 300 && provider.IsHTML(f.ContentType, f.Body):
		return engine.ReasonFormatError // the address is wrong, and will be the next time
	case x.again && x.dropped() && x.size.over(0.6, 120_000):
		return engine.ReasonContextOverflow
	case f.Dial, f.Cut, f.Code == provider.CodeCertificate, errors.As(f.Err, &stale):
		return engine.ReasonTimeout
	case f.NoData && f.Err == nil:
		return engine.ReasonEmptyResponse
	case f.NoData:
		return engine.ReasonTimeout
	}
	return ""
}

// dropped reports whether the server took the request and hung up without a word. Some do so when a request is too long
// for them (BEHAVIOUR 9.3, step 10). A fault of TLS is none: that happens to requests of any size.
func (x *facts) dropped() bool {
	f := x.f
	var stale *provider.StaleError
	silent := f.NoData && f.Err != nil && transport(f.Err) && !timedOut(f.Err)
	return (silent || f.Status == 0 && x.says(disconnect)) && !f.Dial && !errors.As(f.Err, &stale) && !x.says(tlsText)
}

func timedOut(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

func transport(err error) bool {
	var n net.Error
	return errors.As(err, &n) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

func (x *facts) byRules(rules []rule) engine.Reason {
	for _, r := range rules {
		if r.fits(x) {
			return r.reason
		}
	}
	return ""
}

// fits reports whether the text holds one phrase of any, and one of also when there are such.
func (r rule) fits(x *facts) bool {
	return x.says(r.any) && (len(r.also) == 0 || x.says(r.also))
}

func (x *facts) byCode() engine.Reason {
	for _, name := range []string{x.code, x.kind} {
		if r, ok := codes[strings.ToLower(name)]; ok {
			return r
		}
	}
	return ""
}

// statuses are the ones that have one meaning whatever the body says (BEHAVIOUR 9.5, RFC 9110; 498: Groq and Cohere say
// "capacity exceeded" with it; 499: a proxy saw the client leave; 424: Bedrock's ModelErrorException). What an SDK of the
// big providers repeats by itself (408, 409, 425) is repeated here too.
var statuses = map[int]engine.Reason{
	407: engine.ReasonAuthPermanent, 408: engine.ReasonTimeout, 413: engine.ReasonPayloadTooLarge, 425: engine.ReasonTimeout,
	498: engine.ReasonOverloaded, 499: engine.ReasonTimeout, 501: engine.ReasonFormatError, 511: engine.ReasonTimeout,
}

func (x *facts) byStatus() engine.Reason {
	if r, ok := statuses[x.status]; ok {
		return r
	}
	switch x.status {
	case 401, 403:
		return x.forbidden()
	case 402:
		if x.says(usageLimit) || x.says(rateText) {
			return x.limit()
		}
		return engine.ReasonBilling
	case 404, 410:
		return x.missing()
	case 429:
		return x.tooMany()
	}
	if x.status >= 500 {
		return x.broken()
	}
	return x.refused()
}

// refused is 400, 422 and what else is the request's fault.
func (x *facts) refused() engine.Reason {
	if r := x.byRules(badRequest); r != "" {
		return x.cap(r)
	}
	if x.says(usageLimit) && !x.says(validation[:2]) {
		return x.limit()
	}
	code := x.byCode()
	switch {
	case code != "" && code != engine.ReasonFormatError:
		return code
	case x.status == 409 || x.status == 424:
		return engine.ReasonServerError // a lock that is held; a model that failed
	case x.status == 400 && x.wordless() && x.size.over(0.4, 80_000):
		return engine.ReasonContextOverflow
	}
	return engine.ReasonFormatError
}

// limit is a limit that may come back or not.
func (x *facts) limit() engine.Reason {
	if x.passing() {
		return engine.ReasonRateLimit
	}
	return engine.ReasonBilling
}

// wordless reports whether the server gave no reason at all (BEHAVIOUR 9.5).
func (x *facts) wordless() bool {
	const few = 30
	return !provider.IsHTML(x.f.ContentType, nil) && utf8.RuneCountInString(provider.ReadError(x.f.Body).Message) < few
}

// forbidden is 401 and 403: neither a quota (E10) nor a model that is not in the plan is a bad key.
func (x *facts) forbidden() engine.Reason {
	switch r := x.byCode(); {
	case r == engine.ReasonModelNotFound || r == engine.ReasonBilling || r == engine.ReasonRateLimit || r == engine.ReasonContentPolicy:
		return r
	case x.says(billingText):
		return engine.ReasonBilling
	case x.says(usageLimit) || x.says(rateText):
		return x.limit()
	case x.says(modelText):
		return engine.ReasonModelNotFound
	}
	return engine.ReasonAuth
}

// missing is 404. Without a word about the model it may be a gateway that comes back: unknown, which is retried.
func (x *facts) missing() engine.Reason {
	if r := x.byRules(notFound); r != "" {
		return r
	}
	if r := x.byCode(); r != "" {
		return r
	}
	return engine.ReasonUnknown
}

// tooMany is 429: the account is empty (E11), the server is busy, the request alone is above the limit, or a limit that
// passes.
func (x *facts) tooMany() engine.Reason {
	switch r := x.byCode(); {
	case r == engine.ReasonBilling || r == engine.ReasonOverloaded:
		return r
	case x.says(tooLargeForLimit):
		return engine.ReasonContextOverflow // waiting does not make the request smaller
	case x.says(billingText) && !x.passing():
		return engine.ReasonBilling
	case (r == "" || r == engine.ReasonServerError) && x.says(busy) && !x.says(rateText):
		return engine.ReasonOverloaded
	}
	return engine.ReasonRateLimit
}

// broken is 5xx: some servers report what is wrong with the request as a fault of their own (E01, E18).
func (x *facts) broken() engine.Reason {
	if r := x.byRules(serverFault); r != "" {
		return x.cap(r)
	}
	switch r := x.byCode(); {
	case r == engine.ReasonRateLimit, r == engine.ReasonBilling, r == engine.ReasonOverloaded, r == engine.ReasonContextOverflow:
		return r
	case x.status == 503, x.status == 529:
		return engine.ReasonOverloaded
	}
	return engine.ReasonServerError
}

// byText is for errors without a status.
func (x *facts) byText() engine.Reason {
	if r := x.byRules(noStatus); r != "" {
		return x.cap(r)
	}
	if x.says(usageLimit) {
		return x.limit()
	}
	return x.byRules(noStatusLast)
}

// passing reports whether a limit goes away by waiting: the words say so or a time is given.
func (x *facts) passing() bool {
	if x.says(passingWords) {
		return true
	}
	_, ok := x.wait()
	return ok
}

// cap tells two causes of one phrase apart: where the input fits, it is the room asked for the output (E05).
func (x *facts) cap(r engine.Reason) engine.Reason {
	if r == engine.ReasonContextOverflow && counted(x.text).outputTooLarge() {
		return engine.ReasonMaxTokensTooLarge
	}
	return r
}
