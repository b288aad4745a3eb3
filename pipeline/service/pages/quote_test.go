package pages

import (
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/phase/cite"
	"docent/pipeline/service/answers"
)

// A section that is read becomes a block that can be verified, with its headings, its
// lines and its address; a changed section does not.
func TestQuote(t *testing.T) {
	t.Parallel()
	c := corpustest.New(t)
	c.Add("Lantern@1", map[string]string{
		"wick.md":  "# Wick\n\n> **Source**: https://lantern.example/wick\n\n## Care\n\nTrim it.\n\n\n## Store\n\nDry it.\n",
		"bare.md":  "No heading here,\r\nand two lines.\r\n",
		"bytes.md": "# Bytes\n\nA \xff byte.\n",
	})
	h := open(c)
	care := QuoteRequest{DocSet: "Lantern@1", FilePath: "wick.md", Text: "## Care\n\nTrim it.\n\n\n",
		Section: contract.Quote{Path: []string{"Wick", "Care"}, Anchor: "care", Lines: [2]int{5, 9}}}
	got, err := h.Quote(t.Context(), care)
	if err != nil {
		t.Fatal(err)
	}
	if x := got.Citation; x.Lines != [2]int{5, 7} || x.URL != "https://lantern.example/wick#care" || len(x.HeadingPath) != 2 || x.PageTitle != "Wick" || x.SHA256 == "" {
		t.Errorf("cited as %+v", x)
	}
	if want := "Wick › Care, Lantern@1/wick.md, lines 5–7, https://lantern.example/wick#care"; got.Citation.OneLine() != want {
		t.Errorf("cited as %s", got.Citation.OneLine())
	}
	for _, want := range []string{"[… lines 1–4 omitted …]\n## Care\n\nTrim it.\n[… lines 8–12 omitted …]\n", "**Section:** Wick › Care · lines 5–7 · https://lantern.example/wick#care\n"} {
		if !strings.Contains(got.Block, want) {
			t.Errorf("the block lacks %q:\n%s", want, got.Block)
		}
	}
	last := QuoteRequest{DocSet: "Lantern", FilePath: "wick.md", Text: "## Store\n\nDry it.\n", Section: contract.Quote{Path: []string{"Wick", "Store"}, Lines: [2]int{10, 12}}}
	bare := QuoteRequest{DocSet: "Lantern", FilePath: "bare.md", Text: "No heading here,\r\nand two lines.\r\n", Section: contract.Quote{Lines: [2]int{1, 2}}}
	bytes := QuoteRequest{DocSet: "Lantern", FilePath: "bytes.md", Text: "# Bytes\n\nA \xff byte.\n", Section: contract.Quote{Path: []string{"Bytes"}, Lines: [2]int{1, 3}}}
	for _, req := range []QuoteRequest{care, last, bare, bytes} {
		got, err := h.Quote(t.Context(), req)
		if err != nil {
			t.Errorf("%s: %v", req.FilePath, err)
			continue
		}
		block, err := answers.ParseBlock(got.Block)
		if err != nil {
			t.Fatalf("%s: %v\n%s", req.FilePath, err, got.Block)
		}
		if rep, err := answers.New(h.home, answers.Pipelines{}, nil, nil, nil, nil, nil).Verify(t.Context(), block); err != nil || rep.State != cite.StateVerified {
			t.Errorf("%s: %v, %s\n%s", req.FilePath, err, rep, got.Block)
		}
	}
	changed, outside, gone := care, care, care
	changed.Text = "## Care\n\nBurn it.\n"
	outside.Section.Lines = [2]int{5, 90}
	gone.FilePath = "none.md"
	for _, req := range []QuoteRequest{changed, outside, gone} {
		if got, err := h.Quote(t.Context(), req); err == nil {
			t.Errorf("%+v: %s", req, got.Block)
		}
	}
}
