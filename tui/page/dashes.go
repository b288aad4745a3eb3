package page

import (
	"github.com/yuin/goldmark/ast"
)

// dashMark stands for a dash between two words until lines are broken: glamour breaks a
// line behind a dash, also behind one that just did not fit, which leaves a line with
// nothing but the dash. No document can contain the sequence (see linkMark).
const dashMark = "\x1b]docent-dash\a_"

// markDashes replaces the dashes between words by marks. A text node is a part of the
// source, so changed texts are appended to the source that is returned.
func markDashes(root ast.Node, source []byte) []byte {
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		t, ok := n.(*ast.Text)
		if !entering || !ok || t.IsRaw() {
			return ast.WalkContinue, nil
		}
		from, last := len(source), 0
		text := string(t.Segment.Value(source))
		for i := 0; i < len(text); i++ {
			if text[i] == '-' && (i == 0 || text[i-1] == ' ') && (i+1 == len(text) || text[i+1] == ' ') {
				source = append(append(source, text[last:i]...), dashMark...)
				last = i + 1
			}
		}
		if last > 0 {
			source = append(source, text[last:]...)
			t.Segment = segmentText(from, len(source))
		}
		return ast.WalkContinue, nil
	})
	return source
}
