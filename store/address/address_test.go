package address

import (
	"slices"
	"strings"
	"testing"
)

func TestWeaviate(t *testing.T) {
	t.Parallel()
	a, err := ParseWeaviate("weaviate+https://one,two:9090/Team?replicas=3")
	if err != nil || !slices.Equal(a.Hosts, []string{"one:8080", "two:9090"}) || !a.TLS || a.Name != "Team" || a.Replicas != 3 {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := ParseWeaviate("weaviate://[::1]:80"); err != nil || a.String() != "weaviate://[::1]:80/docent" {
		t.Errorf("%v, %v", a, err)
	}
	for text, want := range map[string]string{
		"http://one":                  "begins otherwise",
		"weaviate://":                 "no host",
		"weaviate://key@one":          "environment",
		"weaviate://one/a-b":          "letters and digits",
		"weaviate://one/a/b":          "letters and digits",
		"weaviate://one?replicas=0":   "1 to 9",
		"weaviate://one?replica=1":    "no setting",
		"weaviate://one?replicas=%zz": "invalid URL escape",
	} {
		if _, err := ParseWeaviate(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
