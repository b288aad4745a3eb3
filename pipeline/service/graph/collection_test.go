package graph_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"docent/pipeline/service/servicetest"
)

// A doc set may be the folder of a collection, and the configuration that publishes its pages lies above it: links of
// the site once led to the page of the same name in another language.
func TestConfigurationOfJekyllAboveTheDocSet(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Write("_lamps", map[string]string{
		"oil.md":     "# Oil\n\n## Fill\n\n[1](../wick/#trim)\n",
		"wick.md":    "# Wick\n\n## Trim\n",
		"fr/oil.md":  "# Huile\n\n## Remplir\n\n[1](../wick/#tailler-la-m&egrave;che) [2](../wick/#gone) [3](/fr/wick/#tailler-la-mèche)\n",
		"fr/wick.md": "# Mèche\n\n## Tailler la m&egrave;che\n",
	})
	site := filepath.Dir(h.Root("_lamps"))
	config := "permalink: /:path/\ncollections:\n  lamps: {output: true, permalink: '/:path/'}\n"
	for _, err := range []error{os.MkdirAll(filepath.Join(site, ".git"), 0o700),
		os.WriteFile(filepath.Join(site, "_config.yml"), []byte(config), 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := h.AddFolder(h.Root("_lamps")); err != nil {
		t.Fatal(err)
	}
	found, err := h.Graph.Broken(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var broken []string
	for _, b := range found.Broken {
		broken = append(broken, b.Path+" "+b.Target)
	}
	if want := []string{"fr/oil.md ../wick/#gone"}; !slices.Equal(broken, want) {
		t.Errorf("broken are %q, want %q", broken, want)
	}
}
