package contract_test

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docent/pipeline/contract"
	"docent/store/doc"
)

func TestSourceRuns(t *testing.T) {
	t.Parallel()
	places := []doc.Location{{Line: 1}, {Line: 1}, {Line: 4}, {Line: 5}, {Line: 6}, {Line: 6}, {Line: 20, Page: 2}, {Line: 21, Page: 3}, {}}
	runs := contract.SourceRuns(places)
	want := []contract.SourceRun{{Text: 1, Line: 1}, {Text: 3, Line: 4, Step: 1}, {Text: 6, Line: 6}, {Text: 7, Line: 20, Page: 2}, {Text: 8, Line: 21, Page: 3}, {Text: 9}}
	if !reflect.DeepEqual(runs, want) {
		t.Errorf("the runs are %+v, want %+v", runs, want)
	}
	d := contract.Extracted{Title: "Wicks", URL: "https://e.org/w", Runs: runs}
	for _, tt := range []struct {
		lines [2]int
		want  string
	}{{[2]int{1, 2}, "source line 1"}, {[2]int{2, 4}, "source lines 1–5"}, {[2]int{5, 8}, "source lines 6–21 · pages 2–3"}, {[2]int{8, 8}, "source line 21 · page 3"}, {[2]int{9, 9}, ""}, {[2]int{0, 0}, ""}} {
		if got := d.SourceOf(tt.lines).String(); got != tt.want {
			t.Errorf("lines %v stand at %q, want %q", tt.lines, got, tt.want)
		}
		if tt.lines[0] == 0 {
			continue
		}
		for _, url := range []string{"", "https://e.org/w"} {
			d.URL = url
			line := contract.SectionLine(contract.Quote{Path: []string{"Trim"}, Lines: tt.lines}, d)
			path, lines, ok := contract.ParseSectionLine(line)
			if !ok || lines != tt.lines || strings.Join(path, "/") != "Wicks/Trim" || contract.SectionURL(line) != url || !strings.Contains(line, tt.want) {
				t.Errorf("%q is read as %q, %v, %q, %v", line, path, lines, contract.SectionURL(line), ok)
			}
		}
	}
	if contract.SourceRuns(nil) != nil || (contract.Extracted{}).SourceOf([2]int{1, 9}) != (contract.SourcePlace{}) {
		t.Error("a text that is its own source has a place in another")
	}
}

// The runs give each line the place that the map gives it.
func TestRunsAreTheMap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var places []doc.Location
		line := 0
		for range rapid.IntRange(0, 30).Draw(t, "lines") {
			line = max(0, line+rapid.SampledFrom([]int{0, 0, 1, 1, 1, 2, -1, -100}).Draw(t, "step"))
			places = append(places, doc.Location{Line: line, Page: rapid.IntRange(0, 1).Draw(t, "page")})
		}
		d := contract.Extracted{Runs: contract.SourceRuns(places)}
		for i, at := range places {
			if got := d.SourceOf([2]int{i + 1, i + 1}); got.Lines != [2]int{at.Line, at.Line} || got.Pages != [2]int{at.Page, at.Page} {
				t.Fatalf("line %d stands at %+v, want %+v; runs %+v", i+1, got, at, d.Runs)
			}
		}
	})
}
