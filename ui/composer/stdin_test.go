package composer

import (
	"bytes"
	"testing"
)

// TestU03APasteWhoseEndIsCutByASlowLineEnds gives a paste in two reads, cut at every place, and looks at what is handed on:
// never a part of the end marker, never half a character, and nothing lost.
func TestU03APasteWhoseEndIsCutByASlowLineEnds(t *testing.T) {
	whole := []byte("a\x1b[200~line1\r한글\x1b[201~b한\x1b[A")
	end := bytes.Index(whole, pasteEnd)
	for cut := 1; cut < len(whole); cut++ {
		var in Stdin
		var pieces [][]byte
		for _, read := range [][]byte{whole[:cut], whole[cut:]} {
			b := append(bytes.Clone(in.held), read...)
			if keep := in.hold(b); keep > 0 {
				pieces = append(pieces, b[:keep])
			}
		}
		if got := bytes.Join(pieces, nil); !bytes.Equal(got, whole) || len(in.held) > 0 {
			t.Fatalf("cut at %d: %q, held %q", cut, pieces, in.held)
		}
		for _, p := range pieces {
			if !bytes.Equal(bytes.ToValidUTF8(p, nil), p) {
				t.Errorf("cut at %d: half a character in %q", cut, p)
			}
		}
		if in.pasting || cut > end && cut < end+len(pasteEnd) && !bytes.Contains(bytes.Join(pieces, []byte("|")), pasteEnd) {
			t.Errorf("cut at %d: the end marker came in parts: %q", cut, pieces)
		}
	}
}
