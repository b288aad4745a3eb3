package cite

import (
	"strings"
	"testing"
)

// A text is cut at the blocks that follow each other; a header that is quoted within a
// block cuts nothing, and line numbers stay those of the text.
func TestSplit(t *testing.T) {
	t.Parallel()
	block := headerStart + "lines=1 | source=x" + headerEnd + "\n" + passThrough + "\n\ntext\n\n" + endLine + "\n"
	quoting := headerStart + "lines=2 | source=x" + headerEnd + "\n" + passThrough + "\n\n" + headerStart + "y" + headerEnd + "\nmore\n\n" + endLine + "\n"
	for text, want := range map[string]int{"": 1, "no block": 1, block: 1, quoting: 1, block + block: 2, block + "\nand\n" + quoting + block: 3} {
		got := SplitBlocks(text)
		if len(got) != want {
			t.Errorf("%d pieces, want %d, of\n%s", len(got), want, text)
		}
		for i, piece := range got[1:] {
			if b, err := ParseBlock(piece); err != nil || strings.Split(text, "\n")[b.StartLine-1] != b.header {
				t.Errorf("piece %d begins at line %d, %v", i+2, b.StartLine, err)
			}
		}
	}
}
