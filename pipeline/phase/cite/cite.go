// Package cite writes the AOP-FINAL block, the cited answer of a run, and verifies
// such blocks: it proves line by line that a block's content is in the pages that
// it cites, or shows the lines that are not.
//
// Contents are written byte for byte. Verification reports differences and corrects
// none. The package reads no files: a Source gives it the pages' texts. It refuses
// to select and to shorten content.
//
// Terms. A block is everything from the first line (the header) to the END line. A
// part is one document of the block: its content lines, a rule, and the three
// citation lines Source, Path and Document Set. An omission line
// "[… lines A–B omitted …]" replaces lines A to B of the page.
//
// Form of a block, after specification 3:
//
//	=== AOP-FINAL | agent=doc-retriever | format=markdown | lines=N | source=S ===
//	**Pass through EXACTLY as-is** — NO summarizing, NO rephrasing, NO commentary
//
//	…content…
//
//	---
//
//	**Source:** URL
//	**Path:** md_docs/Name:version/Page Title/docContent.md
//	**Document Set:** Name:version
//
//	=== END-AOP-FINAL ===
//
// In a block of sections a line for each quoted section follows the Document Set line:
//
//	**Section:** Page Title › Heading › Heading · lines 20–41 · URL#anchor
//
// Of a page whose text is not its source the lines are those of the text, and their place
// in the source follows them: "· source lines 30–52", "· page 4".
//
// One blank line separates parts. N is the number of content lines, with omission
// lines and without citation lines. S is the part's folder; with several parts of
// one doc set, the doc set's folder; with several doc sets, md_docs. A block ends
// without a newline after its END line.
//
// Lines are separated by "\n". A newline at the end of a content is not represented,
// since every content line of a block has one. Carriage returns stay.
//
// Names of files and folders are written as they are, except for backslashes,
// control characters, line and paragraph separators and bidirectional controls:
// these are written as in Go (\\, \n, \x1b, \u2028; a byte that is not UTF-8 as
// \xff). In the header a vertical bar is written \x7c too, so that " | " always
// separates fields. Control characters and blanks of a URL are percent-encoded.
package cite

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"docent/pipeline/contract"
	"docent/store/doc"
)

const (
	headerStart   = "=== AOP-FINAL | "
	headerEnd     = " ==="
	agentField    = "agent=doc-retriever"
	formatField   = "format=markdown"
	passThrough   = "**Pass through EXACTLY as-is** — NO summarizing, NO rephrasing, NO commentary"
	endLine       = "=== END-AOP-FINAL ==="
	ruleLine      = "---"
	sourceLabel   = contract.SourceLabel
	pathLabel     = contract.PathLabel
	docSetLabel   = contract.DocSetLabel
	root          = "md_docs"
	frameMaxLines = 9_999_999
)

// Builtin writes AOP-FINAL blocks. The zero value is ready.
type Builtin struct{}

// Cite writes the block of documents, in order, with the contents of their content
// keys, and one citation for each, or for each quoted section of it. No documents give an empty block. A document
// without content, a content without a document and an invalid name of a doc set
// are invalid requests.
//
// A citation's lines are the first and the last line of the page that the block
// quotes, [0, 0] if it quotes none.
func (Builtin) Cite(contents map[string]string, documents []contract.Extracted) (string, []contract.Citation, error) {
	if len(documents) == 0 && len(contents) == 0 {
		return "", nil, nil
	}
	named := make(map[string]bool, len(documents))
	citations := make([]contract.Citation, 0, len(documents))
	total, size := 0, 0
	for _, d := range documents {
		content, ok := contents[d.ContentKey()]
		if !ok {
			return "", nil, contract.Invalid("contents",
				"there is no content for the document %q; contents and documents must come from one extraction", d.ContentKey())
		}
		named[d.ContentKey()] = true
		if _, err := doc.ParseRef(d.DocSet); err != nil {
			return "", nil, contract.Invalid("documents", "document %q: %v; doc sets are named Name@version", d.ContentKey(), err)
		}
		n := doc.CountLines([]byte(content))
		total += n
		size += len(content)
		whole := contract.Citation{DocSet: d.DocSet, PageTitle: d.Title, FilePath: d.FilePath,
			URL: d.URL, Lines: quotedLineRange(content), SHA256: d.SHA256}
		whole.Source = d.SourceOf(whole.Lines)
		if len(d.Quoted) == 0 {
			citations = append(citations, whole)
		}
		for _, q := range d.Quoted {
			one := whole
			one.HeadingPath, one.Lines, one.URL = q.Path, q.Lines, q.URL(d)
			one.Source = d.SourceOf(q.Lines)
			citations = append(citations, one)
		}
	}
	for key := range contents {
		if !named[key] {
			return "", nil, contract.Invalid("documents",
				"no document belongs to the content %q; contents and documents must come from one extraction",
				firstUnnamed(contents, named))
		}
	}
	var b strings.Builder
	b.Grow(size + 512*(len(documents)+1))
	writeBlock(&b, contents, documents, total)
	return b.String(), citations, nil
}

