package converse_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/classify"
	"talaria/engine/provider/converse"
	pt "talaria/engine/provider/providertest"
)

const (
	accessKey = "AKIDEXAMPLE"
	secretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
)

// got is what a server of this machine was asked.
type got struct {
	header     http.Header
	host, path string
	body       []byte
}

// serve answers every request of ep with "ok" from a real socket. A base URL of "" is set to it.
func serve(t *testing.T, ep provider.Endpoint) (got, pt.Reply) {
	t.Helper()
	var g got
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.header, g.host, g.path = r.Header.Clone(), r.Host, r.URL.EscapedPath()
		g.body, _ = io.ReadAll(r.Body)
		frames(begin, text(0, "ok"), end("end_turn"), use(1, 1)).ServeHTTP(w, r)
	}))
	defer srv.Close()
	ep.BaseURL = srv.URL
	ep = ep.WithClient()
	defer ep.HTTP.CloseIdleConnections()
	req := hello()
	req.Route.Model = "us.amazon.nova-lite-v1:0"
	r := pt.Collect(t.Context(), converse.New(ep), req)
	return g, r
}

var signature = regexp.MustCompile(`^AWS4-HMAC-SHA256 Credential=([A-Z]+)/(\d{8})/([a-z0-9-]+)/bedrock/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$`)

func TestCredentialsInTheEnvironmentSignTheRequest(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", accessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", secretKey)
	t.Setenv("AWS_SESSION_TOKEN", "session-token")
	t.Setenv("AWS_REGION", "eu-central-1")
	g, r := serve(t, provider.Endpoint{Key: "not-this", Headers: map[string]string{"X-Amzn-Bedrock-Guardrailidentifier": "g1"}})
	if r.Err != nil || r.Message.Text() != "ok" {
		t.Fatal(r.Err)
	}
	m := signature.FindStringSubmatch(g.header.Get("Authorization"))
	if m == nil || m[1] != accessKey || m[3] != "eu-central-1" || !strings.Contains(m[4], "x-amzn-bedrock-guardrailidentifier") || !strings.Contains(m[4], "host;") {
		t.Fatalf("Authorization: %s", g.header.Get("Authorization"))
	}
	if g.header.Get("X-Amz-Security-Token") != "session-token" || g.path != "/model/us.amazon.nova-lite-v1%3A0/converse-stream" {
		t.Errorf("%s %v", g.path, g.header)
	}
	// a server that signs what came to it finds the same
	again, err := http.NewRequest(http.MethodPost, "http://"+g.host+g.path, bytes.NewReader(g.body))
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.SplitSeq(m[4], ";") {
		if v := g.header.Get(name); v != "" {
			again.Header.Set(name, v)
		}
	}
	at, err := time.Parse("20060102T150405Z", g.header.Get("X-Amz-Date"))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(g.body)
	keys := aws.Credentials{AccessKeyID: accessKey, SecretAccessKey: secretKey, SessionToken: "session-token"}
	if err := v4.NewSigner().SignHTTP(t.Context(), keys, again, hex.EncodeToString(sum[:]), "bedrock", "eu-central-1", at); err != nil {
		t.Fatal(err)
	}
	if a, b := again.Header.Get("Authorization"), g.header.Get("Authorization"); a != b {
		t.Errorf("sent  %s\nfound %s", b, a)
	}
	for name, values := range g.header {
		if strings.Contains(strings.Join(values, ""), secretKey) {
			t.Errorf("the secret key is in %s", name)
		}
	}
}

func TestWithoutARegionAServerThatIsNotAmazonsIsSignedForAllTheSame(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", accessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", secretKey)
	g, r := serve(t, provider.Endpoint{})
	if r.Err != nil || !signature.MatchString(g.header.Get("Authorization")) {
		t.Errorf("%v, Authorization: %s", r.Err, g.header.Get("Authorization"))
	}
}

