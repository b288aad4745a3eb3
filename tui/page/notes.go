package page

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// alert is the first line of a quote that GitHub shows as a note, a warning and so on.
// Converted formats have their notes in this form, too.
var alert = regexp.MustCompile(`^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]$`)

// nameNotes writes the kind of a note as a word: "Note:" in place of "[!NOTE]". The
// words are appended to the source that is returned.
func nameNotes(root ast.Node, source []byte) []byte {
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if q, ok := n.(*ast.Blockquote); ok && entering {
			source = nameNote(q, source)
		}
		return ast.WalkContinue, nil
	})
	return source
}

func nameNote(q *ast.Blockquote, source []byte) []byte {
	para, ok := q.FirstChild().(*ast.Paragraph)
	if !ok {
		return source
	}
	var marks []*ast.Text
	head := ""
	for n := para.FirstChild(); n != nil; n = n.NextSibling() {
		t, ok := n.(*ast.Text)
		if !ok {
			break
		}
		marks = append(marks, t)
		head += string(t.Segment.Value(source))
		if t.SoftLineBreak() || t.HardLineBreak() || len(head) > len("[!IMPORTANT]") {
			break
		}
	}
	m := alert.FindStringSubmatch(strings.TrimRight(head, " "))
	if m == nil {
		return source
	}
	from := len(source)
	source = append(source, m[1][:1]+strings.ToLower(m[1][1:])+":"...)
	name := ast.NewEmphasis(2)
	name.AppendChild(name, ast.NewTextSegment(segmentText(from, len(source))))
	last := marks[len(marks)-1]
	para.InsertBefore(para, marks[0], name)
	for _, t := range marks[:len(marks)-1] {
		para.RemoveChild(para, t)
	}
	last.Segment = segmentText(len(source), len(source)) // only its line's end is left
	return source
}
