package pages

import (
	"slices"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/service/locate"
)

// No error of the service is worded for the command line: each door words the
// remedy.
func TestErrorsOfReading(t *testing.T) {
	t.Parallel()
	c := corpustest.New(t)
	c.Add("Lantern@1", map[string]string{
		"wick.md":       "# Wick\n\n## Care\n\nTrim it.\n\n## Care\n\nDry it.\n",
		"oil/change.md": "# Change the oil\n\nPour.\n",
	})
	c.Add("Beacon@1", map[string]string{"wick.md": "# Wick\n\nAnother.\n"})
	svc := open(c)
	for _, tt := range []struct {
		req    locate.ReadRequest
		says   string
		remedy contract.Remedy
	}{
		{locate.ReadRequest{Page: "Lantern/wick", Section: "Cares"}, `has no section "Cares"; did you mean Care`, contract.Remedy{Kind: contract.RemedyChange, Key: "section"}},
		{locate.ReadRequest{Page: "Lantern/wick", Section: "xyzzy"}, `has no section "xyzzy"`, contract.Remedy{Kind: contract.RemedyRun, Command: []string{"read", "Lantern@1/wick.md", "--toc"}}},
		{locate.ReadRequest{Page: "Lantern/wick", Section: "Care"}, "has 2 sections", contract.Remedy{Kind: contract.RemedyChange, Key: "section", Choices: []string{"care", "care-1"}}},
		{locate.ReadRequest{Page: "wick"}, "is the name of 2 pages", contract.Remedy{Kind: contract.RemedyChange, Key: "page", Choices: []string{"Beacon@1/wick.md", "Lantern@1/wick.md"}}},
		{locate.ReadRequest{Page: "Lantern/chang the oil"}, "did you mean Lantern/Change the oil?", contract.Remedy{Kind: contract.RemedyChange, Key: "page"}},
		{locate.ReadRequest{Page: "Lantern/xyzzyplugh"}, `there is no page "Lantern/xyzzyplugh"`, contract.Remedy{Kind: contract.RemedyRun, Command: []string{"search", "xyzzyplugh"}}},
		{locate.ReadRequest{Page: "Lantern"}, "is a doc set and no page; give Lantern@1/PAGE", contract.Remedy{Kind: contract.RemedyRun, Command: []string{"read", "Lantern@1", "--toc"}}},
	} {
		_, err := svc.Read(t.Context(), tt.req)
		r := contract.RemedyOf(err)
		if err == nil || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "docent ") || strings.Contains(err.Error(), "--") {
			t.Errorf("%+v: %v, want %q", tt.req, err, tt.says)
		}
		if r == nil || r.Kind != tt.remedy.Kind || r.Key != tt.remedy.Key || !slices.Equal(r.Command, tt.remedy.Command) || tt.remedy.Choices != nil && !slices.Equal(r.Choices, tt.remedy.Choices) {
			t.Errorf("%+v: the remedy is %+v, want %+v", tt.req, r, tt.remedy)
		}
	}
	p, err := svc.Read(t.Context(), locate.ReadRequest{Page: "Lantern/oil/change", Section: "#change-the-oil"})
	if err != nil || p.Content != "# Change the oil\n\nPour.\n" || p.Lines != [2]int{1, 3} || p.FilePath != "oil/change.md" {
		t.Errorf("%+v, %v", p, err)
	}
}
