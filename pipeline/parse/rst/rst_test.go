package rst

import (
	"testing"

	"docent/pipeline/parse"
)

type rendition struct{ name, src, want string }

func renditions() []rendition { return nil }

func TestRenditions(t *testing.T) {
	for _, tt := range renditions() {
		if got := string(read(t, tt.src, parse.Options{Path: "guide/a.rst"}).Text); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}
