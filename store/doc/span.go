package doc

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// PathSeparator stands between the headings of a section path.
const PathSeparator = " > "

// sectionPath is a section's path on one line: "Install > Prerequisites".
func (s Section) sectionPath() string { return strings.Join(s.Path, PathSeparator) }

// SpanID is the stable name of a chunk: 16 hexadecimal digits that hash the document, as
// Name@version/path, and the chunk's section path. The second chunk of a page with the
// same section path has ~2 behind it, the next ~3.
func SpanID(document string, sections []Section, chunks []Chunk, i int) string {
	own := sections[chunks[i].Section]
	n := 1
	for j := range i {
		if s := chunks[j].Section; s == chunks[i].Section || sections[s].Text == own.Text && slices.Equal(sections[s].Path, own.Path) {
			n++
		}
	}
	text := document + "::" + own.sectionPath()
	if n > 1 {
		text += "~" + strconv.Itoa(n)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:16]
}

// SpanType is the domain specification's name for what a chunk is.
func (k BlockKind) SpanType() string {
	if k == Code {
		return "code_block"
	}
	return string(k)
}
