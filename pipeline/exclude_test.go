package pipeline

import (
	"fmt"
	"testing"

	"docent/pipeline/contract"
)

// A page is left out by its name, a section by its headings; a page of which no
// section is left goes too, and phase 1.5's results stay as they are.
func TestIncluded(t *testing.T) {
	t.Parallel()
	heading := func(path ...string) contract.Heading { return contract.Heading{Path: path} }
	results := []contract.Result{
		{DocSet: "A@1", FilePath: "a.md", Headings: []contract.Heading{heading(), heading("Install"), heading("Install", "Linux")}},
		{DocSet: "A@1", FilePath: "b.md", Headings: []contract.Heading{heading("Install")}},
		{DocSet: "A@1", FilePath: "c.md"}, // by title: no heading is known
	}
	all := fmt.Sprint(results)
	hit := func(path string, section ...string) Hit {
		return Hit{DocSet: "A@1", FilePath: path, Section: contract.PathName(section)}
	}
	for _, tt := range []struct {
		name    string
		exclude []Hit
		want    string
	}{
		{"nothing", nil, "a.md[[] [Install] [Install Linux]] b.md[[Install]] c.md[] "},
		{"a page", []Hit{hit("a.md").Page()}, "b.md[[Install]] c.md[] "},
		{"a section", []Hit{hit("a.md", "Install")}, "a.md[[] [Install Linux]] b.md[[Install]] c.md[] "},
		{"the text before the first heading", []Hit{hit("a.md")}, "a.md[[Install] [Install Linux]] b.md[[Install]] c.md[] "},
		{"the only section", []Hit{hit("b.md", "Install")}, "a.md[[] [Install] [Install Linux]] c.md[] "},
		{"another doc set's", []Hit{{DocSet: "B@1", FilePath: "a.md"}}, "a.md[[] [Install] [Install Linux]] b.md[[Install]] c.md[] "},
	} {
		got := ""
		for _, r := range (Request{Exclude: tt.exclude}).includedResults(results) {
			paths := [][]string{}
			for _, h := range r.Headings {
				paths = append(paths, h.Path)
			}
			got += fmt.Sprintf("%s%v ", r.FilePath, paths)
		}
		if got != tt.want {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
	if fmt.Sprint(results) != all {
		t.Errorf("the results were changed: %v", results)
	}
}

// Leaving out and taking in again: a page comes back with its sections.
func TestToggle(t *testing.T) {
	t.Parallel()
	page := Hit{DocSet: "A@1", FilePath: "a.md"}
	section, other := page, page
	section.Section, other.Section = "Install", "Use"
	var r Request
	for i, step := range []struct {
		hit  Hit
		out  bool
		left int
	}{
		{section, true, 1}, {other, true, 2}, {section, false, 1}, {page, false, 0},
		{page, true, 1}, {section, false, 0}, {page, true, 1}, {page, false, 0},
	} {
		if out := r.Toggle(step.hit); out != step.out || len(r.Exclude) != step.left || r.Excludes(step.hit) != step.out {
			t.Errorf("step %d, %+v: out %v, %+v", i, step.hit, out, r.Exclude)
		}
	}
	if r.Toggle(page); !r.Excludes(section) {
		t.Error("a section is left in a page that is left out")
	}
}
