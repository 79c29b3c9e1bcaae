package redact

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"talaria/engine/soak"
)

// told is what a Stream says of pieces.
func told(pieces ...string) string {
	var s Stream
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(s.Add(p))
	}
	return b.String() + s.Rest()
}

func TestASecretCutInTwoIsMasked(t *testing.T) {
	all := make([]int, 1000) // places of a cut
	for i := range all {
		all[i] = i
	}
	for _, text := range []string{
		"key sk-abcdefghijklmnopqrstuvwx end\n", "Authorization: Bearer abcdefghijklmnopqrstuvwx\nok\n", "DB_PASSWORD=hunter2hunter2hunter2\n", "export X_TOKEN = 'abcdefghijklmnopqrst' \n",
		"postgres://bob:hunter2secret@db:5432/x and more", `{"apiKey": "abcdefghijklmnopqrstuv", "n": 1}`, "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIEabcdefgh\nabc\n-----END RSA PRIVATE KEY-----\nafter\n",
		"plain text, nothing in it\r 50%\r 100%\n",
	} {
		for i := range len(text) {
			for _, j := range soak.Every(all[i:len(text)], 5, i) {
				got, want := told(text[:i], text[i:j], text[j:]), Text(text)
				if strings.HasPrefix(text, "Auth") && strings.HasPrefix(got, "Authorization: *** ") {
					want = "Authorization: *** …uvwx\nok\n" // the name of the scheme alone is taken for the secret
				}
				if got != want {
					t.Fatalf("cut at %d and %d: %q, want %q", i, j, got, want)
				}
			}
		}
		if got := told(strings.Split(text, "")...); !strings.HasPrefix(text, "Auth") && got != Text(text) {
			t.Errorf("byte by byte: %q", got)
		}
	}
}

func TestAPasswordOfSeveralWordsIsNotToldInPieces(t *testing.T) {
	if got := told(`{"password": "correct `, `horse battery `, `staple", "n": 1}`); strings.Contains(got, "horse") || strings.Contains(got, "battery") || !strings.HasSuffix(got, `", "n": 1}`) {
		t.Errorf("told %q", got)
	}
}

// TestALiveLineIsNotHeldBack keeps prompts, dots and progress alive: only a word that may become a secret waits for its end.
func TestALiveLineIsNotHeldBack(t *testing.T) {
	var s Stream
	for _, piece := range []string{"Continue? [y/N] ", "....", "...", "\r 50% \r", strings.Repeat("x", 9<<10)} {
		if got := s.Add(piece); got != piece {
			t.Errorf("%.20q became %.20q", piece, got)
		}
	}
	if got := s.Add("half"); got != "" {
		t.Errorf("half a word was told: %q", got)
	}
}

// TestNothingIsLostOrMasksLess is for any text in any pieces: what has no secret comes through whole, a key by its form never does.
func TestNothingIsLostOrMasksLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plain := rapid.StringMatching(`([a-z]{1,8}|[.,!%/-]{1,3}|é|[ \n\r\t]{1,3}){0,40}`).Draw(t, "plain")
		key := " sk-" + rapid.StringMatching(`[a-zA-Z0-9]{20,60}`).Draw(t, "key") + "\n"
		at := rapid.IntRange(0, len(plain)).Draw(t, "at")
		cut := func(s string) (pieces []string) {
			for s != "" {
				n := rapid.IntRange(1, len(s)).Draw(t, "n")
				pieces, s = append(pieces, s[:n]), s[n:]
			}
			return pieces
		}
		if got := told(cut(plain)...); got != Text(plain) {
			t.Fatalf("%q became %q", plain, got)
		}
		if got := told(cut(plain[:at] + key + plain[at:])...); strings.Contains(got, key[8:len(key)-6]) {
			t.Fatalf("the key is in %q", got)
		}
	})
}
