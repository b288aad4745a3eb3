package plain

import (
	"fmt"
	"strings"
	"testing"
)

// Headings, fences and blank lines part a page; indented lines stay with the block before them, and
// short paragraphs of a long page are joined.
func TestRead(t *testing.T) {
	t.Parallel()
	src := "# Pump\n\nOil it.\n\n  Indented.\n\n## Parts\n```\n# no heading\n```\nOne.\n\nTwo.\n"
	starts := []int{0}
	for i, c := range src {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	for long, want := range map[bool]string{
		false: "0:1-1 0:3-5 1:7-7 1:8-10 1:11-11 1:13-13",
		true:  "0:1-1 0:3-5 1:7-7 1:8-10 1:11-13",
	} {
		var got []string
		d := Read(src, starts, long)
		for _, b := range d.Blocks {
			got = append(got, fmt.Sprintf("%d:%d-%d", b.Section, b.Span.StartLine, b.Span.EndLine))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("long %v: the blocks are %s, want %s", long, text, want)
		}
		if len(d.Sections) != 2 || d.Sections[1].Text != "Parts" || d.Sections[1].Parent != 0 {
			t.Errorf("the sections are %+v", d.Sections)
		}
	}
}
