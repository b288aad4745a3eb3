package pipeline_test

import (
	"bytes"
	"strings"
	"testing"

	"docent/pipeline"
)

func TestSlug(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{"": "docent", "???": "docent", "How do I trim?": "how-do-i-trim", "灯芯 怎么修剪": "灯芯-怎么修剪",
		"../../etc/passwd": "etc-passwd", "a\x1b[31mb\n": "ab", strings.Repeat("long ", 30): "long-long-long-long-long-long-long-long"} {
		if got := pipeline.FileSlug(question); got != want {
			t.Errorf("%q is %q, not %q", question, got, want)
		}
	}
}

// Of 150 flipped bits of a saved session 28 once gave another text of an answer, which is
// quoted as cited, without a word.
func TestAFlippedBitOfASessionIsFound(t *testing.T) {
	t.Parallel()
	req := pipeline.Request{Question: "how do I trim the wick"}
	b, err := pipeline.SaveSession(req, []string{"left out"}, pipeline.Result{Query: req.Question, Final: "Trim the wick level.\n"}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	if s, err := pipeline.DecodeSaved(b); err != nil || s.Result.Final != "Trim the wick level.\n" {
		t.Fatalf("%+v, %v", s, err)
	}
	for i := range b {
		for bit := range 8 {
			damaged := bytes.Clone(b)
			damaged[i] ^= 1 << bit
			if _, err := pipeline.DecodeSaved(damaged); err == nil {
				t.Fatalf("bit %d of byte %d: %s", bit, i, damaged)
			}
		}
	}
	// Those of before have no checksum, and are read.
	old := bytes.Replace(b, []byte(`"docent_session": 2`), []byte(`"docent_session": 1`), 1)
	if _, err := pipeline.DecodeSaved(old); err != nil {
		t.Error(err)
	}
}
