package locate_test

import (
	"context"
	"fmt"
	"testing"

	"docent/pipeline/service/locate"
	"docent/pipeline/service/servicetest"
	"docent/store"
)

// countedCatalog counts the rows of documents that are read.
type countedCatalog struct {
	store.Catalog
	rows int
}

func (c *countedCatalog) ByPath(ctx context.Context, setID int64, path string) (*store.Document, error) {
	c.rows++
	return c.Catalog.ByPath(ctx, setID, path)
}

func (c *countedCatalog) ByTitle(ctx context.Context, setID int64, title string) ([]store.Document, error) {
	out, err := c.Catalog.ByTitle(ctx, setID, title)
	c.rows += len(out)
	return out, err
}

func (c *countedCatalog) ByID(ctx context.Context, ids []int64) (map[int64]*store.Document, error) {
	c.rows += len(ids)
	return c.Catalog.ByID(ctx, ids)
}

func (c *countedCatalog) Documents(ctx context.Context, setID int64) ([]store.Document, error) {
	out, err := c.Catalog.Documents(ctx, setID)
	c.rows += len(out)
	return out, err
}

func (c *countedCatalog) Files(ctx context.Context, setID int64) ([]store.FileState, error) {
	out, err := c.Catalog.Files(ctx, setID)
	c.rows += len(out)
	return out, err
}

func (c *countedCatalog) Paths(ctx context.Context, setID int64) ([]string, error) {
	out, err := c.Catalog.Paths(ctx, setID)
	c.rows += len(out)
	return out, err
}

func (c *countedCatalog) PathsBetween(ctx context.Context, setID int64, from, before string) ([]string, error) {
	out, err := c.Catalog.PathsBetween(ctx, setID, from, before)
	c.rows += len(out)
	return out, err
}

// A page of a doc set of 17 627 pages took 25 times the time of one of 311: for each request the
// rows of all pages were read, to find the one that was named.
func TestAPageCostsTheSameInADocSetOfAnySize(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	work := map[string]map[string]int{}
	for set, pages := range map[string]int{"Small@1": 3, "Large@1": 60} {
		files := map[string]string{}
		for i := range pages {
			files[fmt.Sprintf("oil/page%d.md", i)] = fmt.Sprintf("# Oil %d\n\nBurns.\n", i)
		}
		h.Add(set, files)
		work[set] = map[string]int{}
	}
	counted := &countedCatalog{Catalog: h.Home.Corpus.Catalog}
	h.Home.Corpus.Catalog = counted
	for set, of := range work {
		for _, name := range []string{"oil/page2.md", "oil/page2", "Oil 2"} {
			before := counted.rows
			text, err := h.Pages.Read(t.Context(), locate.ReadRequest{Page: name, Sets: []string{set}})
			if err != nil || text.FilePath != "oil/page2.md" {
				t.Fatalf("%s of %s: %+v, %v", name, set, text, err)
			}
			of[name] = counted.rows - before
		}
	}
	for name, rows := range work["Small@1"] {
		if large := work["Large@1"][name]; large != rows || rows == 0 || rows > 4 {
			t.Errorf("%s: %d rows are read in a small doc set, %d in a large one", name, rows, large)
		}
	}
}
