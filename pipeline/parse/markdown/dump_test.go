package markdown

import (
	"fmt"
	"os"
	"testing"
)

func TestDump(t *testing.T) {
	f := os.Getenv("DUMP")
	if f == "" {
		t.Skip()
	}
	src, _ := os.ReadFile(f)
	d, _ := Parse(src, Options{Path: f})
	fmt.Printf("title %q h1 %q url %q warn %q\n", d.Title, d.H1, d.URL, d.Warnings)
	for _, s := range d.Sections {
		fmt.Println(s.Index, s.Level, s.Anchor, s.Path, s.Parent, s.Span, s.Tree)
	}
	for _, b := range d.Blocks {
		fmt.Printf("%d %s [%d-%d] w=%v %q | %q %s\n", b.Section, b.Kind, b.Span.StartLine, b.Span.EndLine, b.Warning, cutS(b.Text), cutS(b.Code), b.Lang)
	}
	for i, l := range d.Links {
		if i < 20 {
			fmt.Println(l)
		}
	}
}

func cutS(s string) string {
	if len(s) > 150 {
		return s[:150] + "…"
	}
	return s
}
