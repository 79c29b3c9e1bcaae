package redact

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestSecretsAreMasked(t *testing.T) {
	for in, want := range map[string]string{
		"key sk-abcdefghijklmnopqrstuvwx end":                      "key sk-abc…uvwx end",
		"sk-ant-api03-AAAAAAAAAAAAAAAAAAAA,ghp_0123456789abcdefgh": "sk-ant…AAAA,ghp_01…efgh",
		"sk-shortish123":                                                                   "***",
		"AKIAIOSFODNN7EXAMPLE":                                                             "AKIAIO…MPLE",
		"AIza" + strings.Repeat("x", 35):                                                   "AIzaxx…xxxx",
		"xoxb-1234567890-abcdefgh":                                                         "xoxb-1…efgh",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.abcdef":                               "eyJhbG…cdef",
		"Authorization: Bearer abcdefghijklmnopqrstuvwx":                                   "Authorization: Bearer abcdef…uvwx",
		`-H "x-api-key: abcdefghijklmnopqrstuvwx"`:                                         `-H "x-api-key: abcdef…uvwx"`,
		"postgres://bob:hunter2secret@db:5432/x":                                           "postgres://bob:***@db:5432/x",
		"https://h/x?a=1&access_token=abcdefghijklmnopqrst&b":                              "https://h/x?a=1&access_token=abcdef…qrst&b",
		"export MY_SECRET='correct horse'":                                                 "export MY_SECRET='***" + " horse'",
		"DB_PASSWORD=hunter2hunter2hunter2":                                                "DB_PASSWORD=hunter…ter2",
		`{"apiKey": "abcdefghijklmnopqrstuv", "n": 1}`:                                     `{"apiKey": "abcdef…stuv", "n": 1}`,
		`{"password":"ab\"cdefghijklmnopqrstuv"}`:                                          `{"password":"ab\"cd…stuv"}`,
		"-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nafter": "-----BEGIN RSA PRIVATE KEY-----\n***\n-----END RSA PRIVATE KEY-----\nafter",
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn":                                      "-----BEGIN OPENSSH PRIVATE KEY-----\n***\n",
		"123456789:AA" + strings.Repeat("b", 33):                                           "123456…bbbb",
		"plain text, task-123, risk-free, TOKEN = nil, /usr/bin":                           "plain text, task-123, risk-free, TOKEN = nil, /usr/bin",
		"the sk- prefix":                                                                   "the sk- prefix",
	} {
		if got := Text(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	code := `password = os.Getenv("DB_PASSWORD_VARIABLE")` + "\nconst API_KEY = config.fetchTheKeyFromVault\n"
	if got := Code(code); got != code {
		t.Errorf("code became %q", got)
	}
}

func TestMaskedTextStaysAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringMatching(`((sk-|ghp_|API_KEY=|"token": "|Bearer |\?key=|://u:)[a-zA-Z0-9@"_-]{0,30}[ \n]?){1,4}`)).Draw(t, "s")
		once := Text(s)
		if twice := Text(once); twice != once {
			t.Fatalf("%q, then %q", once, twice)
		}
		if utf8.ValidString(s) && !utf8.ValidString(once) {
			t.Fatalf("no UTF-8: %q", once)
		}
	})
}

func TestNoKeyOfAProviderReachesAProcess(t *testing.T) {
	env := []string{"PATH=/bin", "OPENAI_API_KEY=a", "TALARIA_API_KEY=b", "my_api_key=c", "ANTHROPIC_AUTH_TOKEN=d", "HF_TOKEN=e", "AWS_SECRET_ACCESS_KEY=f", "GITHUB_TOKEN=g", "CUSTOM=h", "KEEP_API_KEY=i", "ODD"}
	got := Env(env, []string{"KEEP_API_KEY"}, "CUSTOM")
	if want := []string{"PATH=/bin", "AWS_SECRET_ACCESS_KEY=f", "GITHUB_TOKEN=g", "KEEP_API_KEY=i", "ODD"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if Env(nil, nil) == nil {
		t.Error("nil would be inherited")
	}
}
