package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"
	"pgregory.net/rapid"

	"docent/pipeline/contract"
	"docent/pipeline/contract/contracttest"
	"docent/pipeline/question"
	"docent/store/doc"
)

var pieces = []string{"# Title\n", "## Part one\n", "## Part two\n", "### Deeper pump\n", "Under\n-----\n", "\n", "\n", "\n\n",
	"A paragraph about a pump.\n", "Two lines\nof a paragraph:\n", "- one\n- two\n\n  more of two\n", "1. first\n2. second\n",
	"```sh\npump --on\n\npump --off\n```\n", "```\nnever closed\n", "> [!WARNING]\n> Hot.\n", "> a quote\n", "| a | b |\n|---|---|\n| pump | 2 |\n",
	"> **Source**: https://e.org\n", "---\n", "    indented code\n", "[… lines 1–2 omitted …]\n", "[… lines 4–5 omitted …]\n", "<div>\n\ntext\n\n</div>\n",
	"\r\n", "windows line\r\n", "   \n", "日本語の段落。\n", "\ufeff", "\x00\xff\n", "no newline"}

func drawPage(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces"), "")
}

// Whatever is compressed can be expanded again, is cut at no block, keeps to
// its limits, and comes out the same twice.
func TestCompressionIsSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var pages []string
		for range rapid.IntRange(1, 4).Draw(t, "pages") {
			pages = append(pages, drawPage(t))
		}
		ask := rapid.SampledFrom([]string{"", "pump", "how does part two work", "日本"}).Draw(t, "question")
		ex := extraction(ask, pages...)
		limit := rapid.IntRange(max(leastLines, len(pages)), 60).Draw(t, "limit")
		w := contract.Preferences{Extent: rapid.SampledFrom(append(contract.Extents(), "")).Draw(t, "extent"), Lines: rapid.IntRange(0, 30).Draw(t, "lines"), Compress: rapid.Bool().Draw(t, "compress"), MaxTokens: rapid.OneOf(rapid.Just(0), rapid.IntRange(200, 900)).Draw(t, "tokens")}
		b := builtin(limit)
		if rapid.Bool().Draw(t, "plain") {
			b = New(Options{Limit: limit})
		}
		ck, err := b.Check(ex, w)
		if err != nil {
			t.Fatal(err)
		}
		ck.Action = contract.ActionProcess
		out, _, err := b.Process(context.Background(), ck)
		if err != nil {
			if w.MaxTokens > 0 && contracttest.ErrorOf(err).Code == contract.CodeInvalidRequest {
				t.Skip("too small a budget")
			}
			t.Fatal(err)
		}
		if b.o.Structure == nil {
			for key, src := range ex.Contents {
				if dropped(out, key, src) {
					continue
				}
				if back, err := expand(src, out.Contents[key], omissions(out, key)); err != nil || back != src {
					t.Fatalf("%v: %q\n%q", err, src, out.Contents[key])
				}
			}
		} else if docs, _ := documents(ex); out.Action == contract.ActionCompressed {
			f := filler{limit: b.budgetOfContents(ck, ck.Extent != "")}
			if w.MaxTokens > 0 {
				f.overhead = b.o.Overhead
			}
			soundWithin(t, ex, out, f.largestWholeBlock(b.leastOverhead(docs)))
		}
		if out.Action == contract.ActionCompressed && out.LineCount > limit {
			t.Fatalf("%d lines, limit %d", out.LineCount, limit)
		}
		spent := 4 * b.o.Overhead(out.Documents)
		for _, text := range out.Contents {
			spent += tokenQuarters(text + "\n")
		}
		if w.MaxTokens > 0 && spent > 4*w.MaxTokens {
			t.Fatalf("%d quarters, budget %d tokens", spent, w.MaxTokens)
		}
		if again, _, err := b.Process(context.Background(), ck); err != nil || !reflect.DeepEqual(again, out) {
			t.Fatalf("not the same twice: %v", err)
		}
	})
}

// A table below the second of two empty headings was kept next to a paragraph of another
// section, and its own heading was left out: half of the ten lines had no room for both.
func TestUnitsNextToOthersKeepTheirHeadings(t *testing.T) {
	t.Parallel()
	ex := extraction("pump", "# Title\n# Title\n# Title\n# Title\n",
		"A paragraph about a pump.\n# Title\n# Title\n| a | b |\n|---|---|\n| pump | 2 |\n")
	b := builtin(32)
	out := run(t, b, ex, contract.Preferences{Extent: contract.ExtentDocuments, Compress: true})
	if out.Action != contract.ActionCompressed || !strings.HasPrefix(out.Contents["b"], "A paragraph about a pump.\n") {
		t.Fatalf("%s: %q", out.Action, out.Contents)
	}
	sound(t, b, ex, out)
}

// The running count of a selection is what rendering it takes.
func TestUsedIsWhatIsRendered(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := newPage("a", drawPage(t), blocks, budget{rapid.IntRange(1, 20).Draw(t, "lines"), rapid.IntRange(20, 400).Draw(t, "quarters")})
		for range 20 {
			text, _ := p.render()
			if got := (budget{doc.CountLines([]byte(text)), tokenQuarters(text)}); got != p.used {
				t.Fatalf("used %v, rendered %v\n%q", p.used, got, text)
			}
			if len(p.units) == 0 {
				return
			}
			p.newChooser().toggleUnit(rapid.IntRange(0, len(p.units)-1).Draw(t, "unit"))
		}
	})
}

