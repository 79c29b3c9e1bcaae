package dial

import (
	"testing"

	"talaria/engine/catalog"
	"talaria/engine/config"
	"talaria/engine/provider"
)

// openTo is a resolver of somebody with these variables and no configuration.
func openTo(t *testing.T, env map[string]string) config.Resolver {
	t.Helper()
	cat := Catalogue()
	cfg, origins, _, err := config.Load(config.Values(config.Flag, cat, nil))
	if err != nil {
		t.Fatal(err)
	}
	return config.Resolver{Config: cfg, Origins: origins, Catalogue: cat, Getenv: func(k string) string { return env[k] }}
}

func TestTheCatalogueAndTheDetectionAgreeOnEveryProvidersMode(t *testing.T) {
	for _, p := range catalog.Providers() {
		for _, name := range []string{p.Name, ""} { // by name, and by the address alone
			if name == "" && p.BaseURL == "" {
				continue
			}
			if mode, err := provider.DetectMode("", name, p.BaseURL); err != nil || mode != p.APIMode {
				t.Errorf("%s at %q: the catalogue says %s, the detection by %q %s, %v", p.Name, p.BaseURL, p.APIMode, name, mode, err)
			}
		}
	}
}

func TestBedrockIsOfferedWhereTheEnvironmentHasAWSCredentials(t *testing.T) {
	for name, found := range map[string]string{"AWS_PROFILE": "$AWS_PROFILE is set", "AWS_BEARER_TOKEN_BEDROCK": "$AWS_BEARER_TOKEN_BEDROCK is set", "HOME": ""} {
		got := ""
		for _, c := range NewConnector(openTo(t, map[string]string{name: "x"}), "").Known() {
			if c.Route.Provider == "bedrock" {
				got = c.Found
				if !c.Ready || c.Name != "Amazon Bedrock" || c.Route.Model == "" {
					t.Errorf("%s: %+v", name, c)
				}
			}
		}
		if got != found {
			t.Errorf("%s: found %q, want %q", name, got, found)
		}
	}
}
