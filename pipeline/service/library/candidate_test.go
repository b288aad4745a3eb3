package library

import (
	"testing"

	"docent/pipeline/ingest"
	"docent/store/doc"
)

// A folder is proposed as the version that its name ends in, and no other number is taken for
// one.
func TestVersionInName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"k8s-docs-v1.31": "k8s-docs@1.31", "python-3.12": "python@3.12", "manual_v2": "manual@2",
		"docs 2.0.1": "docs@2.0.1", "claude-code-docs-2026-02": "claude-code-docs@2026-02", "html5": "", "part-2": "", "v1.31": "", "rust-book": ""} {
		got, ok := Candidate{Found: ingest.Found{Ref: doc.Ref{Name: name, Version: doc.DefaultVersion}}}.VersionInName()
		if ok != (want != "") || ok && got.String() != want {
			t.Errorf("%s is %s, %v, want %s", name, got, ok, want)
		}
	}
	if got, ok := (Candidate{Found: ingest.Found{Ref: doc.Ref{Name: "a-v2", Version: "1"}}}).VersionInName(); ok {
		t.Errorf("a version that is there is replaced: %s", got)
	}
}
