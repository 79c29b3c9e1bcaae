package engine

// plans is BEHAVIOUR 9.2 as data, with RULINGS 5 for the waits. Attempts counts requests, the first included;
// 0 means as many as agent.api_max_retries says.
var plans = map[Reason]Plan{
	ReasonAuth:              {Attempts: 1, SameKey: 1, Rotate: true, Fallback: true}, // the key is read again from its source once
	ReasonAuthPermanent:     {Attempts: 1, Rotate: true, Fallback: true},             // another key may be of another account
	ReasonBilling:           {Attempts: 1, Rotate: true, Fallback: true},             // never retried: repeated calls cost money
	ReasonRateLimit:         {SameKey: 1, Rotate: true, Fallback: true},
	ReasonOverloaded:        {Fallback: true},
	ReasonServerError:       {Fallback: true},
	ReasonTimeout:           {Fallback: true},
	ReasonContextOverflow:   {Attempts: 1, Compress: true},
	ReasonPayloadTooLarge:   {Attempts: 1, Compress: true},
	ReasonModelNotFound:     {Attempts: 1, Fallback: true},
	ReasonFormatError:       {Attempts: 2, Fallback: true, Fix: FixSanitise},
	ReasonThinkingSignature: {Attempts: 2, Fix: FixStripSignatures},
	ReasonLongContextTier:   {Attempts: 2, Compress: true, Fix: FixReduceTier},
	ReasonUnknown:           {Fallback: true},
	ReasonContentPolicy:     {Attempts: 1, Fallback: true},
	ReasonProviderPolicy:    {Attempts: 1},
	ReasonImageTooLarge:     {Attempts: 2, Fix: FixShrinkImages},
	ReasonMaxTokensTooLarge: {Attempts: 2, Fix: FixLowerCap},
	ReasonEmptyResponse:     {Fallback: true},
}
