package classify

import (
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

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
	case f.Dial, f.Cut, f.Code == provider.CodeCertificate, errors.As(f.Err, &stale):
		return engine.ReasonTimeout
	case f.NoData && f.Err == nil:
		return engine.ReasonEmptyResponse
	case f.NoData:
		return engine.ReasonTimeout
	}
	return ""
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

func (x *facts) byStatus() engine.Reason {
	switch x.status {
	case 401, 403:
		return x.forbidden()
	case 402:
		if (x.says(usageLimit) || x.says(rateText)) && x.passing() {
			return engine.ReasonRateLimit
		}
		return engine.ReasonBilling
	case 404, 410:
		return x.missing()
	case 408, 499:
		return engine.ReasonTimeout
	case 413:
		return engine.ReasonPayloadTooLarge
	case 429:
		return x.tooMany()
	}
	if x.status >= 500 {
		return x.broken()
	}
	if r := x.byRules(badRequest); r != "" {
		return x.cap(r)
	}
	if r := x.byCode(); r != "" {
		return r
	}
	return engine.ReasonFormatError
}

// forbidden is 401 and 403: a quota is not a bad key (E10).
func (x *facts) forbidden() engine.Reason {
	switch r := x.byCode(); {
	case r == engine.ReasonModelNotFound || r == engine.ReasonBilling || r == engine.ReasonRateLimit:
		return r
	case x.says(usageLimit) || x.says(rateText):
		if x.passing() {
			return engine.ReasonRateLimit
		}
		return engine.ReasonBilling
	case x.says(billingText):
		return engine.ReasonBilling
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

// tooMany is 429: a limit that passes, unless the account itself is empty (E11).
func (x *facts) tooMany() engine.Reason {
	switch r := x.byCode(); {
	case r == engine.ReasonBilling || r == engine.ReasonOverloaded:
		return r
	case x.says(tooLargeForLimit):
		return engine.ReasonContextOverflow // waiting does not make the request smaller
	case x.says(billingText) && !x.passing():
		return engine.ReasonBilling
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
		if x.passing() {
			return engine.ReasonRateLimit
		}
		return engine.ReasonBilling
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
