package pages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/phase/process"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/operation"
)

// ContentsRequest asks for a page's headings.
type ContentsRequest struct {
	Set  string `json:"doc_set" path:"set" doc:"Name@version, or Name for the newest version"`
	Page string `json:"page" path:"page" doc:"its path in the doc set, or its title"`
}

// PageRequest asks for a page, or a section of it.
type PageRequest struct {
	ContentsRequest
	Section string `json:"section,omitempty" query:"section" doc:"only the section under this heading, or #anchor"`
}

// ReadRequest asks for a part of a page, as an agent names it.
type ReadRequest struct {
	DocSet  string `json:"doc_set,omitempty" tool:"doc_set" doc:"Name or Name@version"`
	Page    string `json:"page,omitempty" tool:"page" doc:"the page's file_path or title; not needed with a handle"`
	Section string `json:"section,omitempty" tool:"section" doc:"only the section under this heading, or #anchor"`
	Lines   string `json:"lines,omitempty" tool:"lines" doc:"only these lines, such as 40-90"`
	Handle  string `json:"handle,omitempty" tool:"handle" doc:"a section by its handle, in place of doc_set, page and section"`
}

// NamedRequest asks for a page, a section of it or its headings, as a person names it; of a
// doc set or a folder of it the pages.
type NamedRequest struct {
	Names    []string `json:"names" arg:"SET/PAGE" doc:"a page by its path or title"`
	Sets     []string `json:"doc_sets,omitempty" flag:"set" doc:"narrows to these doc sets"`
	Section  *string  `json:"section,omitempty" flag:"section" doc:"only the section under this heading, or #anchor"`
	Contents bool     `json:"toc,omitempty" flag:"toc" doc:"the page's headings; of a doc set or a folder of it, its pages"`
}

// PartAnswer is a part of a page with what it leads to.
type PartAnswer struct {
	Part
	References []Reference `json:"references,omitempty"`
}

// Operations are what the service offers at the doors.
func Operations() []operation.Operation[*Service] {
	return []operation.Operation[*Service]{
		listOperation(),
		operation.New("page", "a page, or a section of it, as it stands in the file now",
			func(ctx context.Context, svc *Service, req PageRequest) (PageText, error) {
				at, err := svc.locate.Named(ctx, req.Set, req.Page)
				if err != nil {
					return PageText{}, err
				}
				at.Section = req.Section
				return svc.Read(ctx, at)
			}).
			OverHTTP(operation.Route{Method: http.MethodGet, Path: "/api/docsets/{set}/pages/{page}", ID: "page",
				About: "a page, by its path or its title, as it stands in the file now",
				Text:  func(answer any) string { return answer.(PageText).Content }}),
		operation.New("contents", "a page's headings",
			func(ctx context.Context, svc *Service, req ContentsRequest) (Contents, error) {
				at, err := svc.locate.Named(ctx, req.Set, req.Page)
				if err != nil {
					return Contents{}, err
				}
				return svc.Contents(ctx, at)
			}).
			OverHTTP(operation.Route{Method: http.MethodGet, Path: "/api/docsets/{set}/toc/{page}", ID: "contents",
				About:  "a page's headings",
				Prints: "read --toc --json"}),
		operation.New("read", "a page, a section of it, or its table of contents",
			func(ctx context.Context, svc *Service, req NamedRequest) (any, error) {
				return svc.answerNamed(ctx, req)
			}).
			OnCommandLine(),
		operation.New("part", "a page, a section of it, or lines, with what they lead to",
			func(ctx context.Context, svc *Service, req ReadRequest) (PartAnswer, error) {
				at, err := svc.partRequest(ctx, req)
				if err != nil {
					return PartAnswer{}, err
				}
				part, err := svc.ReadPart(ctx, at)
				if err != nil {
					return PartAnswer{}, err
				}
				return PartAnswer{part, svc.Around(ctx, part)}, nil
			}).
			ForAgents(operation.Shortened("read_doc", "Read a page of the documentation",
				"Reads a page of the documentation, a section of it, or lines, as it stands in the file now; shortcodes, macros and "+
					"tables in HTML are given as what they say. The answer is JSON with "+
					"the text in content. What does not fit into max_tokens is left out at the end; next_lines says which lines, to be "+
					"read with lines. references are the places that the text requires, refers to or is replaced by, with handles to "+
					"read them.", readForAgent)),
	}
}

