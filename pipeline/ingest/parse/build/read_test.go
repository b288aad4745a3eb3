package build_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/markdown"
)

// A large rendition is read in parts, with the same result as in one: sections with their
// paths and trees, blocks, links and marks in their places.
func TestLargeRenditionIsReadInParts(t *testing.T) {
	t.Parallel()
	w := build.New()
	for i := 0; w.Len() < 3<<20; i++ {
		w.Heading(1+i%3, build.TextInline(fmt.Sprintf("Bed %d", i)), fmt.Sprintf("bed-%d", i))
		w.Paragraph(build.TextInline("The soil is turned.\n"+strings.Repeat("It is dug over. ", 20)+"It is ") + build.Strong("heavy") + " and " + build.LinkInline("wet", "wet.md"))
		w.WriteCode("sh", "# no heading\ndig\n```\n# nor this\n```")
		w.Open(build.Number(1))
		w.Paragraph("Dig")
		w.WriteCode("", "# in a list")
		w.Close()
	}
	d, err := w.Document(context.Background(), []byte("source"))
	if err != nil {
		t.Fatal(err)
	}
	// The budget of package markdown allows for this one.
	whole, err := markdown.ParseMarkdown(d.Text, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Sections) != len(whole.Sections) || len(d.Blocks) != len(whole.Blocks) || len(d.Sections) < 1000 {
		t.Fatalf("%d sections and %d blocks, in one piece %d and %d", len(d.Sections), len(d.Blocks), len(whole.Sections), len(whole.Blocks))
	}
	for i, s := range d.Sections {
		if want := fmt.Sprintf("bed-%d", i); s.Anchor != want {
			t.Fatalf("section %d has the anchor %q", i, s.Anchor)
		}
		s.Anchor = whole.Sections[i].Anchor
		if !reflect.DeepEqual(s, whole.Sections[i]) {
			t.Fatalf("section %d is %+v, in one piece %+v", i, s, whole.Sections[i])
		}
	}
	if !reflect.DeepEqual(d.Blocks, whole.Blocks) || !reflect.DeepEqual(d.Links, whole.Links) || d.H1 != whole.H1 {
		t.Error("the blocks or links are others than in one piece")
	}
	again, err := build.ReadRendition(d.Text)
	if err != nil || !reflect.DeepEqual(again.Blocks, d.Blocks) {
		t.Errorf("read again the blocks are others (%v)", err)
	}
	if strings.Contains(strings.Join(d.Warnings, " "), "plain text") {
		t.Errorf("%q", d.Warnings)
	}
}

// More headings than package markdown reads in one page are sections all the same.
func TestManyHeadings(t *testing.T) {
	t.Parallel()
	w := build.New()
	for i := range 30_000 {
		w.Heading(2, fmt.Sprintf("Heading %d with some more words that make it longer than it need be", i), "")
		w.Paragraph("Text.")
	}
	d, err := w.Document(context.Background(), nil)
	if err != nil || len(d.Sections) != 30_000 || len(d.Warnings) > 0 {
		t.Errorf("%d sections, %q, %v", len(d.Sections), d.Warnings, err)
	}
}
