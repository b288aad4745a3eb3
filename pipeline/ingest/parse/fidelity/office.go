package fidelity

import (
	"strings"

	"docent/pipeline/text/spacing"
)

// odtHidden are the elements of OpenDocument that are not shown, odtInline those whose ends
// do not end a word.
var (
	odtHidden = spacing.WordSet("table-of-content alphabetical-index illustration-index table-index object-index " +
		"user-index tracked-changes " +
		"annotation forms sequence-decls variable-decls note-citation page-number title automatic-styles font-face-decls scripts")
	odtInline = spacing.WordSet("span a bookmark bookmark-start bookmark-end soft-page-break annotation-end change " +
		"change-start change-end " +
		"alphabetical-index-mark reference-mark sequence ruby ruby-base")
)

// scanODT takes the words of an OpenDocument text.
func scanODT(t *tally, src []byte) {
	scanParts(src, func(name string) bool { return name == "content.xml" }, func(xml []byte) {
		var out hidden
		scanTags(xml, func(text []byte) {
			if out.depth == 0 {
				t.addText(text)
			}
		}, func(tag tag, _ []byte) int {
			if !odtInline[tag.name] {
				t.endWord()
			}
			if !out.isInside(tag) && !tag.closes && odtHidden[tag.name] {
				out.hide(tag)
			}
			return 0
		})
		t.endWord()
	})
}

// scanPPTX takes the words of the slides of a presentation and of their notes, without their
// footers and numbers.
func scanPPTX(t *tally, src []byte) {
	scanParts(src, func(name string) bool {
		return strings.HasSuffix(name, ".xml") &&
			(strings.HasPrefix(name, "ppt/slides/slide") || strings.HasPrefix(name, "ppt/notesSlides/notes"))
	}, func(xml []byte) {
		shown, footer := false, false
		scanTags(xml, func(text []byte) {
			if shown && !footer {
				t.addText(text)
			}
		}, func(tag tag, _ []byte) int {
			shown = tag.name == "t" && !tag.closes && !tag.empty
			switch tag.name {
			case "ph":
				switch tag.attribute("type") {
				case "ftr", "sldnum", "sldNum", "dt", "hdr":
					footer = true
				}
			case "sp":
				footer = footer && !tag.closes
			case "p", "br", "tc":
				t.endWord()
			}
			return 0
		})
		t.endWord()
	})
}

// scanXLSX takes the words of the cells of a workbook that are texts, each shared one once.
func scanXLSX(t *tally, src []byte) {
	scanParts(src, func(name string) bool {
		return name == "xl/sharedStrings.xml" || strings.HasPrefix(name, "xl/worksheets/sheet")
	}, func(xml []byte) {
		shown := false
		var out hidden
		scanTags(xml, func(text []byte) {
			if shown && out.depth == 0 {
				t.addText(text)
			}
		}, func(tag tag, _ []byte) int {
			shown = tag.name == "t" && !tag.closes && !tag.empty
			if !out.isInside(tag) && !tag.closes && tag.name == "rph" {
				out.hide(tag)
			}
			if tag.name == "si" || tag.name == "c" {
				t.endWord()
			}
			return 0
		})
		t.endWord()
	})
}
