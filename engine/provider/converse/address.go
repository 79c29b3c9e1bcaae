package converse

import (
	"context"
	"net/url"
	"os"
	"path"
	"strings"

	"talaria/engine/provider"
)

// target is where a request goes. Region is the one in the host's name, "" when it names none. Amazon: to a host of AWS,
// or to the one that the AWS environment names.
type target struct {
	url, region string
	amazon      bool
}

// target returns the address of a call for a model under the base URL, or in the region when there is none.
func (c *client) target(ctx context.Context, model, call string) (target, error) {
	base := strings.TrimSpace(c.ep.BaseURL)
	t := target{amazon: base == ""}
	if t.amazon {
		base = strings.TrimSpace(os.Getenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME"))
	}
	if base == "" {
		region, err := c.creds.region(ctx)
		if err != nil {
			return t, err
		}
		if region == "" {
			return t, badURL("no AWS region is chosen: set AWS_REGION (us-east-1, for example), a region in the AWS profile, or the base URL")
		}
		base = "https://bedrock-runtime." + region + ".amazonaws.com"
		if strings.HasPrefix(region, "cn-") {
			base += ".cn"
		}
	}
	if _, err := provider.JoinURL(base, "/model"); err != nil { // says what is wrong with it
		return t, badURL(err.Error())
	}
	u, err := url.Parse(base)
	if err != nil {
		return t, badURL("the base URL cannot be read")
	}
	t.region = regionOf(u.Hostname())
	t.amazon = t.amazon || t.region != ""
	t.url = join(u, model, call)
	return t, nil
}

// join puts /model/{id}/{call} after the path of u. An id may be an ARN with slashes and colons, so it is escaped whole.
func join(u *url.URL, model, call string) string {
	p := path.Clean("/" + u.Path)
	if i := strings.LastIndex(p, "/model/"); i >= 0 && (strings.HasSuffix(p, "/"+streaming) || strings.HasSuffix(p, "/"+atOnce)) {
		p = p[:i] // the address of one call was pasted
	}
	p = strings.TrimRight(p, "/")
	id := strings.ReplaceAll(url.QueryEscape(model), "+", "%20")
	out := *u
	out.RawPath = (&url.URL{Path: p}).EscapedPath() + "/model/" + id + "/" + call
	out.Path, out.Fragment = p+"/model/"+model+"/"+call, ""
	return out.String()
}

// regionOf is the region in the name of a host of Bedrock, "" for any other host.
func regionOf(host string) string {
	labels := strings.Split(strings.ToLower(strings.TrimSuffix(host, ".")), ".")
	for i, label := range labels {
		if label != "bedrock-runtime" && label != "bedrock-runtime-fips" || i+2 >= len(labels) {
			continue
		}
		switch strings.TrimPrefix(strings.Join(labels[i+2:], "."), "vpce.") {
		case "amazonaws.com", "amazonaws.com.cn", "api.aws":
			return labels[i+1]
		}
	}
	return ""
}

func badURL(message string) *provider.Failure {
	return &provider.Failure{Code: provider.CodeBadURL, Message: message}
}
