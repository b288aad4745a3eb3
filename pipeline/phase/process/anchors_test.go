package process

import (
	"testing"

	"docent/pipeline/contract"
	"docent/store/doc"
)

// The sections of a page that was converted are quoted by the anchors of its source; the
// rendition's own, made of the headings, lead nowhere there.
func TestAnchorsOfTheSource(t *testing.T) {
	t.Parallel()
	const text = "# Lamps\n\nBurn.\n\n## `light()`\n\nLights.\n\n## Oil\n\nFlows.\n"
	anchors := contract.LineAnchors([]doc.Section{{Anchor: "top", Span: doc.Span{StartLine: 1}}, {Span: doc.Span{StartLine: 3}}, {Anchor: "lamp.light", Span: doc.Span{StartLine: 5}}})
	p := newPage("a", text, sectionsNamed(blocks, anchors, len(text)), budget{unlimited, unlimited})
	var got []string
	for _, s := range p.sections {
		got = append(got, s.anchor)
	}
	if len(got) != 3 || got[0] != "top" || got[1] != "lamp.light" || got[2] != "oil" {
		t.Errorf("the sections are %q", got)
	}
	// A part of the text has other lines.
	if d, err := sectionsNamed(blocks, anchors, len(text))([]byte("x\n")); err != nil || len(d.Sections) != 1 || d.Sections[0].Anchor != "" {
		t.Errorf("%+v, %v", d.Sections, err)
	}
}
