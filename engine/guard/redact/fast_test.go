package redact

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"talaria/engine/soak"
)

// slowly is what mask must come to: every pattern over the whole text.
func slowly(s string, names bool) string {
	return apply(pem().ReplaceAllString(s, "${1}\n***\n${2}"), names, -1)
}

// slowSpans are those that spans must find, in any order.
func slowSpans(s string) (all [][3]int) {
	for _, p := range patterns() {
		for _, m := range p.re.FindAllStringSubmatchIndex(s, -1) {
			if from := m[2*p.group]; from >= 0 {
				all = append(all, [3]int{max(m[0], strings.LastIndexByte(s[:from], '\n')+1), from, m[2*p.group+1]})
			}
		}
	}
	return all
}

func same(t interface{ Fatalf(string, ...any) }, s string) {
	for _, names := range []bool{false, true} {
		if fast, slow := mask(s, names), slowly(s, names); fast != slow {
			t.Fatalf("names %v: %q\nfast %q\nslow %q", names, s, fast, slow)
		}
	}
	fast, slow := spans(s), slowSpans(s)
	for _, all := range [][][3]int{fast, slow} {
		slices.SortFunc(all, func(a, b [3]int) int { return slices.Compare(a[:], b[:]) })
	}
	if !slices.Equal(slices.Compact(fast), slices.Compact(slow)) {
		t.Fatalf("%q\nfast %v\nslow %v", s, fast, slow)
	}
}

// pieces are of what secrets are made, and what almost is one. A word may be written in other letters.
var pieces = []string{
	"sk-", "ghp_", "github_pat_", "xoxb-", "AIza", "ya29.", "AKIA", "sk_live_", "whsec_", "SG.", "hf_", "r8-", "bb_live_", "dp.pt_", "secret_", "pplx-", "gAAAA", "123456789:AA", "eyJ", ".eyJ", "AGE-SECRET-KEY-1",
	"authorization", "Proxy-Authorization", "bearer ", "Basic", "x-api-key", "API-Key", "set-cookie", "x-auth-token", "https://", "user:", "@host", "?", "&", "token=", "x-amz-signature=", "code=",
	"API_KEY", "MY_TOKEN", "SECRET", "DB_PASSWORD", "OAUTH", "_", "CREDENTIALS", `"apiKey"`, `"refresh_-token"`, `"token"`, `"x_secret-key"`, `"password"`, `"next_token"`, "password", "client_secret", "secretaccesskey",
	"=", ":", " = ", ": ", `"`, "'", `\`, `\"`, ",", ";", "$", "(", ")", "{", "-", "--", ".", "/", "#", "<", " ", "\n", "\r\n", "\t", "  \n ", "a", "Zz9", "hunter2", "abcdefgh", "ABCDEFGH01234567",
	"abcdefghijklmnopqrstuvwxyz0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", "***", "…", "é", "\u017f", "\u212a", "\xff", "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", "-----BEGIN CERTIFICATE-----",
}

func TestAFastMaskIsTheSlowOne(t *testing.T) {
	piece := rapid.Custom(func(t *rapid.T) string {
		p := rapid.SampledFrom(pieces).Draw(t, "piece")
		switch rapid.IntRange(0, 7).Draw(t, "letters") {
		case 0:
			return strings.ToUpper(p)
		case 1:
			return strings.ToLower(p)
		case 2:
			return p[:rapid.IntRange(0, len(p)).Draw(t, "cut")]
		}
		return p
	})
	words := strings.Repeat("some words without a secret in them, ", 12)
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(piece, 1, 40).Draw(t, "list")
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(list)), 0, 3).Draw(t, "far") {
			list = slices.Insert(list, i, words)
		}
		same(t, strings.Join(list, ""))
	})
}

func FuzzFastIsSlow(f *testing.F) {
	for i := range pieces {
		f.Add(strings.Join(pieces[i:min(i+6, len(pieces))], ""))
	}
	f.Fuzz(func(t *testing.T, s string) { same(t, s) })
}

// TestAFastMaskIsTheSlowOneOnRealText goes over this package and the corpora of the guard, with a key in every place.
func TestAFastMaskIsTheSlowOneOnRealText(t *testing.T) {
	budget, files := 30<<10, 0 // the slow way is slow
	if soak.Whole() {
		budget = 400 << 10
	}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || budget <= 0 {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := string(data[:min(len(data), 6<<10)])
		budget, files = budget-len(text), files+1
		same(t, text)
		same(t, text[:len(text)/2]+` password: "sk-abcdefghijklmnopqrstuvw" `+text[len(text)/2:])
		return nil
	})
	if err != nil || files < 5 {
		t.Fatal(files, err)
	}
}

// TestTheScannerFindsEveryAnchor compares it with a plain search.
func TestTheScannerFindsEveryAnchor(t *testing.T) {
	all := anchors()
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "list"), "")
		want, got := map[[3]any]bool{}, map[[3]any]bool{}
		for _, a := range all {
			for i := 0; i+len(a.text) <= len(s); i++ {
				if lower(s[i:i+len(a.text)]) == a.text {
					want[[3]any{a.text, a.kind, i}] = true
				}
			}
		}
		scan().each(s, func(a anchor, from, to int) bool {
			if lower(s[from:to]) != a.text {
				t.Fatalf("%q at %d is not %q", s[from:to], from, a.text)
			}
			got[[3]any{a.text, a.kind, from}] = true
			return true
		})
		if len(got) != len(want) {
			t.Fatalf("%q: %d anchors, want %d", s, len(got), len(want))
		}
	})
}

// lower makes ASCII letters small, byte for byte.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if upper(c) {
			b[i] = c + 0x20
		}
	}
	return string(b)
}

func BenchmarkText(b *testing.B) {
	data, err := os.ReadFile("redact_test.go")
	if err != nil {
		b.Fatal(err)
	}
	source, err := os.ReadFile("scan.go")
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string]string{
		"prose":   "It was a bright cold day in April, and the clocks were striking thirteen; nobody had set them so.\n",
		"source":  string(source),
		"log":     "2026-01-02T03:04:05Z INFO http: GET https://example.com/api/v1/items?page=2 200 12ms user=17 auth=ok token=none\n",
		"secrets": string(data),
		"env":     "SOME_API_KEY=0123456789abcdef0123456789abcdef\n",
	} {
		b.Run(name, func(b *testing.B) {
			s := strings.Repeat(text, 1<<20/len(text)+1)
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Text(s)
			}
		})
	}
}
