package fidelity

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"

	"docent/pipeline/text/spacing"
)

// ditaInline are the elements of DITA whose ends do not end a word.
var ditaInline = spacing.WordSet("b i u tt ph codeph keyword uicontrol wintitle filepath cmdname option parmname " +
	"apiname varname userinput " +
	"systemoutput term cite synph kwd var oper delim sep text tm xmlelement xmlatt line-through overline msgnum")

// ditaHidden are the elements of DITA that are not shown.
var ditaHidden = spacing.WordSet("prolog topicmeta indexterm draft-comment required-cleanup data data-about foreign " +
	"unknown titlealts alt " +
	"object resourceid reltable keydef navref ux-window longdescref svg-container mathml")

// ditaReplaced are the attributes of elements whose text comes from elsewhere.
var ditaReplaced = []string{"conref", "conkeyref", "keyref"}

// scanDITA takes the words of a topic or a map.
func scanDITA(t *tally, src []byte) {
	var out hidden
	scanTags(src, func(text []byte) {
		if out.depth == 0 {
			t.addText(text)
		}
	}, func(tag tag, _ []byte) int {
		if !ditaInline[tag.name] {
			t.endWord()
		}
		switch {
		case out.isInside(tag), tag.closes:
		case ditaHidden[tag.name], slices.ContainsFunc(ditaReplaced, tag.hasAttribute):
			out.hide(tag)
		}
		return 0
	})
}

// mostUnpacked is how many bytes of a document's parts are read.
const mostUnpacked = 64 << 20

// scanParts reads parts of a document that is a ZIP archive. Damaged parts are left out: the
// parser warns of them.
func scanParts(src []byte, wanted func(name string) bool, scan func([]byte)) {
	r, err := zip.NewReader(bytes.NewReader(src), int64(len(src)))
	if err != nil {
		return
	}
	left := int64(mostUnpacked)
	for _, f := range r.File {
		if !wanted(f.Name) {
			continue
		}
		part, err := f.Open()
		if err != nil {
			continue
		}
		data, err := io.ReadAll(io.LimitReader(part, left))
		part.Close()
		if left -= int64(len(data)); err == nil {
			scan(data)
		}
	}
}

// scanDOCX takes the words of the runs of text of a Word document and its notes.
func scanDOCX(t *tally, src []byte) {
	parts := []string{"word/document.xml", "word/footnotes.xml", "word/endnotes.xml"}
	scanParts(src, func(name string) bool { return slices.Contains(parts, name) }, func(xml []byte) {
		var out hidden
		shown := false
		scanTags(xml, func(text []byte) {
			if shown {
				t.addText(text)
			}
		}, func(tag tag, _ []byte) int {
			if out.isInside(tag) {
				return 0
			}
			shown = tag.name == "t" && !tag.closes && !tag.empty
			switch tag.name {
			case "p", "tab", "br", "cr", "footnotereference", "endnotereference", "tc":
				t.endWord()
			case "fallback", "del", "movefrom": // the same in an older form; text that is no longer there
				out.hide(tag)
			}
			return 0
		})
		t.endWord()
	})
}

// scanEPUB takes the words of the chapters of a book, without its table of contents.
func scanEPUB(t *tally, src []byte) {
	scanParts(src, func(name string) bool {
		name = strings.ToLower(name)
		return strings.HasSuffix(name, ".xhtml") || strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".htm")
	}, func(chapter []byte) {
		if bytes.Contains(chapter, []byte(`epub:type="toc"`)) || bytes.Contains(chapter, []byte(`epub:type="landmarks"`)) {
			return
		}
		scanHTML(t, chapter)
		t.endWord()
	})
}
