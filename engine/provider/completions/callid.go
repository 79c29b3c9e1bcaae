package completions

import (
	"crypto/sha256"
	"regexp"
)

var nineID = regexp.MustCompile(`^[a-zA-Z0-9]{9}$`)

// callID is the id that a call and its result have on the wire. A server that wants nine letters or digits (Mistral, H11)
// gets a digest of an id that another server made: the same for call and result, and the same in every request.
func (q quirks) callID(id string) string {
	if !q.nineIDs || nineID.MatchString(id) {
		return id
	}
	const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	sum := sha256.Sum256([]byte(id))
	out := make([]byte, 9)
	for i := range out {
		out[i] = letters[int(sum[i])%len(letters)]
	}
	return string(out)
}
