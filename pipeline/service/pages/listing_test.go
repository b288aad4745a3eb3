package pages

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/service/operation"
)

// fleet is a doc set of more pages than an agent's budget holds: 60 of ships in three folders, and two
// in none.
func fleet(t *testing.T) *Service {
	t.Helper()
	c := corpustest.New(t)
	files := map[string]string{"index.md": "# The fleet\n\nAll ships.\n", "ships.md": "# Ships\n\nWhat a ship is.\n"}
	for i := range 60 {
		kind := []string{"brig", "cutter/fast", "brig"}[i%3]
		files[fmt.Sprintf("ships/%s/no-%02d.md", kind, i)] = fmt.Sprintf("# Ship no. %d\n\nIt sails.\n", i)
	}
	c.Add("Fleet@1", files)
	return open(c)
}

// roomOf is a budget in bytes of JSON.
func roomOf(bytes int) operation.Room {
	return operation.Room{Most: bytes, Fits: func(v any) bool {
		raw, err := json.Marshal(v)
		return err == nil && len(raw) <= bytes
	}}
}

// An agent could search and read by name, and not see which pages there are.
func TestAnAgentListsPages(t *testing.T) {
	t.Parallel()
	svc := fleet(t)
	var seen []string
	req := ListRequest{Set: "Fleet"}
	for parts := 0; ; parts++ {
		got, err := listForAgent(t.Context(), svc, req, roomOf(1000))
		if err != nil || parts > 62 {
			t.Fatal(parts, err)
		}
		if raw, _ := json.Marshal(got); len(raw) > 1000 || got.Total != 62 || got.DocSet != "Fleet@1" {
			t.Errorf("part %d has %d bytes, %d pages of %s", parts, len(raw), got.Total, got.DocSet)
		}
		if want := parts == 0; (len(got.Folders) > 0) != want {
			t.Errorf("part %d has the folders %v", parts, got.Folders)
		}
		for _, p := range got.Pages {
			seen = append(seen, p.Path)
		}
		if req.Cursor = got.NextCursor; req.Cursor == "" {
			break
		}
	}
	if len(seen) != 62 || !slices.IsSorted(seen) || len(slices.Compact(seen)) != 62 {
		t.Errorf("the parts together have %d pages: %q", len(seen), seen)
	}

	whole, err := listForAgent(t.Context(), svc, ListRequest{Set: "Fleet@1"}, roomOf(100_000))
	if err != nil || len(whole.Pages) != 62 || len(whole.Folders) != 0 || whole.NextCursor != "" {
		t.Errorf("%d pages, folders %v, cursor %q, %v", len(whole.Pages), whole.Folders, whole.NextCursor, err)
	}
	for _, folder := range []string{"ships", "/ships/", "ships/"} {
		below, err := listForAgent(t.Context(), svc, ListRequest{Set: "Fleet", Folder: folder}, roomOf(1000))
		if want := []digestFolder{{"ships/brig", 40}, {"ships/cutter", 20}}; err != nil || below.Total != 60 || !slices.Equal(below.Folders, want) {
			t.Errorf("%s: %d pages, folders %v, %v", folder, below.Total, below.Folders, err)
		}
		if text := below.ToolText(); !strings.Contains(text, " of 60 pages of Fleet@1\nfolder ships/brig: 40 pages\n") ||
			!strings.Contains(text, "\nships/brig/no-00.md (Ship no. 0)\n") || !strings.HasSuffix(text, "more with the cursor "+below.NextCursor) {
			t.Errorf("it says %s", text)
		}
	}
}

func TestErrorsOfListing(t *testing.T) {
	t.Parallel()
	svc := fleet(t)
	for _, tt := range []struct {
		req   ListRequest
		bytes int
		says  string
	}{
		{ListRequest{Set: "Fleet", Folder: "shps/brig"}, 1000, `Fleet@1 has no folder "shps/brig"; did you mean ships/brig?`},
		{ListRequest{Set: "Fleet", Folder: "harbours"}, 1000, `Fleet@1 has no folder "harbours"`},
		{ListRequest{Set: "Fleet", Folder: "ships.md"}, 1000, `Fleet@1 has no folder "ships.md"`},
		{ListRequest{Set: "Fleet", Cursor: "x"}, 1000, "begin without one"},
		{ListRequest{Set: "Fleet", Cursor: listCursor{"Other@1", "a.md"}.String()}, 1000, "the cursor is of a list of Other@1"},
		{ListRequest{Set: "Fleet"}, 60, "not even one page fits"},
	} {
		_, err := listForAgent(t.Context(), svc, tt.req, roomOf(tt.bytes))
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%+v: %v, want %q", tt.req, err, tt.says)
		}
	}
	_, err := svc.PagesIn(t.Context(), "Fleet", "harbours")
	if r := contract.RemedyOf(err); r == nil || !slices.Equal(r.Command, []string{"read", "Fleet@1", "--toc"}) {
		t.Errorf("the remedy is %+v", r)
	}
}
