package search_test

import (
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/phase/optimize"
)

// Odd corpora and odd questions, each with each: an answer in order or a clear
// error, and numbers that are numbers.
func TestOddCorporaAndQuestions(t *testing.T) {
	t.Parallel()
	equal := map[string]string{}
	for i := range 1000 {
		equal[fmt.Sprintf("p%04d.md", i)] = "# Lantern\n\nTrim the wick of the lantern.\n"
	}
	corpora := map[string]map[string]string{
		"one passage":  {"a.md": "# Lantern\n\nTrim the wick.\n"},
		"a thousand":   equal,
		"empty pages":  {"a.md": "", "b.md": "\n\n\n", "c.md": "# \n", "d.md": "---\ntitle: x\n---\n"},
		"one sign":     {"a.md": "?\n", "b.md": "# !\n\n🎉\n"},
		"mixed script": {"a.md": "# Lantern 灯笼 фонарь\n\nfoo.bar(baz) x-y_z C++ .NET ランタン\n"},
	}
	questions := []string{"lantern", "the of and", "?!.,;", strings.Repeat("lantern wick trim ", 3400), "灯笼 lantern фонарь ランタン", "🎉🎉🎉", "\xff\xfe",
		"C++", ".NET", "foo.bar(baz)", "x-y_z", "lanternn", "如何修剪灯芯", "wie ersetze ich das Glas", strings.Repeat("灯", 4000), "\u202egnp.exe", "a"}
	for name, pages := range corpora {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := corpustest.New(t)
			h.Add("Odd@1", pages)
			for _, q := range questions {
				o, _, err := optimize.New(nil).Optimize(ctx, contract.OptimizeInput{Query: q})
				if err != nil {
					continue // its error names the fault
				}
				in := contract.SearchInput{DomainNouns: o.QueryAnalysis.DomainNouns, Context: o.Context}
				for _, r := range o.OptimizedQueries {
					in.Query = append(in.Query, r.Query)
				}
				out, _, err := searcher(h).Search(ctx, in, contract.SearchOptions{Explain: true})
				if err != nil {
					t.Errorf("%.30q: %v", q, err)
					continue
				}
				check(t, out)
				marshal(t, out) // no number that JSON has not
			}
		})
	}
}
