package converse

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/smithy-go/logging"

	"talaria/engine"
	"talaria/engine/provider"
)

// signing are the variables that name AWS credentials. One that holds anything makes requests signed.
var signing = []string{
	"AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE",
	"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI",
}

// bearerVariable holds a Bedrock API key. It goes to Amazon alone.
const bearerVariable = "AWS_BEARER_TOKEN_BEDROCK"

// credentialTime is how long a profile, SSO or the instance's metadata may take to give credentials.
const credentialTime = 30 * time.Second

// fallbackRegion is only a word in the signature for a server that is not Amazon's own.
const fallbackRegion = "us-east-1"

func set(name string) bool { return strings.TrimSpace(os.Getenv(name)) != "" }

// authorise signs req, or puts a bearer token in. To Amazon, a key of the variable made for Bedrock goes before
// credentials for AWS as a whole, as in Amazon's own tools; without any key the SDK looks in all its places. To another
// server nothing is sent that neither the environment nor the endpoint names.
func (c *client) authorise(req *http.Request, body []byte, at target) error {
	switch ep := c.ep; {
	case at.amazon && set(bearerVariable):
		ep.Key = os.Getenv(bearerVariable)
		return ep.Authorise(req, "")
	case slices.ContainsFunc(signing, set), at.amazon && strings.TrimSpace(ep.Key) == "":
		return c.creds.sign(req, body, at.region)
	default:
		return ep.Authorise(req, "")
	}
}

// credentials loads the SDK's configuration when it is first asked for, and keeps it until it is forgotten.
type credentials struct {
	mu     sync.Mutex
	loaded *aws.Config
}

func (c *credentials) load(ctx context.Context) (*aws.Config, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loaded != nil {
		return c.loaded, nil
	}
	// the SDK would log to stderr, which the screen owns
	cfg, err := config.LoadDefaultConfig(ctx, config.WithLogger(logging.Nop{}))
	if err != nil {
		return nil, noCredentials(ctx, "the AWS configuration cannot be read", err)
	}
	c.loaded = &cfg
	return c.loaded, nil
}

// forget drops what was loaded, so that the next request reads renewed credentials from their source.
func (c *credentials) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loaded = nil
}

// region is the one that the environment or the profile names, "" without one.
func (c *credentials) region(ctx context.Context) (string, error) {
	for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION"} {
		if set(name) {
			return strings.TrimSpace(os.Getenv(name)), nil
		}
	}
	cfg, err := c.load(ctx)
	if err != nil {
		return "", err
	}
	return cfg.Region, nil
}

// sign puts a version 4 signature into req. Region "" takes that of the environment or the profile.
func (c *credentials) sign(req *http.Request, body []byte, region string) error {
	ctx, cancel := context.WithTimeout(req.Context(), credentialTime)
	defer cancel()
	cfg, err := c.load(ctx)
	if err != nil {
		return err
	}
	if region == "" {
		if region, err = c.region(ctx); err != nil {
			return err
		}
	}
	keys, err := cfg.Credentials.Retrieve(ctx)
	if err != nil {
		c.forget()
		return noCredentials(req.Context(), "there are no AWS credentials to sign with", err)
	}
	sum := sha256.Sum256(body)
	if err := v4.NewSigner().SignHTTP(ctx, keys, req, hex.EncodeToString(sum[:]), "bedrock", cmp.Or(region, fallbackRegion), time.Now()); err != nil {
		return noCredentials(req.Context(), "the request cannot be signed", err)
	}
	return nil
}

// noCredentials is a failure before anything was sent.
func noCredentials(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &provider.Failure{Code: engine.CodeNoKey, Type: "UnrecognizedClientException", Err: err,
		Message: what + ": " + strings.Join(strings.Fields(err.Error()), " ")}
}
