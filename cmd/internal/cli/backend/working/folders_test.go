package working

import (
	"testing"

	"docent/store/doc"
)

// The form for adding a folder proposes the version that the folder's name ends in,
// and takes no other number for one.
func TestVersionInName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"k8s-docs-v1.31":           "k8s-docs@1.31",
		"python-3.12":              "python@3.12",
		"manual_v2":                "manual@2",
		"docs 2.0.1":               "docs@2.0.1",
		"claude-code-docs-2026-02": "claude-code-docs@2026-02",
		"html5":                    "html5@latest",
		"part-2":                   "part-2@latest",
		"v1.31":                    "v1.31@latest",
		"rust-book":                "rust-book@latest",
	} {
		if got := versionInName(doc.Ref{Name: name, Version: doc.DefaultVersion}).String(); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if got := versionInName(doc.Ref{Name: "a-v2", Version: "1"}).String(); got != "a-v2@1" {
		t.Errorf("a version that is there is replaced: %s", got)
	}
}
