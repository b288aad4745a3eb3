package page

import (
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"docent/tui/style"
)

// Parts of pages are one page: names, marks for omissions, remarks, and the text,
// whose sections are those that have a name and the headings below.
func TestParts(t *testing.T) {
	t.Parallel()
	p := Parted([]Part{
		{Text: "! not sure\n", Look: PartWarn},
		{Name: "Wicks › Trim", Where: "lantern@2.1", Text: "Trim **it**.\n\n### Deeper\n\nMore.\n"},
		{Text: "Behind.", Cut: true},
		{Name: "Oil", Text: "# no heading\n", Look: PartPlain},
		{Name: "Sources", Text: "a 1–2\nb 3\n", Look: PartDim},
	})
	var got []string
	for i := range p.PieceCount() {
		got = append(got, strings.Join(p.rawLines(i, 40), "|"))
	}
	if want := "! not sure|,Wicks › Trim|,Trim **it**.|,### Deeper||More.,⋯,Behind.|,Oil|,# no heading|,Sources|,a 1–2,b 3|"; strings.Join(got, ",") != want {
		t.Errorf("the pieces are\n%s\nwant\n%s", strings.Join(got, ","), want)
	}
	var names []string
	for _, s := range p.Sections() {
		names = append(names, s.Text)
	}
	if got := strings.Join(names, ","); got != "Wicks › Trim,Deeper,Oil,Sources" {
		t.Errorf("the sections are %s", got)
	}
	if s := p.Sections()[1]; p.Text(1) == "" || s.Span.StartLine != 4 || s.Span.EndLine != 7 {
		t.Errorf("the second section is %+v: %q", s.Span, p.Text(1))
	}
	if name, where, ok := p.Name(1); name != "Wicks › Trim" || where != "lantern@2.1" || !ok {
		t.Errorf("the name is %q, %q, %v", name, where, ok)
	}
	for piece, want := range map[int][2]bool{0: {true, true}, 2: {false, false}, 4: {true, false}, 9: {true, false}} {
		if says, warns := p.IsByProgram(piece); says != want[0] || warns != want[1] {
			t.Errorf("piece %d: said by the program %v, warns %v", piece, says, warns)
		}
	}
	if p.Lines() != 10 || p.pieceAt(8) != 7 {
		t.Errorf("%d lines, line 8 in piece %d", p.Lines(), p.pieceAt(8))
	}
}

// Code from which lines are left out goes on as code behind the mark, and text behind code
// that ended is no code.
func TestPartsOfCode(t *testing.T) {
	t.Parallel()
	var r Renderer
	for _, tt := range []struct{ before, behind, want string }{
		{"```sh\none\n", "two\n```\n\nThen **that**.\n", "two"},
		{"```sh\none\n", "Then **that**.\n\n```sh\nx\n```\n", "Then that."},
	} {
		p := Parted([]Part{{Name: "A", Text: tt.before}, {Text: tt.behind, Cut: true}})
		last := p.PieceCount() - 1
		got := ansi.Strip(strings.Join(r.renderPiece(p, last, 60, style.Dark, false).lines, "\n"))
		if !strings.Contains(got, tt.want) || strings.Contains(got, "**") || strings.Contains(got, "```") {
			t.Errorf("behind %q stands\n%s", tt.before, got)
		}
	}
}

// Rows of a table behind lines that are left out stand below its head, and the head stands
// once where no row is above the mark.
func TestPartsOfTables(t *testing.T) {
	t.Parallel()
	var r Renderer
	head := "| hook | runs |\n| :--- | ---- |\n"
	for _, tt := range []struct {
		name   string
		parts  []Part
		heads  int
		before string
	}{
		{"rows above", []Part{{Name: "A", Text: "Hooks:\n\n" + head + "| first | soon |\n"}, {Text: "| last | late |\n", Cut: true}}, 2, "Hooks:"},
		{"no rows above", []Part{{Name: "A", Text: "Hooks:\n\n" + head}, {Text: "| last | late |\n\nBehind.\n", Cut: true}}, 1, "Hooks:"},
		{"the head alone", []Part{{Name: "A", Text: head}, {Text: "| last | late |\n", Cut: true}}, 1, ""},
		{"twice", []Part{{Name: "A", Text: head}, {Text: "| mid | now |\n", Cut: true}, {Text: "| last | late |\n", Cut: true}}, 2, ""},
	} {
		p := Parted(tt.parts)
		var all []string
		for i := range p.PieceCount() {
			all = append(all, ansi.Strip(strings.Join(r.renderPiece(p, i, 60, style.Dark, false).lines, "\n")))
		}
		text := strings.Join(all, "\n")
		if n := strings.Count(text, "hook"); n != tt.heads || strings.Contains(text, "|") || !strings.Contains(text, "late") ||
			!strings.Contains(text, tt.before) {
			t.Errorf("%s: the head stands %d times, want %d:\n%s", tt.name, n, tt.heads, text)
		}
	}
}

// A block of any size is cut into pieces that can be rendered one by one, in linear time.
func TestPartsOfAnySize(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 20_000 {
		b.WriteString("Paragraph " + strconv.Itoa(i) + " of many.\n\n")
	}
	code := "```go\n" + strings.Repeat("x := 1\n", 5000) + "```\n"
	p := Parted([]Part{{Name: "A", Text: b.String()}, {Name: "B", Text: code}, {Name: "C", Text: strings.Repeat("x", 100_000)}})
	lines := 0
	for _, q := range p.pieces {
		if n := q.toLine - q.fromLine + 1; q.note == "" {
			lines += n
			if n > 2*maxPieceLines {
				t.Fatalf("a piece has %d lines", n)
			}
		}
	}
	if lines < 45_000 {
		t.Errorf("the pieces have %d lines together", lines)
	}
}
