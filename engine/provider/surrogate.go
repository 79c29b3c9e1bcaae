package provider

import (
	"bytes"
	"strconv"
)

// Paired returns JSON of valid UTF-8 in which no surrogate stands alone: half a character, which a tool or a server cut,
// makes the whole body invalid (H13). Sound JSON comes back as it is.
func Paired(raw []byte) []byte {
	raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	if !bytes.Contains(raw, []byte(`\ud`)) && !bytes.Contains(raw, []byte(`\uD`)) {
		return raw
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '\\' || i+1 == len(raw) {
			out, i = append(out, raw[i]), i+1
			continue
		}
		n := 2 // an escape and what it escapes, so that the second of two backslashes begins none
		switch unit := surrogate(raw[i:]); {
		case unit >= 0xD800 && unit < 0xDC00 && surrogate(raw[i+6:]) >= 0xDC00:
			n = 12
		case unit >= 0xD800:
			out, i = append(out, `\ufffd`...), i+6
			continue
		}
		out, i = append(out, raw[i:i+n]...), i+n
	}
	return out
}

// surrogate is the half of a character that an escape at the start of b writes, 0 when there is none.
func surrogate(b []byte) uint64 {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0
	}
	unit, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil || unit < 0xD800 || unit > 0xDFFF {
		return 0
	}
	return unit
}
