package cite

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/contract"

	"pgregory.net/rapid"
)

// nasty are lines that a page about this very format may hold.
var nasty = []string{"", "", "---", "text", "more text here", "text", endLine, passThrough,
	"=== AOP-FINAL | agent=doc-retriever | format=markdown | lines=3 | source=md_docs ===",
	"**Source:** https://e.org/0", "**Path:** md_docs/S:1/p0/docContent.md", "**Document Set:** S:1",
	"**Path:** md_docs/S:1/p1/docContent.md", "**Path:** md_docs/none:1/p/docContent.md",
	"[… lines 1–1 omitted …]", "[… lines 2–3 omitted …]", "[… lines 3–3 omitted …]", "\r", "a\r", "\x1b[2Jx", "\xff\x00", bom + "x",
	"```", "日本語の行"}

func drawLines(t *rapid.T, label string) []string {
	return rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(nasty), rapid.StringMatching(`[ a-zA-Z#>|*-]{0,12}`)), 0, 24).Draw(t, label)
}

// shorten leaves out random runs of lines, each behind its omission line.
func shortened(t *rapid.T, lines []string) []string {
	var out []string
	for i := 0; i < len(lines); {
		n := rapid.IntRange(1, 4).Draw(t, "run")
		n = min(n, len(lines)-i)
		if rapid.IntRange(0, 3).Draw(t, "omit") == 0 {
			out = append(out, contract.OmissionLine(i+1, i+n))
		} else {
			out = append(out, lines[i:i+n]...)
		}
		i += n
	}
	return out
}

type drawn struct {
	shelf    shelf
	docs     []contract.Extracted
	contents map[string]string
}

func drawBlock(t *rapid.T) drawn {
	var d drawn
	d.contents = map[string]string{}
	n := rapid.IntRange(1, 4).Draw(t, "documents")
	for i := range n {
		lines := drawLines(t, "lines")
		text := strings.Join(lines, "\n")
		if len(lines) > 0 && rapid.Bool().Draw(t, "newline") || text == "" {
			text += strings.Repeat("\n", min(1, len(lines)))
		}
		title := rapid.SampledFrom([]string{"p", "Page ", "a|b", "n\n", " x\\n"}).Draw(t, "title") + fmt.Sprint(i)
		url := rapid.SampledFrom([]string{"", "https://e.org/" + fmt.Sprint(i), "https://e.org/a b"}).Draw(t, "url")
		doc := d.shelf.put(rapid.SampledFrom([]string{"S@1", "T@2"}).Draw(t, "set"), title, url, text)
		content := text
		if rapid.Bool().Draw(t, "short") && text != "" {
			content = strings.Join(shortened(t, strings.Split(strings.TrimSuffix(text, "\n"), "\n")), "\n") + "\n"
		}
		d.docs, d.contents[doc.Key] = append(d.docs, doc), content
	}
	return d
}

// Whatever is cited verifies, in whatever text it stands.
func TestCiteThenVerify(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawBlock(t)
		block, _, err := Builtin{}.Cite(d.contents, d.docs)
		if err != nil {
			t.Fatal(err)
		}
		before := rapid.SampledFrom([]string{"", "see\n\n", "=== AOP FINAL\n"}).Draw(t, "before")
		after := rapid.SampledFrom([]string{"", "\n", "\nbye\n"}).Draw(t, "after")
		rep := check(t, d.shelf, before+block+after)
		if rep.State != StateVerified || rep.Altered+rep.Unverified > 0 {
			t.Fatalf("%s\n%s", rep, block)
		}
	})
}

// Any word of the content that is changed makes the block altered, and so does
// any line that is taken away.
func TestChangeIsFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawBlock(t)
		which := d.docs[rapid.IntRange(0, len(d.docs)-1).Draw(t, "which")]
		content := d.contents[which.Key]
		fields := strings.Fields(content)
		if len(fields) == 0 {
			t.Skip("no words")
		}
		word := rapid.SampledFrom(fields).Draw(t, "word")
		changed := strings.Replace(content, word, "changed-"+word, 1)
		// A page that quotes omission lines can lose just what one of them says:
		// then the block is right again, in another reading.
		if rapid.IntRange(0, 3).Draw(t, "cut") == 0 && !strings.Contains(d.shelf.pages[which.DocSet+"/"+which.FilePath], "omitted …]") {
			lines := strings.SplitAfter(strings.TrimSuffix(content, "\n"), "\n")
			i := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
			changed = strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), "")
		}
		d.contents[which.Key] = changed
		block, _, err := Builtin{}.Cite(d.contents, d.docs)
		if err != nil {
			t.Fatal(err)
		}
		if rep := check(t, d.shelf, block); rep.State != StateAltered {
			t.Fatalf("changed %q: %s\n%s", word, rep, block)
		}
	})
}

