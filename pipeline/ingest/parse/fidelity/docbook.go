package fidelity

import "docent/pipeline/text/spacing"

// docbookInline are the elements of DocBook whose ends do not end a word.
var docbookInline = spacing.WordSet("emphasis literal command option filename function varname constant " +
	"parameter type classname methodname code " +
	"envar userinput computeroutput systemitem symbol property tag sgmltag markup structfield structname errorcode returnvalue " +
	"guilabel guibutton guimenu guimenuitem guisubmenu replaceable firstterm ulink link quote phrase application productname acronym " +
	"abbrev token prompt keycap superscript subscript trademark wordasword optional indexterm primary secondary tertiary co")

// docbookHidden are the elements of DocBook that are not shown, and those about the book and its
// authors, of which a page shows the title alone.
var docbookHidden = spacing.WordSet("indexterm index remark revhistory beginpage areaspec co titleabbrev " +
	"refmeta info bookinfo articleinfo " +
	"chapterinfo sectioninfo sect1info sect2info sect3info sect4info sect5info refentryinfo refsect1info partinfo appendixinfo " +
	"prefaceinfo referenceinfo setinfo blockinfo objectinfo glossaryinfo bibliographyinfo toc lot imagedata videodata audiodata " +
	"mathml math svg footnoteref xref alt textobject")

// scanDocBook takes the words of DocBook: without indexes, remarks and metadata.
func scanDocBook(t *tally, src []byte) {
	var out hidden
	scanTags(src, func(text []byte) {
		if out.depth == 0 {
			t.addText(text)
		}
	}, func(tag tag, _ []byte) int {
		if !docbookInline[tag.name] {
			t.endWord()
		}
		if !out.isInside(tag) && !tag.closes && docbookHidden[tag.name] {
			out.hide(tag)
		}
		return 0
	})
}
