package chunk

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown"
	"docent/pipeline/ingest/parse/text"
	"docent/store/doc"
)

func prose(t testing.TB, src string) doc.Document {
	t.Helper()
	d, err := text.Prose{}.Parse(context.Background(), []byte(src), parse.Options{Path: "a.txt"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func page(t testing.TB, src string) doc.Document {
	t.Helper()
	d, err := markdown.ParseMarkdown([]byte(src), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// texts are the parts of a page's text that its chunks stand for.
func texts(d doc.Document, chunks []doc.Chunk) []string {
	out := make([]string, len(chunks))
	for i, c := range chunks {
		out[i] = strings.TrimSpace(string(d.Text[c.Span.Start:c.Span.End]))
	}
	return out
}

// covers returns the first fault of a page's chunks, which may overlap.
func covers(d doc.Document, chunks []doc.Chunk) error {
	covered := make([]bool, len(d.Text))
	line := make([]int, len(d.Text)+1) // of each byte
	line[0] = 1
	for i, c := range d.Text {
		if line[i+1] = line[i]; c == '\n' {
			line[i+1]++
		}
	}
	for i, c := range chunks {
		what := fmt.Sprintf("chunk %d %+v", i, c.Span)
		next := i + 1
		if next == len(chunks) {
			next = -1
		}
		if c.Index != i || c.Prev != i-1 || c.Next != next {
			return fmt.Errorf("%s: index %d, neighbours %d, %d", what, c.Index, c.Prev, c.Next)
		}
		s := d.Sections[c.Section].Span
		if c.Span.Start < s.Start || c.Span.End > s.End || c.Span.End <= c.Span.Start {
			return fmt.Errorf("%s is not within its section %+v", what, s)
		}
		if i > 0 && (c.Span.Start < chunks[i-1].Span.Start || c.Span.End < chunks[i-1].Span.End) {
			return fmt.Errorf("%s is not behind %+v", what, chunks[i-1].Span)
		}
		if l := line[c.Span.Start]; l != c.Span.StartLine {
			return fmt.Errorf("%s begins on line %d", what, l)
		}
		if l := line[c.Span.End-1]; l != c.Span.EndLine {
			return fmt.Errorf("%s ends on line %d", what, l)
		}
		if !utf8.ValidString(c.Text + c.Code) {
			return fmt.Errorf("%s cuts a character", what)
		}
		for at := c.Span.Start; at < c.Span.End; at++ {
			covered[at] = true
		}
	}
	for _, b := range d.Blocks {
		if b.Kind == doc.Meta || b.Kind == doc.Rule {
			continue
		}
		for at := b.Span.Start; at < b.Span.End; at++ {
			if !covered[at] && d.Text[at] > ' ' && d.Text[at] < utf8.RuneSelf {
				return fmt.Errorf("byte %d, %q, is in no chunk", at, d.Text[at])
			}
		}
	}
	return nil
}

const lawful = `Supply agreement

This agreement is made between the parties.

Article I. General

Section 1. Definitions. In this agreement:

(a) "Lamp" means an oil lamp.

(b) "Wick" means what burns, as said in
Section 3.2 of the manual.

Section 2. Delivery
2.1 The seller delivers within ten days.
2.2 The buyer checks the goods.

Article II. Payment

§ 5 The buyer pays within thirty days.
§ 5.1 Interest is due afterwards.
`

// A contract without headings is cut at its clauses; a mention of a clause begins none.
func TestLegalClauses(t *testing.T) {
	t.Parallel()
	d := prose(t, lawful)
	chunks, extractor := ByDomain("legal", d)
	want := []string{
		"Supply agreement\n\nThis agreement is made between the parties.",
		"Article I. General\n\nSection 1. Definitions. In this agreement:\n\n(a) \"Lamp\" means an oil lamp.\n\n(b) \"Wick\" means what burns, as said in\nSection 3.2 of the manual.",
		"Section 2. Delivery\n2.1 The seller delivers within ten days.",
		"2.2 The buyer checks the goods.",
		"Article II. Payment\n\n§ 5 The buyer pays within thirty days.",
		"§ 5.1 Interest is due afterwards.",
	}
	if got := texts(d, chunks); !reflect.DeepEqual(got, want) || extractor != extractorLegal {
		t.Errorf("%s: %q", extractor, got)
	}
	if err := covers(d, chunks); err != nil {
		t.Error(err)
	}
}

// A clause with more tokens than a chunk should have is cut at its points, (a) and then
// (i), and nowhere else.
func TestLongClause(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("The buyer bears the risk of the goods from then on. ", 20)
	src := "Section 7. Risk\n\n" + long + "\n\n(a) " + long + "\n\n(b) " + long + "\n\n(i) " + long + "\n\n(ii) " + long + "\n\nSection 8. End\n\nShort.\n"
	d := prose(t, src)
	chunks, _ := ByDomain("legal", d)
	var begins []string
	for _, text := range texts(d, chunks) {
		begins = append(begins, strings.Fields(text)[0])
	}
	if got := strings.Join(begins, " "); got != "Section (a) (b) (i) (ii) Section" {
		t.Errorf("the chunks begin with %s", got)
	}
	if err := covers(d, chunks); err != nil {
		t.Error(err)
	}
}

// A law with headings keeps them as sections of its own.
func TestLegalHeadings(t *testing.T) {
	t.Parallel()
	d := page(t, "# Lamp Act\n\n## § 1 Scope\n\n§ 1 (1) It holds for lamps.\n\n## § 2 Duties\n\n1. Trim.\n2. Fill.\n")
	chunks, _ := ByDomain("legal", d)
	if got := texts(d, chunks); len(got) != 3 || !strings.HasPrefix(got[1], "## § 1") || !strings.HasPrefix(got[2], "## § 2") {
		t.Errorf("%q", got)
	}
}

// A note on a patient is cut at its SOAP headings, in the long and in the short form.
func TestMedicalNotes(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"long":  "Visit of 3 May\n\nSubjective: Pain in the knee.\nHPI: for two weeks.\n\nObjective:\nSwollen. Plan to come back is hers.\n\nAssessment\nGonarthritis.\n\nPlan: Rest.\n",
		"short": "S: Pain in the knee.\n\nO: Swollen.\nVital signs: 120/80.\n\nA: Gonarthritis.\n\nP: Rest.\n",
	} {
		d := prose(t, src)
		chunks, extractor := ByDomain("medical", d)
		if err := covers(d, chunks); err != nil || extractor != extractorMedical {
			t.Errorf("%s: %s, %v", name, extractor, err)
		}
		got := texts(d, chunks)
		if name == "long" {
			got = got[1:]
		}
		for i, head := range []string{"S", "O", "A", "P"} {
			if len(got) != 4 || !strings.HasPrefix(got[i], head) {
				t.Fatalf("%s: %q", name, got)
			}
		}
	}
}

// Text without the structure of its domain is cut into windows of 1 000 characters that
// share up to 200 (specification 4).
func TestWindows(t *testing.T) {
	t.Parallel()
	src := strings.Repeat("这里有一句话。The lantern burns at night, and nobody trims its wick then. ", 200)
	for name, d := range map[string]doc.Document{"text": prose(t, src), "Markdown": page(t, src), "code": page(t, "```\n"+strings.Repeat("lantern --trim\n", 500)+"```\n")} {
		chunks, extractor := ByDomain("legal", d)
		if err := covers(d, chunks); err != nil || extractor != extractorText || len(chunks) < 5 {
			t.Fatalf("%s: %s, %d chunks, %v", name, extractor, len(chunks), err)
		}
		for i, c := range chunks {
			if n := utf8.RuneCount(d.Text[c.Span.Start:c.Span.End]); n > windowChars {
				t.Errorf("%s: chunk %d has %d characters", name, i, n)
			}
			if i > 0 {
				shared := chunks[i-1].Span.End - c.Span.Start
				if n := utf8.RuneCount(d.Text[c.Span.Start:max(c.Span.Start, chunks[i-1].Span.End)]); shared <= 0 || n > windowOverlap {
					t.Errorf("%s: chunk %d shares %d characters with the one before it", name, i, n)
				}
			}
		}
	}
}

// Code without declarations has no structure either.
func TestCode(t *testing.T) {
	t.Parallel()
	if _, extractor := ByDomain("code", page(t, "# f\n\nText.\n")); extractor != extractorCode {
		t.Errorf("by %s", extractor)
	}
	if _, extractor := ByDomain("code", page(t, "Text.\n")); extractor != extractorText {
		t.Errorf("by %s", extractor)
	}
	if _, extractor := ByDomain("", page(t, "Text.\n")); extractor != extractorTechDocs {
		t.Errorf("by %s", extractor)
	}
}

// The properties of the domain specification, for every way: the chunks cover the text,
// their places are those of their text, and the same page gives the same chunks.
func TestChunkBoundaryDeterminism(t *testing.T) {
	t.Parallel()
	blocks := []string{"# A", "## B", "Article II", "Section 3.2 Payment. It is due.", "§ 5 Duties\n§ 6 Rights of all", "(a) one\n(b) two", "(i) three", "12. Law. " + strings.Repeat("It is the law. ", 60),
		"Subjective: pain", "O:\nnone", "Plan: rest\nFollow-up: soon", "1. a\n2. b\n\n   c\n3. " + strings.Repeat("long item ", 220), strings.Repeat("Long ones go on and on. ", 90), "长句子。" + strings.Repeat("这是一个句子。", 100),
		"```\n" + strings.Repeat("code\n", 80) + "```", "| a | b |\n|---|---|\n| c | d |", "---", "<!-- c -->", strings.Repeat("x", 1500)}
	rapid.Check(t, func(rt *rapid.T) {
		src := strings.Join(rapid.SliceOfN(rapid.SampledFrom(blocks), 0, 8).Draw(rt, "blocks"), "\n\n")
		domain := rapid.SampledFrom([]string{"tech_docs", "legal", "medical", "code", ""}).Draw(rt, "domain")
		d := page(t, src)
		plain := rapid.Bool().Draw(rt, "plain")
		if plain {
			d = prose(t, src)
		}
		chunks, extractor := ByDomain(domain, d)
		if err := covers(d, chunks); err != nil {
			rt.Fatalf("%s: %v", extractor, err)
		}
		if plain && extractor != extractorTechDocs {
			for i, text := range texts(d, chunks) {
				if c := chunks[i]; squeeze(c.Text) != squeeze(strings.NewReplacer("**", "", "__", "", "`", "").Replace(text)) && squeeze(c.Text) != squeeze(text) {
					rt.Fatalf("%s: chunk %d says %q, and there stands %q", extractor, i, c.Text, text)
				}
			}
		}
		again, _ := ByDomain(domain, d)
		if !reflect.DeepEqual(chunks, again) {
			rt.Fatal("a second time gives others")
		}
		sizes := rapid.IntRange(0, 50).Draw(rt, "size") * len(d.Text) / 200
		if err := covers(d, windows(d, sizes, rapid.IntRange(-1, 60).Draw(rt, "overlap"))); err != nil {
			rt.Fatalf("windows of %d: %v", sizes, err)
		}
	})
}

// A section's path is its parent's with its own heading: no level is skipped or lost.
func TestSectionPathMonotone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var src strings.Builder
		for i, level := range rapid.SliceOfN(rapid.IntRange(1, 6), 1, 20).Draw(rt, "levels") {
			fmt.Fprintf(&src, "%s H%d\n\ntext\n\n", strings.Repeat("#", level), i)
		}
		d := page(t, src.String())
		chunks, _ := ByDomain("tech_docs", d)
		for _, c := range chunks {
			s := d.Sections[c.Section]
			if len(s.Path) == 0 || s.Path[len(s.Path)-1] != s.Text {
				rt.Fatalf("the path of %q is %q", s.Text, s.Path)
			}
			var parent []string
			if s.Parent >= 0 {
				parent = d.Sections[s.Parent].Path
				if d.Sections[s.Parent].Level >= s.Level {
					rt.Fatalf("%q is within %q", s.Text, parent)
				}
			}
			if !reflect.DeepEqual(s.Path[:len(s.Path)-1], append([]string{}, parent...)) {
				rt.Fatalf("the path of %q is %q, its parent's %q", s.Text, s.Path, parent)
			}
		}
	})
}

func TestHeadingRegexTrailingHashes(t *testing.T) {
	t.Parallel()
	d := page(t, "## Title ##\n\ntext\n\nSetext\n------\n\ntext\n")
	if len(d.Sections) != 2 || d.Sections[0].Text != "Title" || d.Sections[1].Text != "Setext" || d.Sections[1].Level != 2 {
		t.Errorf("%+v", d.Sections)
	}
}