func TestAProfileSignsWithItsOwnKeysAndRegion(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "config"), "[profile work]\nregion = ap-south-1\n")
	write(t, filepath.Join(dir, "credentials"), "[default]\naws_access_key_id = AKIDDEFAULT\naws_secret_access_key = d\n[work]\naws_access_key_id = AKIDWORK\naws_secret_access_key = w\n")
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(dir, "config"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(dir, "credentials"))
	t.Setenv("AWS_PROFILE", "work")
	g, r := serve(t, provider.Endpoint{Key: "not-this"})
	if m := signature.FindStringSubmatch(g.header.Get("Authorization")); r.Err != nil || m == nil || m[1] != "AKIDWORK" || m[3] != "ap-south-1" {
		t.Errorf("%v, Authorization: %s", r.Err, g.header.Get("Authorization"))
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWithoutCredentialsTheKeyIsABearerToken(t *testing.T) {
	t.Setenv("AWS_REGION", "us-west-2") // a region is no credential
	t.Setenv("AWS_ACCESS_KEY_ID", "  ") // blank is unset (G02)
	g, r := serve(t, provider.Endpoint{Key: " bedrock-api-key-x\n"})
	if r.Err != nil || g.header.Get("Authorization") != "Bearer bedrock-api-key-x" || g.header.Get("X-Amz-Date") != "" {
		t.Errorf("%v %v", r.Err, g.header)
	}
	if g, _ = serve(t, provider.Endpoint{}); g.header.Get("Authorization") != "" {
		t.Errorf("without a key: %v", g.header)
	}
}

// asked is the request that ep gets to see, however it ends.
func asked(t *testing.T, ep provider.Endpoint) (*http.Request, pt.Reply) {
	t.Helper()
	var seen *http.Request
	ep.HTTP = &http.Client{Transport: tripper(func(r *http.Request) { seen = r })}
	r := pt.Collect(t.Context(), converse.New(ep), hello())
	return seen, r
}

func TestG02TheKeyMadeForBedrockGoesToAmazonAlone(t *testing.T) {
	t.Setenv("AWS_BEARER_TOKEN_BEDROCK", "token-of-aws")
	t.Setenv("AWS_REGION", "us-west-2")
	t.Setenv("AWS_ACCESS_KEY_ID", accessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", secretKey)
	for base, want := range map[string]string{
		"": "Bearer token-of-aws", "https://bedrock-runtime.eu-west-1.amazonaws.com": "Bearer token-of-aws",
		"https://vpce-1.bedrock-runtime.eu-west-1.vpce.amazonaws.com": "Bearer token-of-aws",
		"https://h.test": "AWS4-HMAC-SHA256 ", "https://bedrock-runtime.eu-west-1.amazonaws.com.evil.test": "AWS4-HMAC-SHA256 ",
	} {
		r, _ := asked(t, provider.Endpoint{BaseURL: base})
		if r == nil || !strings.HasPrefix(r.Header.Get("Authorization"), want) {
			t.Errorf("%q: %v", base, r)
		}
	}
}

func TestTheRegionMakesTheAddressAndTheHostMakesTheRegion(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", accessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", secretKey)
	t.Setenv("AWS_DEFAULT_REGION", "us-west-2")
	for base, want := range map[string][2]string{
		"": {"https://bedrock-runtime.us-west-2.amazonaws.com/model/m/converse-stream", "us-west-2"},
		"https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com/": {"https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com/model/m/converse-stream", "us-gov-west-1"},
	} {
		r, _ := asked(t, provider.Endpoint{BaseURL: base})
		if m := signature.FindStringSubmatch(r.Header.Get("Authorization")); m == nil || r.URL.String() != want[0] || m[3] != want[1] {
			t.Errorf("%q: %s, %s", base, r.URL, r.Header.Get("Authorization"))
		}
	}
	t.Setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "https://vpc.test/x")
	if r, _ := asked(t, provider.Endpoint{}); r.URL.String() != "https://vpc.test/x/model/m/converse-stream" {
		t.Errorf("asked %s", r.URL)
	}
	t.Setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "")
	t.Setenv("AWS_REGION", "cn-north-1")
	if r, _ := asked(t, provider.Endpoint{}); r.URL.Host != "bedrock-runtime.cn-north-1.amazonaws.com.cn" {
		t.Errorf("asked %s", r.URL)
	}
}

func TestMissingCredentialsAreSaidBeforeAnythingIsSent(t *testing.T) {
	t.Setenv("AWS_REGION", "us-west-2")
	t.Setenv("AWS_PROFILE", "nobody")
	seen, r := asked(t, provider.Endpoint{})
	f := failure(t, r, "nobody")
	if e := classify.Error(f); seen != nil || e.Reason != engine.ReasonAuth || f.Code != engine.CodeNoKey {
		t.Errorf("%+v, taken for %s; sent %v", f, e.Reason, seen)
	}
	t.Setenv("AWS_PROFILE", "")
	seen, r = asked(t, provider.Endpoint{}) // nothing anywhere: the whole chain is asked
	f = failure(t, r, "no AWS credentials")
	if e := classify.Error(f); seen != nil || e.Reason != engine.ReasonAuth {
		t.Errorf("%+v, taken for %s; sent %v", f, e.Reason, seen)
	}
}

func TestRefusedCredentialsAreReadAgainFromTheirSource(t *testing.T) {
	file := filepath.Join(t.TempDir(), "credentials")
	keys := func(id string) {
		write(t, file, "[work]\naws_access_key_id = "+id+"\naws_secret_access_key = s\n")
	}
	keys("AKIDOLD")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", file)
	t.Setenv("AWS_PROFILE", "work")
	expired := pt.JSON(403, `{"message":"The security token included in the request is expired"}`)
	expired.Header = http.Header{"X-Amzn-Errortype": {"ExpiredTokenException"}}
	var ids []string
	p := converse.New(provider.Endpoint{BaseURL: "https://h.test", HTTP: pt.Client(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ids = append(ids, signature.FindStringSubmatch(r.Header.Get("Authorization"))[1])
		if len(ids) == 1 {
			expired.ServeHTTP(w, r)
			return
		}
		frames(begin, text(0, "ok"), end("end_turn"), use(1, 1)).ServeHTTP(w, r)
	}))})
	failure(t, pt.Collect(t.Context(), p, hello()), "expired")
	keys("AKIDNEW")
	if r := pt.Collect(t.Context(), p, hello()); r.Err != nil || strings.Join(ids, " ") != "AKIDOLD AKIDNEW" {
		t.Errorf("%v; signed with %v", r.Err, ids)
	}
}
