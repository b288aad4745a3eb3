package chunk

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown"
	"docent/store/doc"
)

// check returns the first fault of a page's chunks.
func check(src []byte, d doc.Document, chunks []doc.Chunk) error {
	next := 0 // the first block that is in no chunk yet
	for i, c := range chunks {
		what := fmt.Sprintf("chunk %d %+v", i, c.Span)
		wantNext := i + 1
		if i == len(chunks)-1 {
			wantNext = -1
		}
		if c.Index != i || c.Prev != i-1 || c.Next != wantNext {
			return fmt.Errorf("%s: index %d, neighbours %d, %d", what, c.Index, c.Prev, c.Next)
		}
		s := d.Sections[c.Section].Span
		if c.Span.Start < s.Start || c.Span.End > s.End || c.Span.End <= c.Span.Start || c.Span.StartLine < s.StartLine || c.Span.EndLine > s.EndLine {
			return fmt.Errorf("%s is not within its section %+v", what, s)
		}
		if i > 0 && (chunks[i-1].Span.End > c.Span.Start || chunks[i-1].Span.EndLine > c.Span.StartLine) {
			return fmt.Errorf("%s overlaps %+v", what, chunks[i-1].Span)
		}
		if l := 1 + strings.Count(string(src[:c.Span.Start]), "\n"); l != c.Span.StartLine {
			return fmt.Errorf("%s begins on line %d", what, l)
		}
		if l := 1 + strings.Count(string(src[:c.Span.End-1]), "\n"); l != c.Span.EndLine {
			return fmt.Errorf("%s ends on line %d", what, l)
		}
		for next < len(d.Blocks) {
			b := d.Blocks[next]
			if b.Kind == doc.Meta || b.Kind == doc.Rule {
				next++
				continue
			}
			if b.Span.Start >= c.Span.End {
				break
			}
			whole := b.Span.Start >= c.Span.Start && b.Span.End <= c.Span.End
			if !whole && b.Kind != doc.Paragraph {
				return fmt.Errorf("%s cuts a %s %+v", what, b.Kind, b.Span)
			}
			if whole && (!strings.Contains(squeeze(c.Text), squeeze(b.Text)) || !strings.Contains(c.Code, b.Code)) {
				return fmt.Errorf("%s lacks %q or %q of a %s", what, b.Text, b.Code, b.Kind)
			}
			if b.Span.End > c.Span.End {
				if end := strings.TrimSpace(c.Text); !strings.ContainsAny(end[len(end)-1:], ".!?\"')]\n") && !strings.ContainsAny(end, "。！？｡\n") {
					return fmt.Errorf("%s ends amid a sentence: %q", what, end)
				}
				break
			}
			next++
		}
	}
	for ; next < len(d.Blocks); next++ {
		if k := d.Blocks[next].Kind; k != doc.Meta && k != doc.Rule {
			return fmt.Errorf("block %d, a %s, is in no chunk", next, k)
		}
	}
	return nil
}

// squeeze takes blanks away: a paragraph that was cut and joined again has
// other ones.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

