package reader

import "testing"

// A change of the threshold, of the kind or of the extent makes another answer of the same
// question: the section on the screen stays at the top, and the answer begins anew where that is gone. A
// reader who stayed at the number of the line saw the middle of another section.
func TestAChangedAnswerStaysAtWhatWasRead(t *testing.T) {
	t.Parallel()
	at := func(page, section string, line int) Source {
		return Source{DocSet: "lantern@2", FilePath: page, Section: section, Line: line}
	}
	none := Source{}
	before := []Source{none, none, at("oil.md", "Filling", 4), at("oil.md", "Filling", 5), none, none, at("wick.md", "Trim", 9), at("wick.md", "Trim", 10), none}
	for _, c := range []struct {
		what  string
		after []Source
		line  int
		want  int
	}{
		{"the top", []Source{at("wick.md", "Trim", 9)}, 1, 1},
		{"the same answer", before, 7, 7},
		{"sources below", append(append([]Source{}, before...), none, none), 8, 8},
		{"behind all sections", before[:7], 9, 9},
		{"the section before it went", before[4:], 7, 3},
		{"its name was at the top", before[4:], 6, 2},
		{"a section came before it", append([]Source{none, at("glass.md", "Soot", 2)}, before...), 4, 6},
		{"its lines were cut", []Source{none, at("oil.md", "Filling", 1), none, at("wick.md", "Trim", 12)}, 8, 4},
		{"its section went", before[:5], 7, 0},
	} {
		if got := sameLine(before, c.after, c.line); got != c.want {
			t.Errorf("%s: line %d became %d, want %d", c.what, c.line, got, c.want)
		}
	}
}
