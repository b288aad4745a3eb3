package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docent/pipeline/knowledge/enrich"
)

// The first gate that fails ends the run, and says what failed in a file.
func TestAFailedGate(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "bin", "indexer_diagnostics.json")
	var said bytes.Buffer
	err := run(t.Context(), &said, filepath.Join(t.TempDir(), "docent"), "nothing", out)
	if err == nil || !strings.HasPrefix(err.Error(), "gate 1, config lint: ") || said.Len() > 0 {
		t.Fatalf("%v, %s", err, &said)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var f failure
	if err := json.Unmarshal(raw, &f); err != nil || f.Gate != 1 || f.Name != "config lint" || !strings.Contains(f.Error, "config lint") {
		t.Errorf("%s: %v", raw, err)
	}
}

// Vectors are written and found without the program.
func TestIndexConnectivity(t *testing.T) {
	t.Parallel()
	saw, err := indexConnectivity(t.Context(), "", "", t.TempDir())
	if err != nil || saw == "" {
		t.Error(saw, err)
	}
}

func TestTheLineOfAPage(t *testing.T) {
	t.Parallel()
	m := indexed.FindStringSubmatch(`INFO indexer: file=DOCS/API.md domain=tech_docs override="DOCS/**" index="emb_tech_docs_llmc" extractor="TechDocsExtractor" chunks=24 ms=712`)
	if m == nil || m[1] != "DOCS/API.md" || m[3] != "24" {
		t.Errorf("%q", m)
	}
}

// Gate 3 notices an answer that counts and must not, and one that is refused and must not.
func TestEnrichmentSchema(t *testing.T) {
	t.Parallel()
	if refused, err := judgeAnswers(answerCases()); err != nil || refused < 10 {
		t.Error(refused, err)
	}
	for _, bad := range []answer{{name: "counts", text: `{"summary": "a"}`, reason: enrich.UnknownKey}, {name: "refused", text: `{}`}, {name: "whole", text: `{"summary": "a"}`, truncated: true}} {
		if _, err := judgeAnswers([]answer{bad}); err == nil {
			t.Errorf("%s: nobody noticed", bad.name)
		}
	}
}