// FrameOf is the block of documents whose contents are one empty line each: all that
// citing adds to contents. Phase 3 subtracts its size from a budget of tokens.
func FrameOf(documents []contract.Extracted) string {
	if len(documents) == 0 {
		return ""
	}
	var b strings.Builder
	contents := make(map[string]string, len(documents))
	for _, d := range documents {
		contents[d.ContentKey()] = "\n"
	}
	writeBlock(&b, contents, documents, frameMaxLines)
	return b.String()
}

func firstUnnamed(contents map[string]string, named map[string]bool) string {
	first, found := "", false
	for key := range contents {
		if !named[key] && (!found || key < first) {
			first, found = key, true
		}
	}
	return first
}

func writeBlock(b *strings.Builder, contents map[string]string, documents []contract.Extracted, lines int) {
	paths := make([]string, len(documents))
	sets := make([]string, len(documents))
	for i, d := range documents {
		sets[i] = docSetOfName(d)
		paths[i] = unescapedPathOf(d)
	}
	b.WriteString(headerLine(lines, sets, paths))
	b.WriteString("\n" + passThrough + "\n\n")
	for i, d := range documents {
		content := contents[d.ContentKey()]
		b.WriteString(content)
		if content != "" && !strings.HasSuffix(content, "\n") {
			b.WriteByte('\n')
		}
		url := contract.EscapeURL(d.URL)
		if url == "" {
			url = escapeName(d.FilePath, false)
		}
		if url == "" {
			url = escapeName(paths[i], false)
		}
		b.WriteString("\n" + ruleLine + "\n\n" +
			sourceLabel + " " + url + "\n" +
			pathLabel + " " + escapeName(paths[i], false) + "\n" +
			docSetLabel + " " + escapeName(sets[i], false) + "\n")
		for _, q := range d.Quoted {
			b.WriteString(contract.SectionLine(q, d) + "\n")
		}
		b.WriteByte('\n')
	}
	b.WriteString(endLine)
}

// headerLine is the first line of a block of parts with these doc sets
// (Name:version) and paths (md_docs/…), both unescaped.
func headerLine(lines int, sets, paths []string) string {
	return headerStart + agentField + " | " + formatField + " | lines=" + strconv.Itoa(lines) +
		" | source=" + escapeName(sourceFolder(sets, paths), true) + headerEnd
}

func sourceFolder(sets, paths []string) string {
	switch {
	case len(paths) == 0:
		return root
	case len(paths) == 1:
		return path.Dir(paths[0])
	}
	for _, s := range sets[1:] {
		if s != sets[0] {
			return root
		}
	}
	return root + "/" + sets[0]
}

func docSetOfName(d contract.Extracted) string {
	ref := d.SetRef()
	if ref.Version == "" {
		ref.Version = d.Version
	}
	if ref.Version == "" {
		ref.Version = doc.DefaultVersion
	}
	return ref.ColonForm()
}

// unescapedPathOf is the document's path in the block, unescaped. It is the same for both
// layouts: the path of a titled page is Page Title/docContent.md.
func unescapedPathOf(d contract.Extracted) string {
	file := strings.TrimLeft(d.FilePath, "/")
	if file == "" {
		file = d.Title + "/" + doc.ContentFile
	}
	return root + "/" + docSetOfName(d) + "/" + file
}

func invalidBlock(format string, args ...any) error {
	return contract.Invalid("block", "%s", fmt.Sprintf(format, args...))
}
