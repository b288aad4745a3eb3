package doc_test

import (
	"testing"

	"docent/store/doc"
)

func TestSplitVersion(t *testing.T) {
	t.Parallel()
	for folder, want := range map[string]string{
		"k8s-docs-v1.31":  "k8s-docs@1.31",
		"django-5.1":      "django@5.1",
		"Go_1.26.0":       "Go@1.26.0",
		"react-v19":       "react@19",
		"my docs 2.0":     "my docs@2.0",
		"log4j-2":         "", // a name may end with a number
		"docs":            "",
		"v1.31":           "",
		"-1.2":            "",
		"a-v":             "",
		"a-1.":            "",
		"a-1.x":           "",
		"a-v1.2-beta":     "",
		"talks-2024.12":   "talks@2024.12",
		"id-12345.6":      "",
		"mdn-css-2024-12": "mdn-css@2024-12", "claude-code-docs_2026-02-28": "claude-code-docs@2026-02-28", "notes-20241231": "notes@20241231",
		"notes-2024": "", "2024-12": "", "part-1234-56": "",
	} {
		got, ok := doc.SplitVersion(folder)
		if ok != (want != "") || ok && got.String() != want {
			t.Errorf("%q is %v (%v), want %q", folder, got, ok, want)
		}
	}
}