// answerNamed gives the PageText of a page or section, its Contents, or the PageList of a doc
// set or of a folder of it.
func (svc *Service) answerNamed(ctx context.Context, req NamedRequest) (any, error) {
	at := locate.ReadRequest{Page: strings.Join(req.Names, " "), Sets: req.Sets}
	if req.Section != nil {
		at.Section = *req.Section
	} else if page, section := svc.locate.PageAndSection(ctx, at.Page, at.Sets); section != "" {
		at.Page, at.Section = page, section
	}
	if !req.Contents {
		return svc.Read(ctx, at)
	}
	// A doc set's own name means its pages, also where a page of it or of another one is called so.
	if at.Section == "" && len(at.Sets) == 0 && !strings.Contains(at.Page, "/") {
		if list, err := svc.Pages(ctx, at.Page); err == nil {
			return list, nil
		}
	}
	if list, ok := svc.folderNamed(ctx, at); ok && strings.HasSuffix(at.Page, "/") {
		return list, nil
	}
	page, err := svc.Contents(ctx, at)
	if errors.Is(err, contract.ErrNotThere) {
		if list, ok := svc.folderNamed(ctx, at); ok {
			return list, nil
		}
	}
	if alone, ok := errors.AsType[*locate.SetAloneError](err); ok {
		return svc.Pages(ctx, alone.Set.String())
	}
	return page, err
}

// partRequest is the place that an agent named.
func (svc *Service) partRequest(ctx context.Context, req ReadRequest) (PartRequest, error) {
	out := PartRequest{ReadRequest: locate.ReadRequest{Page: req.Page, Section: req.Section}, Handle: req.Handle}
	if req.Handle == "" && strings.TrimSpace(req.Page) == "" {
		return out, contract.Invalid("page", "name a page, or a section by its handle; search_docs finds pages")
	}
	var err error
	if req.DocSet != "" {
		out.Sets, err = svc.home.Canonical(ctx, []string{req.DocSet})
	}
	if err == nil && req.Lines != "" {
		out.Lines, err = readLines(req.Lines)
	}
	return out, err
}

// referenceShare is the share of a budget, one in so many, that references may take.
const referenceShare = 8

// fitReferences are the first references, as many as fit into a budget.
func fitReferences(all []Reference, most int) []Reference {
	for i, r := range all {
		raw, err := json.Marshal(r)
		if most -= process.Tokens(string(raw)); err != nil || most < 0 {
			return all[:i]
		}
	}
	return all
}

// readForAgent gives the JSON of a part of a page.
func readForAgent(ctx context.Context, svc *Service, req ReadRequest, room operation.Room) (string, error) {
	at, err := svc.partRequest(ctx, req)
	if err != nil {
		return "", err
	}
	at.Legible = true
	// The JSON around a text, and what it escapes, count too.
	for at.MaxTokens = room.Most; ; at.MaxTokens = at.MaxTokens * 7 / 8 {
		part, err := svc.ReadPart(ctx, at)
		if err != nil {
			return "", err
		}
		out := PartAnswer{Part: part, References: fitReferences(svc.Around(ctx, part), room.Most/referenceShare)}
		raw, err := plainJSON(out)
		if err != nil || process.Tokens(raw) <= room.Most {
			return raw, err
		}
		if at.MaxTokens < 8 {
			return "", contract.Invalid("max_tokens", "not even a line of %s fits into %d tokens; give more", out.Title, room.Most)
		}
	}
}

// plainJSON is the JSON of an answer that no browser reads as a page: < and & stay as they are,
// which as escapes take three tokens each.
func plainJSON(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// readLines reads "40-90" or "40".
func readLines(text string) ([2]int, error) {
	var first, last int
	if n, err := fmt.Sscanf(strings.NewReplacer("–", "-", " ", "").Replace(text)+"$", "%d-%d$", &first, &last); err == nil && n == 2 {
		return [2]int{first, last}, nil
	}
	if n, err := fmt.Sscanf(text+"$", "%d$", &first); err == nil && n == 1 {
		return [2]int{first, first}, nil
	}
	return [2]int{}, contract.Invalid("lines", "lines is %q, it must be such as 40-90", text)
}
