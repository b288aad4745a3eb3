package html

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
)

// pagesOf are the pages of a doc set for a survey.
type pagesOf map[string]string

func (p pagesOf) Open(path string) (parse.Opened, error) {
	return parse.Opened{Data: []byte(p[path])}, nil
}

func (p pagesOf) List(...string) []string {
	var list []string
	for path := range p {
		list = append(list, path)
	}
	slices.Sort(list)
	return list
}

// textIn is the text of a page of a doc set.
func textIn(t *testing.T, set pagesOf, path string) string {
	t.Helper()
	d, err := Parser{}.Parse(context.Background(), []byte(set[path]), parse.Options{Path: path,
		Survey: func(_ string, of func(parse.Files) any) any { return of(set) }})
	if err != nil {
		t.Fatal(err)
	}
	if d.Words.Source > 0 && d.Words.Arrived != d.Words.Source {
		t.Errorf("%s: lines of the site count as missing: %v", path, d.Words)
	}
	return string(d.Text)
}

// setOf are n pages of the same form, where %d is the number of the page.
func setOf(n int, page string) pagesOf {
	set := pagesOf{}
	for i := range n {
		set[fmt.Sprintf("p%02d.html", i)] = strings.ReplaceAll(page, "%d", fmt.Sprint(i))
	}
	return set
}

// The motto of a site stood as the first line of each of its pages, and the address of its keeper
// with a notice of copyright as the last: in answers, in search, in summaries.
func TestLinesThatPagesShareAreTheSites(t *testing.T) {
	t.Parallel()
	const page = "<html><body><div class='b'><a href='index.html'>Canals</a> Slow. Wet. Quiet.</div><h1>Lock %d</h1>" +
		"<p>The lock %d word%d lifts boats.</p><h2>Care</h2><p>Grease gate word%d.</p><hr><p>Write to the lock keeper.</p>" +
		"<div>Changed on 2024-01-%d</div><p>By the canal's friends.</p></body></html>"
	set := setOf(10, page)
	got := textIn(t, set, "p03.html")
	want := "# Lock 3\n\nThe lock 3 word3 lifts boats.\n\n## Care\n\nGrease gate word3.\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// In a doc set of few pages it is not known.
	if got := textIn(t, setOf(7, page), "p03.html"); !strings.Contains(got, "Slow. Wet. Quiet.") || !strings.Contains(got, "keeper") {
		t.Errorf("lines of seven pages were left out:\n%s", got)
	}
	// A page that stands apart keeps its own lines.
	set["p04.html"] = "<html><body><p>Read this first.</p><h1>Start</h1><p>Begin here.</p><p>Then go on to the locks.</p></body></html>"
	got = textIn(t, set, "p04.html")
	if want := "Read this first.\n\n# Start\n\nBegin here.\n\nThen go on to the locks.\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What pages share is theirs where it is all that a section has, where it stands behind the
// heading of the page, and where it is code.
func TestLinesOfSectionsStay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ page, want string }{
		"the only block of a section": {"<h1>Lock %d</h1><p>It lifts word%d.</p><h2>Copying</h2><p>Copying is allowed.</p>",
			"# Lock 3\n\nIt lifts word3.\n\n## Copying\n\nCopying is allowed.\n"},
		"the first line of a page": {"<h1>Lock %d</h1><p>Stability: 2, stable</p><p>It lifts word%d.</p>",
			"# Lock 3\n\nStability: 2, stable\n\nIt lifts word3.\n"},
		"code":              {"<h1>Lock %d</h1><p>Opens word%d with:</p><pre>lock open</pre>", "# Lock 3\n\nOpens word3 with:\n\n```\nlock open\n```\n"},
		"pages of one line": {"<p>Moved to the new site.</p>", "Moved to the new site.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := textIn(t, setOf(10, "<html><body>"+c.page+"</body></html>"), "p03.html"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