// Neighbours among the kept units are found in sets of every size.
func TestKeptNeighbours(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		p, set := &page{units: make([]unit, n), keep: bitset.New(uint(n))}, make([]bool, n)
		for _, i := range rapid.SliceOf(rapid.IntRange(0, n-1)).Draw(t, "flips") {
			p.keep.Flip(uint(i))
			set[i] = !set[i]
		}
		for i := range n {
			l, r := i-1, i+1
			for l >= 0 && !set[l] {
				l--
			}
			for r < n && !set[r] {
				r++
			}
			if p.isKept(i) != set[i] || p.keptBefore(i) != l || p.keptAfter(i) != r {
				t.Fatalf("%d of %v: %v %d %d, want %v %d %d", i, set, p.isKept(i), p.keptBefore(i), p.keptAfter(i), set[i], l, r)
			}
		}
	})
}

// A parser that fails or lies costs quality, never soundness.
func TestParserIsNotTrusted(t *testing.T) {
	t.Parallel()
	page := manual(10)
	for name, structure := range map[string]func(context.Context, []byte, doc.Format) (doc.Document, error){
		"fails": func(context.Context, []byte, doc.Format) (doc.Document, error) {
			return doc.Document{}, errors.New("no")
		},
		"empty": func(context.Context, []byte, doc.Format) (doc.Document, error) { return doc.Document{}, nil },
		"lies": func(context.Context, []byte, doc.Format) (doc.Document, error) {
			d := doc.Document{Sections: []doc.Section{{Parent: 5}, {Parent: 1}, {Parent: 0}}}
			for i := range 60 {
				d.Blocks = append(d.Blocks, doc.Block{Kind: doc.Paragraph, Section: i%5 - 1, Span: doc.Span{StartLine: (i * 37) % 300, EndLine: (i*37)%300 + i%9 - 1}})
			}
			return d, nil
		},
	} {
		ex := extraction("part7", page)
		b := New(Options{Structure: structure, Limit: 60})
		out := run(t, b, ex, contract.Preferences{})
		if back, err := expand(page, out.Contents["a"], omissions(out, "a")); err != nil || back != page || out.LineCount > 60 {
			t.Errorf("%s: %v, %d lines\n%s", name, err, out.LineCount, out.Contents["a"])
		}
	}
}

// Real pages, at several limits.
func TestRealPages(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs on one goroutine: the race detector has nothing to find")
	}
	shared := os.Getenv("DOCENT_SHARED")
	if shared == "" {
		dir, _ := os.Getwd()
		for ; dir != "/"; dir = filepath.Dir(dir) {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				shared = filepath.Join(dir, "..", "shared")
				break
			}
		}
	}
	files, _ := filepath.Glob(filepath.Join(shared, "data", "docsets", "*", "*", doc.ContentFile))
	if len(files) == 0 {
		t.Skip("no real pages: set DOCENT_SHARED")
	}
	asks := []string{"how to configure a provider", "permissions --flag", ""}
	for i := 0; i+2 < len(files); i += 3 {
		var pages []string
		for _, f := range files[i : i+3] {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			pages = append(pages, string(src))
		}
		ex := extraction(asks[i/3%3], pages...)
		for _, limit := range []int{30, 200, ex.TotalLineCount - 1} {
			b := builtin(max(limit, 3))
			for _, w := range []contract.Preferences{{}, {Compress: true}, {MaxTokens: 1500}} {
				out := run(t, b, ex, w)
				most := budget{b.o.Limit - 2, unlimited}
				if w.MaxTokens > 0 {
					most.quarters = (&filler{limit: budget{quarters: 4 * w.MaxTokens}, overhead: b.o.Overhead}).largestWholeBlock(b.leastOverhead(ex.Documents)).quarters
				}
				soundWithin(t, ex, out, most)
				if out.Action == contract.ActionCompressed && out.LineCount > limit {
					t.Errorf("%s: %d lines, limit %d", files[i], out.LineCount, limit)
				}
			}
		}
	}
}

func FuzzCompress(f *testing.F) {
	f.Add(manual(3)+gasket, "gasket", 30)
	f.Add(strings.Join(pieces, ""), "pump", 5)
	f.Add("", "", 1)
	f.Fuzz(func(t *testing.T, page, ask string, limit int) {
		ex := extraction(ask, page)
		b := New(Options{Preference: question.Preference, Structure: structure, Limit: 1 + max(0, limit)%200})
		out := run(t, b, ex, contract.Preferences{Compress: true})
		if back, err := expand(page, out.Contents["a"], omissions(out, "a")); err != nil || back != page {
			t.Fatalf("%v\n%q\n%q", err, page, out.Contents["a"])
		}
	})
}

func BenchmarkCompress(b *testing.B) {
	for _, sections := range []int{200, 2900} {
		page := manual(sections)
		ex := extraction("pump slots and line", page)
		p := New(Options{Preference: question.Preference, Structure: structure})
		b.Run(fmt.Sprintf("%dlines", ex.TotalLineCount), func(b *testing.B) {
			b.SetBytes(int64(len(page)))
			for b.Loop() {
				if _, _, err := p.Process(context.Background(), contract.Check{Extraction: ex}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