func split(t testing.TB, src string, opt Options) []doc.Chunk {
	t.Helper()
	d, err := markdown.ParseMarkdown([]byte(src), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	chunks := SplitPage(d, opt)
	if err := check([]byte(src), d, chunks); err != nil {
		t.Fatalf("%v\n%q", err, src)
	}
	return chunks
}

// outline prints chunks: kind, lines, words of text and of code.
func outline(chunks []doc.Chunk) string {
	var b strings.Builder
	for _, c := range chunks {
		fmt.Fprintf(&b, "%s %d-%d %d+%d\n", c.Kind, c.Span.StartLine, c.Span.EndLine, CountWords(c.Text), CountWords(c.Code))
	}
	return b.String()
}

func TestSplit(t *testing.T) {
	t.Parallel()
	w := func(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }
	code := func(n int) string { return "```\n" + w(n) + "\n```" }
	page := func(blocks ...string) string { return strings.Join(blocks, "\n\n") + "\n" }
	opt := Options{MaxWords: 20, MinWords: 5}
	tests := []struct {
		name, src, want string
		opt             Options
	}{
		{"a section is a chunk", page("# A", w(5), w(5), "## B", w(3)), "paragraph 1-5 11+0\nparagraph 7-9 4+0\n", opt},
		{"paragraphs are packed", page(w(10), w(10), w(10), w(10)), "paragraph 1-3 20+0\nparagraph 5-7 20+0\n", opt},
		{"a heading goes with what follows", page("# A b", w(19)), "paragraph 1-3 21+0\n", opt},
		{"a heading alone is found", page("# A", "## B", "---", "## C", w(1)), "heading 1-1 1+0\nheading 3-3 1+0\nparagraph 7-9 2+0\n", opt},
		{"code stays with its paragraph", page(w(15), w(10), code(10)), "paragraph 1-1 15+0\nparagraph 3-7 10+10\n", opt},
		{"large code has its introduction", page(w(10), w(10), code(50), w(10)), "paragraph 1-1 10+0\nparagraph 3-7 10+50\nparagraph 9-9 10+0\n", opt},
		{"a large list is whole", page("# H", "- "+w(30)+"\n- "+w(30)), "list 1-4 61+0\n", opt},
		{"a list has its introduction", page(w(14), "Do "+w(3)+":", "- "+w(17)), "paragraph 1-1 14+0\nparagraph 3-5 21+0\n", opt},
		{"a large table too", page(w(18), w(6), "| a |\n|---|\n| "+w(30)+" |"), "paragraph 1-1 18+0\nparagraph 3-7 37+0\n", opt},
		{"a rule parts code from text", page(w(15), w(10), "---", code(10)), "paragraph 1-1 15+0\nparagraph 3-9 10+10\n", opt},
		{"small ones join", page(w(18), w(7), "- "+w(25)), "paragraph 1-3 25+0\nlist 5-5 25+0\n", Options{MaxWords: 20, MinWords: 8}},
		{"small ones join the smaller", page("- "+w(27), w(2), "- "+w(22)), "list 1-1 27+0\nparagraph 3-5 24+0\n", opt},
		{"never joined", page(w(18), w(3)), "paragraph 1-1 18+0\nparagraph 3-3 3+0\n", Options{MaxWords: 20, MinWords: -1}},
		{"metadata is no text", "---\ntitle: T\n---\n\n<!-- c -->\n\n[a]: b\n", "", opt},
		{"characters count half", page(strings.Repeat("字", 30), strings.Repeat("字", 20)), "paragraph 1-1 15+0\nparagraph 3-3 10+0\n", opt},
		{"defaults", page(w(200), w(90), w(20), w(50)), "paragraph 1-3 290+0\nparagraph 5-7 70+0\n", Options{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := outline(split(t, tt.src, tt.opt)); got != tt.want {
				t.Errorf("got\n%swant\n%s\n%s", got, tt.want, tt.src)
			}
		})
	}
}

func TestLongParagraph(t *testing.T) {
	t.Parallel()
	english := strings.Repeat("This is one sentence of *eight* words, e.g. it. ", 600)
	wrapped := strings.Repeat("This is one sentence\n  of eight `words`, is it?\n", 600)
	chinese := strings.Repeat("这是一个有二十个字的很长很长很长的句子。", 200)
	for name, src := range map[string]string{"english": english, "wrapped": wrapped, "crlf": strings.ReplaceAll(wrapped, "\n", "\r\n"), "chinese": chinese} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			chunks := split(t, "# H\n\n"+src+"\n\nLast.\n", Options{})
			if len(chunks) < 5 {
				t.Fatalf("%d chunks", len(chunks))
			}
			for i, c := range chunks {
				if n := CountWords(c.Text); n > defaultMaxWords+defaultMaxWords/2 {
					t.Errorf("chunk %d has %d words", i, n)
				}
				if begin := strings.TrimPrefix(strings.TrimPrefix(c.Text, "H"), "\n"); !strings.HasPrefix(begin, "This is") && !strings.HasPrefix(begin, "这是") {
					t.Errorf("chunk %d begins %.20q", i, begin)
				}
				if at := ("# H\n\n" + src)[c.Span.Start:]; i > 0 && !strings.HasPrefix(strings.TrimLeft(at, " "), c.Text[:4]) {
					t.Errorf("chunk %d begins at %.20q in the source, with %.20q", i, at, c.Text)
				}
			}
		})
	}
	one := strings.Repeat("word ", 2000)
	if n := len(split(t, one, Options{})); n != 1 {
		t.Errorf("one sentence became %d chunks", n)
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{"": 0, "a b": 2, "--cgroup-root string": 2, "| - |": 0, "don't": 1, "中文字": 2, "use 中文 here": 3, "naïve café": 2, "a\tb\nc": 3, "ไทย": 2} {
		if got := CountWords(s); got != want {
			t.Errorf("Words(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestSentenceEnds(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][]string{
		"One. Two! Three? (Four.) five":       {"One. ", "Two! ", "Three? ", "(Four.) five"},
		"See e.g. Foo. J. Doe v. 1.2.3 is. A": {"See e.g. Foo. ", "J. Doe v. ", "1.2.3 is. ", "A"},
		"他说：“好。”然后走了。完":                       {"他说：“好。”", "然后走了。", "完"},
		"Hard\nbreak": {"Hard\n", "break"},
		"":            {""},
	} {
		var got []string
		last := 0
		for _, e := range sentenceEnds(s) {
			got = append(got, s[last:e])
			last = e
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestChunksOfAnyPage(t *testing.T) {
	t.Parallel()
	blocks := []string{"# A", "## B", "A paragraph. Of *sentences*, two.", strings.Repeat("Long ones go on and on. ", 30), strings.Repeat("Wrapped ones\n  go on `too`.\n   ", 30), "- a\n- b", "1. a\n\n   ```\n   x\n   ```\n2. b", "```\ncode\n```", strings.Repeat("    code\n", 20), "| a | b |\n|---|---|\n| c | d |", "> [!NOTE]\n> x", "<Note>\n\n  y\n\n</Note>", "---", "[a]: b", "<!-- c -->", "长句子。" + strings.Repeat("这是一个句子。", 40), "Intro:"}
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(rapid.SampledFrom(blocks), 0, 20).Draw(t, "blocks"), "\n\n")
		opt := Options{MaxWords: rapid.IntRange(1, 80).Draw(t, "max"), MinWords: rapid.IntRange(-1, 40).Draw(t, "min")}
		d, err := markdown.ParseMarkdown([]byte(src), parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		chunks := SplitPage(d, opt)
		if err := check([]byte(src), d, chunks); err != nil {
			t.Fatal(err)
		}
		if again := SplitPage(d, opt); !reflect.DeepEqual(chunks, again) {
			t.Fatal("a second split differs")
		}
	})
}

func FuzzSplit(f *testing.F) {
	f.Add([]byte("# A\n\nText. More text.\n\n```\nx\n```\n"), 3, 2)
	f.Add([]byte(strings.Repeat("One. Two. ", 50)), 10, -1)
	f.Add([]byte(strings.Repeat("字。", 300)), 20, 0)
	f.Fuzz(func(t *testing.T, src []byte, maxWords, minWords int) {
		d, err := markdown.ParseMarkdown(src, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := check(src, d, SplitPage(d, Options{MaxWords: maxWords % 1000, MinWords: minWords % 1000})); err != nil {
			t.Fatal(err)
		}
	})
}

func TestRealPages(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("DOCENT_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	pages, chunks, words, large := 0, 0, 0, 0
	for _, folder := range []string{"docsets", "corpora/k8s-docs-v1.31", "corpora/rust-book", "corpora/ollama-docs", "corpora/opencode-docs", "corpora/claude-code-docs"} {
		root := filepath.Join(dir, "data", filepath.FromSlash(folder))
		if _, err := os.Stat(root); err != nil {
			t.Skipf("no development data (set DOCENT_SHARED): %v", err)
		}
		err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			if ext := filepath.Ext(path); err != nil || e.IsDir() || ext != ".md" && ext != ".mdx" {
				return err
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			d, err := markdown.ParseMarkdown(src, parse.Options{Path: filepath.ToSlash(path)})
			if err != nil {
				return err
			}
			cs := SplitPage(d, Options{})
			if err := check(src, d, cs); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			pages++
			chunks += len(cs)
			for _, c := range cs {
				n := CountWords(c.Text)
				words += n
				if n > 2*defaultMaxWords {
					large++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if pages == 0 || chunks < pages {
		t.Fatalf("%d chunks of %d pages", chunks, pages)
	}
	t.Logf("%d pages, %d chunks, %d words a chunk, %d over %d words", pages, chunks, words/chunks, large, 2*defaultMaxWords)
}
