package pipeline_test

import (
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
