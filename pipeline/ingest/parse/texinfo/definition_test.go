package texinfo_test

import (
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/texinfo"
)

// outline is the text of a page, and its sections with their anchors.
func outline(t *testing.T, source ...string) (text, sections string) {
	t.Helper()
	d, err := texinfo.Parser{}.Parse(t.Context(), []byte(strings.Join(source, "\n")+"\n"), parse.Options{Path: "lamp.texi"})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, s := range d.Sections {
		all = append(all, s.Text+" #"+s.Anchor)
	}
	return string(d.Text), strings.Join(all, "; ")
}

// The head of a definition goes on behind an "@" at the end of its line. The second head was read as a definition of
// its own that had no end, so all sections behind it were text of a list.
func TestDefinitionHeadsThatGoOn(t *testing.T) {
	t.Parallel()
	text, sections := outline(t, "@node Wicks", "@chapter Wicks",
		"@defmac LIT_LAMP (@var{wick}, @", "  @var{oil})", "@defmacx LIT_LANTERN (@var{wick}, @ ", "  @var{oil})", "Lights one.", "@end defmac",
		"", "Mail to a@@", "b.", "@node Oil", "@chapter Oil", "Use it.")
	if want := "- **`LIT_LAMP (wick, oil)`, `LIT_LANTERN (wick, oil)`**\n  Lights one.\n"; !strings.Contains(text, want) {
		t.Errorf("the text is\n%s", text)
	}
	if sections != "Wicks #Wicks; Oil #Oil" {
		t.Errorf("the sections are %s", sections)
	}
}

// A block without an end is over where the next section begins.
func TestBlocksWithoutEnd(t *testing.T) {
	t.Parallel()
	for name, block := range map[string]string{
		"second head": "@defunx trim (wick)", "definition": "@defun trim (wick)\nTrims.", "list": "@itemize\n@item One\n\ntwo",
		"list before its items": "@enumerate\nText", "terms": "@table @code\n@item -w\nThe wick.", "terms before items": "@table @code\nText",
		"quotation": "@quotation\nSaid.", "frame": "@group\nSaid.", "example": "@example\nlight", "cells": "@multitable {a} {b}\n@item 1 @tab 2",
		"nested": "@itemize\n@item\n@quotation\n@table @asis\n@item a\nb",
	} {
		_, sections := outline(t, "@node Wicks", "@chapter Wicks", block, "@node Oil", "@section Oil", "Use it.", "@subsection More", "Text.")
		if sections != "Wicks #Wicks; Oil #Oil; More #More" {
			t.Errorf("%s: the sections are %s", name, sections)
		}
	}
}

// A heading that is no section stands in a block, and the block goes on.
func TestHeadingsInBlocks(t *testing.T) {
	t.Parallel()
	text, _ := outline(t, "@chapter Wicks", "@quotation", "First.", "@heading Care", "Second.", "@end quotation", "After.")
	if !strings.Contains(text, "> Second.") {
		t.Errorf("the text is\n%s", text)
	}
}

// Definitions may have their heads as lines of a block.
func TestBlocksOfDefinitionLines(t *testing.T) {
	t.Parallel()
	text, _ := outline(t, "@chapter Wicks", "@defblock", "@defline Function light wick", "@deftypeline {Lamp call} int trim (int @var{wick})", "Does it.",
		"@end defblock", "", "After.")
	if want := "- **`light wick` (Function), `int trim (int wick)` (Lamp call)**\n  Does it.\n\nAfter.\n"; !strings.Contains(text, want) {
		t.Errorf("the text is\n%s", text)
	}
}

// Anchors are those that makeinfo makes of the names of nodes, and of headings without a node.
func TestAnchorsOfNodes(t *testing.T) {
	t.Parallel()
	_, sections := outline(t, "@node Flat-Wick Lamps", "@chapter Flat", "@node --trim", "@chapter Trim", "@node Öl", "@chapter Oil",
		"@node $< in rules", "@chapter Rules", "@subheading Read: this")
	if want := "Flat #Flat_002dWick-Lamps; Trim #g_t_002d_002dtrim; Oil #g_t_00d6l; Rules #g_t_0024_003c-in-rules; Read: this #Read_003a-this"; sections != want {
		t.Errorf("the sections are %s, want %s", sections, want)
	}
}
