package ingest

import (
	"strings"
	"testing"
)

func TestParameters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"--feature-gates mapStringBool turns them on\nplain prose of --flags":  "--feature-gates",
		"maxTokens: the most\nThe most tokens\nserver.port  where it listens":  "maxTokens server.port",
		"Name\tMeaning\nretry_limit\thow often\nA cell of many words\tno name": "Name retry_limit",
		"-v\nhttps://example.org/a_b\n3.5\nx\n":                                "-v",
		"AWS_REGION=eu where\nKubernetes is\nkube-proxy runs\niPhone":          "AWS_REGION=eu iPhone",
		"": "",
	} {
		if got := strings.Join(parameters(text), " "); got != want {
			t.Errorf("parameters(%q) = %q, want %q", text, got, want)
		}
	}
}
