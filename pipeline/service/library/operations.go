package library

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/service/operation"
)

// SetsRequest asks for doc sets; without names for all.
type SetsRequest struct {
	Words  []string `json:"names,omitempty" arg:"NAME" doc:"only these doc sets, Name@version, or Name for all its versions"`
	Names  []string `json:"doc_sets,omitempty" flag:"set" doc:"narrows to these doc sets, Name or Name@version"`
	Cursor string   `json:"cursor,omitempty" tool:"cursor" doc:"next_cursor of an earlier answer"`
}

// SetRequest asks for one doc set.
type SetRequest struct {
	Set string `json:"doc_set" path:"set" doc:"Name@version, or Name for the newest version"`
}

// Operations are what the service offers at the doors.
func Operations() []operation.Operation[*Service] {
	return []operation.Operation[*Service]{
		operation.New("sets", "the doc sets, with pages, sections, size, freshness",
			func(ctx context.Context, svc *Service, req SetsRequest) (SetsAnswer, error) {
				return svc.setsNamed(ctx, req)
			}).
			OnCommandLine().
			OverHTTP(operation.Route{Method: http.MethodGet, Path: "/api/docsets", ID: "docSets",
				About: "the doc sets with their sizes and freshness", Prints: "sets --json"}).
			ForAgents(operation.Shortened("list_doc_sets", "List the documentation",
				"Lists the documentation that can be asked: doc sets with versions, numbers of pages, and whether the index is fresh.",
				setsForAgent)),
		operation.New("set", "one doc set, with pages, sections, size, freshness",
			func(ctx context.Context, svc *Service, req SetRequest) (SetsAnswer, error) {
				return svc.Sets(ctx, []string{req.Set})
			}).
			OverHTTP(operation.Route{Method: http.MethodGet, Path: "/api/docsets/{set}", ID: "docSet", About: "one doc set"}),
	}
}

// setsDigest lists doc sets for an agent.
type setsDigest struct {
	DocSets    []digestSet `json:"doc_sets"`
	NextCursor string      `json:"next_cursor,omitempty"`
	all        int         // how many there are
}

type digestSet struct {
	Set       string `json:"doc_set" jsonschema:"Name@version"`
	Domain    string `json:"domain"`
	Pages     int    `json:"pages"`
	Sections  int    `json:"sections"`
	Freshness string `json:"freshness" jsonschema:"fresh, stale (files changed since it was indexed) or missing (the folder is not there)"`
}

// ToolText lists the doc sets, one a line.
func (d setsDigest) ToolText() string {
	var b strings.Builder
	if len(d.DocSets) < d.all {
		fmt.Fprintf(&b, "%d of ", len(d.DocSets))
	}
	b.WriteString(operation.CountOf(max(d.all, len(d.DocSets)), "doc set", "doc sets"))
	for _, s := range d.DocSets {
		fmt.Fprintf(&b, "\n%s: %s, %s, %s", operation.OneLine(s.Set), operation.CountOf(s.Pages, "page", "pages"), s.Domain, s.Freshness)
	}
	if d.NextCursor != "" {
		b.WriteString("\nmore with the cursor " + d.NextCursor)
	}
	return b.String()
}

func setsForAgent(ctx context.Context, svc *Service, req SetsRequest, room operation.Room) (setsDigest, error) {
	list, err := svc.Sets(ctx, nil)
	if err != nil {
		return setsDigest{}, err
	}
	from := 0
	if req.Cursor != "" {
		if from, err = strconv.Atoi(req.Cursor); err != nil || from < 0 || from > len(list.Sets) {
			return setsDigest{}, contract.Invalid("cursor", "the cursor is not one of this list; begin without one")
		}
	}
	all := make([]digestSet, 0, len(list.Sets)-from)
	for _, i := range list.Sets[from:] {
		all = append(all, digestSet{Set: i.Set, Domain: i.Domain, Pages: i.Pages, Sections: i.Sections, Freshness: i.Fresh})
	}
	part := func(n int) setsDigest {
		out := setsDigest{DocSets: all[:n], all: len(list.Sets)}
		if n < len(all) {
			out.NextCursor = strconv.Itoa(from + n)
		}
		return out
	}
	n := operation.Longest(len(all), func(n int) bool { return room.Fits(part(n)) })
	if n == 0 && len(all) > 0 { // a cursor to the same place would go on for ever
		return setsDigest{}, contract.Invalid("max_tokens", "not even one doc set fits into %d tokens; give more", room.Most)
	}
	return part(n), nil
}
