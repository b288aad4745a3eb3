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
	for text, want := range map[string][]string{
		"weaviate://one,two:9090?grpc=50051":                 {"one:50051", "two:50051"},
		"weaviate://[::1]:80/docs?replicas=1&grpc=7":         {"[::1]:7"},
		"weaviate+https://one,two?grpc=g.one:443,g.two:1443": {"g.one:443", "g.two:1443"},
		"weaviate://one": nil,
	} {
		if a, err := ParseWeaviate(text); err != nil || !slices.Equal(a.GRPC, want) {
			t.Errorf("%s: %v, %v", text, a.GRPC, err)
		}
	}
	for text, want := range map[string]string{
		"weaviate://one,two?grpc=one:1": "each of the 2 hosts",
		"weaviate://one?grpc=0":         "a port",
		"weaviate://one?grpc=":          "no host with a port",
		"weaviate://one?grpc=one:70000": "no host with a port",
		"http://one":                    "begins otherwise",
		"weaviate://":                   "no host",
		"weaviate://key@one":            "environment",
		"weaviate://one/a-b":            "letters and digits",
		"weaviate://one/a/b":            "letters and digits",
		"weaviate://one?replicas=0":     "1 to 9",
		"weaviate://one?replica=1":      "no setting",
		"weaviate://one?replicas=%zz":   "invalid URL escape",
	} {
		if _, err := ParseWeaviate(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	p, err := ParsePostgres("postgres://me:secret@db:5432/docs?schema=team&sslmode=disable")
	if err != nil || p.String() != "postgres://db:5432/docs?schema=team" {
		t.Errorf("%v, %v", p, err)
	}
	if p, err := ParsePostgres("postgresql://db/docs"); err != nil || p.Schema != "docent" {
		t.Errorf("%v, %v", p, err)
	}
	for text, want := range map[string]string{
		"mysql://me:secret@db/docs":            "begins otherwise",
		"postgres:///docs":                     "no host",
		"postgres://db/docs?schema=A":          "lower-case",
		"postgres://db/docs?schema=pg_x":       "lower-case",
		"postgres://db/docs?password=secret":   "PGPASSWORD",
		"postgres://me:secret@db/docs?x=%zz":   "parameters",
		"postgres://me:secret@d b/docs":        "no URL",
		"postgres://me:secret@db:port/docs?x=": "no URL",
	} {
		if _, err := ParsePostgres(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Names have a bound, in bytes.
func TestLongNames(t *testing.T) {
	t.Parallel()
	for n, fits := range map[int]bool{mostName: true, mostName + 1: false} {
		if _, err := ParseWeaviate("weaviate://search/" + strings.Repeat("a", n)); (err == nil) != fits {
			t.Errorf("a collection's name of %d letters: %v", n, err)
		}
	}
	for n, fits := range map[int]bool{mostSchema: true, mostSchema + 1: false} {
		if IsSchemaName(strings.Repeat("a", n)) != fits {
			t.Errorf("a schema's name of %d letters", n)
		}
	}
}
