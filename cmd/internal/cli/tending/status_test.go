package tending

import (
	"path/filepath"
	"strings"
	"testing"

	"docent/cmd/internal/cli/driver"
	"docent/pipeline/service/care"
)

// Stores on servers are named with their addresses; those of the home's folder need no row.
func TestStatusSaysWhereTheStoresLie(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for name, tt := range map[string]struct {
		stores care.Stores
		want   []string
	}{
		"folder": {care.Stores{Catalog: filepath.Join(home, "catalog.db"), Index: filepath.Join(home, "index")},
			[]string{"index      0 B"}},
		"index elsewhere": {care.Stores{Catalog: filepath.Join(home, "catalog.db"), Index: "weaviate://search:8080/docs"},
			[]string{"index      0 B at weaviate://search:8080/docs"}},
		"both elsewhere": {care.Stores{Catalog: "postgres://db/docs?schema=team", Index: "weaviate://search:8080/docs"},
			[]string{"index      0 B at weaviate://search:8080/docs", "catalog    postgres://db/docs?schema=team"}},
	} {
		var got []string
		writeStatus(care.Status{Home: home, Stores: tt.stores}, driver.Paper{Line: func(line string) {
			if strings.HasPrefix(line, "index ") || strings.HasPrefix(line, "catalog ") {
				got = append(got, line)
			}
		}})
		if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
