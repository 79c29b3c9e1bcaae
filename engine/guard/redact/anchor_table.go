package redact

import "strings"

// The patterns, in the order in which they are applied. A kind is a place in a set of bits.
const (
	kindAuthorization = iota // contexts[0]
	kindBearer
	kindHeader
	kindAddress
	kindQuery
	kindToken    // tokens
	kindVariable // named[0]
	kindField
	kindSetting
	kindAll // a letter that folds to an ASCII one: every pattern is tried
)

// anchor is a text that every match of its pattern holds, in small letters. near reports whether the pattern may match
// around s[from:to], where the anchor stands; it may say yes too often, never no too often. A match that is there only
// since something beside it was masked need not be seen: it is in the same window.
type anchor struct {
	text string
	kind int
	near func(s string, from, to int) bool
}

// anchors returns those of all patterns. Whoever changes a pattern changes its anchors: TestAFastMaskIsTheSlowOne tells.
func anchors() []anchor {
	all := []anchor{
		{"authorization", kindAuthorization, func(s string, _, to int) bool { return isByte(s, afterSpace(s, afterQuote(s, to)), ":=") }},
		{"bearer", kindBearer, func(s string, from, to int) bool {
			at := afterSpace(s, to)
			return at > to && !wordBefore(s, from) && run(s, at, 12, bearerByte)
		}},
		{"://", kindAddress, hasPassword},
		{"xox", kindToken, token("xox", 12)},
		{":aa", kindToken, func(s string, from, to int) bool {
			return s[from:to] == ":AA" && from > 0 && digit(s[from-1]) && run(s, to, 33, tokenByte)
		}},
		{"\u017f", kindAll, nil}, // these two letters are s and k to a pattern that does not tell large from small
		{"\u212a", kindAll, nil},
	}
	for _, name := range []string{"api-key", "x-auth-token", "x-amz-security-token", "cookie"} {
		all = append(all, anchor{name, kindHeader, func(s string, _, to int) bool {
			at := afterSpace(s, afterQuote(s, to))
			return isByte(s, at, ":") && run(s, afterQuote(s, afterSpace(s, at+1)), 6, headerByte)
		}})
	}
	for _, name := range []string{"token=", "key=", "code=", "secret=", "password=", "signature=", "sig=", "x-amz-credential="} {
		all = append(all, anchor{name, kindQuery, func(s string, from, to int) bool { return inQuery(s, from) && run(s, to, 4, queryByte) }})
	}
	for least, forms := range tokenForms {
		for _, form := range forms {
			all = append(all, anchor{strings.ToLower(form), kindToken, token(form, least)})
		}
	}
	for _, word := range []string{"APIKEY", "API_KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "PRIVATE_KEY", "ACCESS_KEY", "AUTH"} {
		all = append(all, anchor{strings.ToLower(word), kindVariable, func(s string, from, to int) bool { return s[from:to] == word && isVariable(s, to) }})
	}
	for _, end := range []string{"key", "token", "secret", "bearer", "password", "passwd"} {
		all = append(all, anchor{end + `"`, kindField, func(s string, from, to int) bool {
			return secretField(s[:from], end) && fieldValue(s, to) > 0
		}})
	}
	for _, name := range []string{"apikey", "api_key", "accesstoken", "access_token", "clientsecret", "client_secret", "password", "passwd", "accesskey", "access_key"} {
		inner := strings.HasSuffix(name, "key") && strings.HasPrefix(name, "access") // of secret_access_key
		all = append(all, anchor{name, kindSetting, func(s string, from, to int) bool {
			at := afterSpace(s, to)
			return isByte(s, at, ":=") && (inner || !wordBefore(s, from)) && run(s, afterQuote(s, afterSpace(s, at+1)), 8, settingByte)
		}})
	}
	return all
}

// tokenForms are the beginnings of tokens, by how many more characters they have at least.
var tokenForms = map[int][]string{
	10: {"sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xapp-", "sk_", "rk_", "pk_", "whsec_", "SG.", "pplx-", "fc-", "pypi-"},
	16: append([]string{"AKIA", "ASIA"}, ended("hf", "r8", "npm", "gsk", "fal", "tvly", "exa", "syt", "ntn", "am", "bb_live", "dop_v1", "doo_v1", "dp.pt", "shpat", "lin_api", "secret", "nvapi", "csk", "fw", "jina", "co")...),
	20: {"ya29.", "gAAAA"},
	30: {"AIza", "xai-"},
	50: {"AGE-SECRET-KEY-1"},
	8:  {"eyJ"},
}

// ended are names with each of the two signs that end them.
func ended(names ...string) (all []string) {
	for _, n := range names {
		all = append(all, n+"_", n+"-")
	}
	return all
}
