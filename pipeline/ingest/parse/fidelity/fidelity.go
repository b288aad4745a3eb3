// Package fidelity counts the words of a page's source that its rendition has.
//
// It is a check on parsers and shares no code with them. For each format a small scanner
// takes the words of the source without its markup: tags, comments, requests, names of
// directives and roles, targets, metadata. The words of the source and
// of the rendition are then compared as multisets, so their order does not matter, and
// words that come from other files do not count against a page.
//
// A word is a run of letters and digits in lower case, with a letter or two digits. Marks
// of emphasis are no ends of words, so a word that is partly bold is one word in HTML and
// in Markdown. Chinese and Japanese characters are words of one letter.
//
// The scanners read a source once and, notebooks and catalogs aside, keep no copies of it. Words are counted in a table
// of a fixed size by their hashes. Two words that share a place in it count as one word, so
// that the share of a page with much text may be slightly too high.
//
// It refuses to read other files, to follow includes and to explain a loss.
package fidelity

import (
	"bytes"
	"compress/gzip"
	"io"

	"docent/pipeline/ingest/parse/decode"
	"docent/store/doc"
)

// LeastWords is the number of words of a source below which a page is not judged: pages
// of a title and a list of other pages, of generated text or of a picture.
const LeastWords = 30

// scannerOf is what takes the words of a source of a format, nil for other formats.
func scannerOf(format doc.Format) func(*tally, []byte) {
	switch format {
	case doc.FormatMarkdown:
		return scanMarkdown
	case doc.FormatHTML:
		return scanHTML
	case doc.FormatMan:
		return scanManual
	case doc.FormatRST:
		return scanRST
	case doc.FormatAsciiDoc:
		return scanAsciiDoc
	case doc.FormatDITA:
		return scanDITA
	case doc.FormatJSON:
		return scanJSON
	case doc.FormatDOCX:
		return scanDOCX
	case doc.FormatEPUB:
		return scanEPUB
	case doc.FormatCode:
		return scanCode
	case doc.FormatMediaWiki:
		return scanWiki
	case doc.FormatOrg:
		return scanOrg
	case doc.FormatPOD:
		return scanPOD
	case doc.FormatYAML:
		return scanSettings
	case doc.FormatODT:
		return scanODT
	case doc.FormatPPTX:
		return scanPPTX
	case doc.FormatXLSX:
		return scanXLSX
	case doc.FormatRTF:
		return scanRTF
	case doc.FormatDocBook:
		return scanDocBook
	case doc.FormatNotebook:
		return scanNotebook
	case doc.FormatTexinfo:
		return scanTexinfo
	case doc.FormatInfo:
		return scanInfo
	case doc.FormatPO:
		return scanCatalog
	case doc.FormatText, doc.FormatProse:
		return scanPlain
	}
	return nil
}

// CountWords counts the words of a source and how many of them a text has. The zero value
// is that of a format whose words are not counted here, as those of PDF: see CountRaw.
func CountWords(format doc.Format, src, text []byte) doc.WordCount {
	return compareWords(format, src, text, nil)
}

// LostWords lists the words of a source that a text does not have, in the order in which
// they stand in the source.
func LostWords(format doc.Format, src, text []byte) (lost []string) {
	compareWords(format, src, text, func(word string) { lost = append(lost, word) })
	return lost
}

// compareWords counts the words of a source; lost receives those that do not arrive.
func compareWords(format doc.Format, src, text []byte, lost func(string)) doc.WordCount {
	scan := scannerOf(format)
	if scan == nil {
		return doc.WordCount{}
	}
	t := newTally(text, false)
	t.lost = lost
	src = unpacked(src)
	if decoded, _, ok := decode.DecodeUTF16(src); ok {
		src = decoded
	} else if bytes.IndexByte(src[:min(len(src), 1024)], 0) < 0 { // an archive is no text
		src, _, _ = decode.ToUTF8(src)
	}
	scan(t, src)
	t.endWord()
	return t.count
}

// unpacked is the content of a compressed source, up to the first damage: the parser warns
// of that.
func unpacked(src []byte) []byte {
	if !bytes.HasPrefix(src, []byte("\x1f\x8b")) {
		return src
	}
	z, err := gzip.NewReader(bytes.NewReader(src))
	if err != nil {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(z, mostUnpacked))
	return text
}

// CountOwn counts the words of a page whose text is its source: all of them arrive.
func CountOwn(src []byte) doc.WordCount {
	t := newTally(nil, false)
	t.addText(src)
	t.endWord()
	return doc.WordCount{Source: t.count.Source, Arrived: t.count.Source}
}

// CountRaw counts the words that a program read from a document, and how many of them a
// text has. Words that a hyphen divides at the end of a line are put together in both.
func CountRaw(words func(yield func(string) bool), text []byte) doc.WordCount {
	t := newTally(text, true)
	for w := range words {
		t.addString(w)
		t.addText([]byte{' '})
	}
	t.endWord()
	return t.count
}

// leastShare is the share of words, in percent, below which a page has a warning, measured with
// make fidelity: a format's figure lies below what whole pages of it keep, and above what the
// known faults of parsers left of a page (18 to 53 of CMake's, 75 of dmsetup(8)).
//
//   - HTML: 60. A page has menus, footers and remarks of its site, of which the scanner knows
//     the usual names alone. The lowest of 1169 pages of PostgreSQL, 393 of GLib, 354 of Rust
//     and 2333 of Qt keep 99, 99, 75 (grammars with names of rules) and 66 (lists of a
//     class's members, with the links of their site).
//   - JSON: 60. Long lists of data are cut.
//   - DITA: 65. Text that is filtered, or replaced by a push from elsewhere: the lowest of
//     1400 topics keeps 70.
//   - Code: 60. Licences at the top of files are left out.
//   - PDF, EPUB: 75. Headers and footers stand on each page; tables of contents.
//   - RST: 80. Cards, tests and names that are not shown: the lowest of 3800 pages of CMake,
//     numpy, Django, SQLAlchemy and Scrapy keeps 89.
//   - AsciiDoc: 80. Attributes: the lowest of 1040 pages of git and Asciidoctor keeps 96.
//   - DocBook, Texinfo: 80. Elements and commands that a project defines for itself; text that the
//     rendition takes from other places.
//   - Info: 80. Entries of menus that stand in the text.
//   - Catalogs of messages: 80. Entries of an index, and messages of another version of the page.
//   - Manual pages: 80. The lowest of 930 pages keeps 87.
func leastShare(format doc.Format) int {
	switch format {
	case doc.FormatHTML, doc.FormatJSON, doc.FormatCode:
		return 60
	case doc.FormatDITA:
		return 65
	case doc.FormatPDF, doc.FormatEPUB:
		return 75
	case doc.FormatRST, doc.FormatAsciiDoc, doc.FormatMan, doc.FormatMarkdown,
		doc.FormatDocBook, doc.FormatTexinfo, doc.FormatInfo, doc.FormatPO:
		return 80
	}
	return 90
}

// Falls reports whether a page keeps fewer of its words than whole pages of its format do.
func Falls(format doc.Format, n doc.WordCount) bool {
	return n.Source >= LeastWords && n.Arrived*100 < n.Source*leastShare(format)
}