// edited changes the lines of a block as the bytes of edits say: lines are taken away,
// repeated, exchanged, replaced by those of a page that quotes blocks, by omission lines
// and by text of the edits themselves.
func edited(block string, edits []byte) string {
	lines := strings.Split(block, "\n")
	next := func() int {
		if len(edits) == 0 {
			return 0
		}
		b := int(edits[0])
		edits = edits[1:]
		return b
	}
	for len(edits) > 0 && len(lines) > 0 {
		what, at := next(), next()%len(lines)
		switch what % 8 {
		case 0:
			lines = slices.Delete(lines, at, at+1)
		case 1:
			lines = slices.Insert(lines, at, lines[at])
		case 2:
			other := next() % len(lines)
			lines[at], lines[other] = lines[other], lines[at]
		case 3:
			lines[at] = nasty[next()%len(nasty)]
		case 4:
			lines = slices.Insert(lines, at, nasty[next()%len(nasty)])
		case 5:
			first := next()
			lines[at] = contract.OmissionLine(first, first+next())
		case 6:
			cut := next() % (len(lines[at]) + 1)
			lines[at] = lines[at][:cut]
		default:
			n := min(len(edits), next()%16)
			n = min(n, len(edits))
			lines[at] += string(edits[:n])
			edits = edits[n:]
		}
	}
	return strings.Join(lines, "\n")
}

// The input is a short list of edits and not a whole block: of each input that reaches
// new code go test seeks a shorter one, for a minute if it is a block of a kilobyte, and
// tries nothing else during that time.
func FuzzVerify(f *testing.F) {
	const mostEdits = 64
	var s shelf
	contents := map[string]string{}
	var docs []contract.Extracted
	for i, text := range []string{strings.Join(nasty, "\n"), "one\ntwo\n\nthree\r\nfour\ntwo\n"} {
		d := s.put("S@1", fmt.Sprintf("p%d", i), fmt.Sprintf("https://e.org/%d", i), text)
		docs, contents[d.Key] = append(docs, d), text
	}
	block, _, err := Builtin{}.Cite(contents, docs)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{})
	f.Add([]byte{0, 3, 1, 4, 2, 5, 6, 3, 7, 8, 4, 9, 10})
	f.Add([]byte{5, 4, 1, 2, 6, 5, 3, 7, 6, 5, 'h', 'e', 'l', 'l', 'o'})
	f.Add([]byte("\x07\x00\x08| lines="))
	f.Fuzz(func(t *testing.T, edits []byte) {
		if len(edits) > mostEdits {
			return
		}
		text := edited(block, edits)
		b, err := ParseBlock(text)
		if err != nil {
			return
		}
		rep, err := Verify(context.Background(), b, s)
		if err != nil {
			t.Fatal(err)
		}
		if rep.Lines != rep.Verbatim+rep.Omissions+rep.Unverified+rep.Altered {
			t.Errorf("counts do not add up: %s\n%s", rep, text)
		}
		if (rep.State == StateVerified) != (len(rep.Findings) == 0 && rep.Altered == 0) {
			t.Errorf("state and findings disagree: %s\n%s", rep, text)
		}
		if text == block && rep.State != StateVerified {
			t.Errorf("the block itself: %s", rep)
		}
		_ = rep.String()
	})
}

// A megabyte that is made to be awkward takes no more than moments.
func TestVerifyIsLinear(t *testing.T) {
	t.Parallel()
	var s shelf
	numbered := func(n int) []string {
		lines := make([]string, n)
		for i := range lines {
			lines[i] = fmt.Sprintf("line %d of many", i)
		}
		return lines
	}
	triple := "\n---\n\n**Source:** x\n**Path:** md_docs/S:1/big/docContent.md\n**Document Set:** S:1\n\n"
	many := numbered(40_000)
	big := s.put("S@1", "big", "", strings.Join(many, "\n"))
	same := s.put("S@1", "same", "", strings.Repeat("x\n", 400_000))
	reversed := make([]string, len(many))
	for i, l := range many {
		reversed[len(many)-1-i] = l
	}
	every := make([]string, len(many))
	for i, l := range many {
		every[i] = l
		if i%3 == 0 {
			every[i] = "altered " + l
		}
	}
	for name, tt := range map[string]struct {
		doc     contract.Extracted
		content string
	}{
		"reversed":       {big, strings.Join(reversed, "\n")},
		"every third":    {big, strings.Join(every, "\n")},
		"all the same":   {same, strings.Repeat("x\ny\n", 200_000)},
		"other alphabet": {same, strings.Repeat("x\ny\nx\nx\n", 100_000)},
		"citations":      {big, strings.Repeat("line 1 of many\n"+triple, 10_000)},
		"paths":          {big, strings.Repeat("**Path:** md_docs/S:1/big/docContent.md\n**Document Set:** S:1\n", 10_000)},
		"omissions":      {big, strings.Repeat("[… lines 1–40000 omitted …]\n", 20_000)},
		"own omissions":  {big, strings.Repeat("[… lines 7–7 omitted …]\n", 20_000)},
		"long lines":     {big, strings.Repeat(strings.Repeat("a b ", 1000)+"\n", 250)},
	} {
		t.Run(name, func(t *testing.T) {
			block, _, err := Builtin{}.Cite(map[string]string{tt.doc.Key: tt.content}, []contract.Extracted{tt.doc})
			if err != nil {
				t.Fatal(err)
			}
			// Quadratic work would not end before the tests' own time limit.
			rep := check(t, s, block)
			t.Logf("%d bytes, %d lines, %d altered, %d findings", len(block), rep.Lines, rep.Altered, len(rep.Findings))
			if rep.State != StateAltered {
				t.Errorf("state %s", rep.State)
			}
		})
	}
}
