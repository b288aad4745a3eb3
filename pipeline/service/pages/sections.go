package pages

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/ingest/parse/markdown/legible"
	"docent/pipeline/phase/process"
	"docent/pipeline/service/locate"
	"docent/store"
	"docent/store/doc"
)

// SectionInfo is a section as programs list it: specification 5's fields of a
// resource.
type SectionInfo struct {
	DocSet      string
	FilePath    string
	PageTitle   string
	Title       string // of the section; the page's for the page
	SectionPath string // by doc.SectionPaths; "" is the page
	Handle      string // its span_id
	Summary     string // one line
	Tokens      int    // estimated
	Lines       [2]int
}

// ResourcesRequest asks for a part of the list of pages.
type ResourcesRequest struct {
	Cursor string // Next of an earlier answer; "": from the beginning
	Limit  int    // pages at most
	Most   int    // pages that the whole list has at most, of all doc sets together
}

// ResourcesAnswer is a part of the list.
type ResourcesAnswer struct {
	Pages []SectionInfo
	Next  string // "" at the end
}

// listCursor is the page after which the list goes on. Names stand for themselves, so that it
// holds while doc sets change.
type listCursor struct {
	Set  string `json:"s"`
	Path string `json:"p"`
}

func (c listCursor) String() string {
	raw, err := json.Marshal(c)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

func readListCursor(text string) (c listCursor, err error) {
	if text == "" {
		return c, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	if err != nil || c.Set == "" || c.Path == "" {
		return c, contract.Invalid("cursor", "the cursor is not one of this list; begin without one")
	}
	return c, nil
}

// resourcePage is a page of the list before it is read.
type resourcePage struct {
	set  store.Set
	path string
}

// Resources lists pages of all doc sets: doc sets by name, pages by their depth and path. Of large
// doc sets it has those next to the root, so that every doc set has its share. Pages whose
// files are gone are left out.
func (svc *Service) Resources(ctx context.Context, req ResourcesRequest) (ResourcesAnswer, error) {
	at, err := readListCursor(req.Cursor)
	if err != nil {
		return ResourcesAnswer{}, err
	}
	all, err := svc.resourcePages(ctx, req.Most)
	if err != nil {
		return ResourcesAnswer{}, err
	}
	from := 0
	if at.Set != "" {
		from = slices.IndexFunc(all, func(p resourcePage) bool {
			return p.set.Ref.String() > at.Set || p.set.Ref.String() == at.Set && compareDepth(p.path, at.Path) > 0
		})
		if from < 0 {
			from = len(all)
		}
	}
	out := ResourcesAnswer{Pages: []SectionInfo{}}
	for i, listed := range all[from:] {
		p, err := svc.home.Corpus.Page(ctx, listed.set, listed.path)
		if errors.Is(err, corpus.ErrPageGone) || errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return ResourcesAnswer{}, err
		}
		out.Pages = append(out.Pages, pageInfo(p, svc.summaries(ctx, p)))
		if len(out.Pages) == req.Limit && from+i+1 < len(all) {
			out.Next = listCursor{Set: listed.set.Ref.String(), Path: listed.path}.String()
			break
		}
	}
	return out, nil
}

// resourcePages are the pages of the list: of each doc set an equal share, and what others leave
// of theirs.
func (svc *Service) resourcePages(ctx context.Context, most int) ([]resourcePage, error) {
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(sets, func(a, b store.Set) int { return strings.Compare(a.Ref.String(), b.Ref.String()) })
	paths := make([][]string, len(sets))
	sizes := make([]int, len(sets))
	for i, set := range sets {
		docs, err := svc.home.Corpus.Catalog.Documents(ctx, set.ID)
		if err != nil {
			return nil, err
		}
		for _, d := range docs {
			paths[i] = append(paths[i], d.Path)
		}
		slices.SortFunc(paths[i], compareDepth)
		sizes[i] = len(docs)
	}
	var out []resourcePage
	for i, n := range fairShares(sizes, most) {
		for _, path := range paths[i][:n] {
			out = append(out, resourcePage{sets[i], path})
		}
	}
	return out, nil
}

// fairShares divides most places among groups of these sizes: the smallest first, so that
// what one leaves goes to the larger ones.
func fairShares(sizes []int, most int) []int {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[a], sizes[b]) })
	out := make([]int, len(sizes))
	for i, group := range order {
		out[group] = min(sizes[group], most/(len(order)-i))
		most -= out[group]
	}
	return out
}

// compareDepth orders paths by their depth, then by name.
func compareDepth(a, b string) int {
	return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), strings.Compare(a, b))
}

// pageInfo is a page as it is listed.
func pageInfo(p *corpus.Page, summary func(section int) string) SectionInfo {
	name := p.Set.Ref.String()
	return SectionInfo{DocSet: name, FilePath: p.Path, PageTitle: p.Doc.Title, Title: p.Doc.Title, Summary: summary(wholePage),
		Tokens: process.Tokens(strings.ToValidUTF8(string(p.Doc.Text), "\uFFFD")), Lines: [2]int{1, p.Doc.Lines},
		Handle: doc.SectionID(name+"/"+p.Path, "")}
}

// handlesOf are the handles of a page's sections: the span_id of the first chunk of each,
// or one of its own for a section without a chunk.
func handlesOf(document string, sections []doc.Section, chunks []doc.Chunk) []string {
	out := make([]string, len(sections))
	for i, id := range doc.SpanIDs(document, sections, chunks) {
		if s := chunks[i].Section; out[s] == "" {
			out[s] = id
		}
	}
	for i, path := range doc.SectionPaths(sections) {
		if out[i] == "" {
			out[i] = doc.SectionID(document, path)
		}
	}
	return out
}

// PartRequest names a part of a page: a section by its heading, its path or its handle,
// or lines; nothing of these is the whole page.
type PartRequest struct {
	locate.ReadRequest
	SectionPath string
	Handle      string // then Page need not be given
	Lines       [2]int // {0, 0}: not given
	MaxTokens   int    // whole lines are left out at the end until it fits; 0: no budget
	Legible     bool   // shortcodes, macros and tables in HTML are given as what they say
}

// Part is a part of a page.
type Part struct {
	DocSet      string  `json:"doc_set"`
	FilePath    string  `json:"file_path"`
	Title       string  `json:"page_title"`
	SectionPath string  `json:"section_path,omitempty"`
	Handle      string  `json:"handle"`
	Lines       [2]int  `json:"lines"`       // that Content has
	TotalLines  int     `json:"total_lines"` // of the page
	Content     string  `json:"content"`
	Tokens      int     `json:"token_estimate"` // of Content
	Summary     string  `json:"summary"`        // one line on the section, or on the page
	Truncated   bool    `json:"truncated"`
	NextLines   *[2]int `json:"next_lines,omitempty"` // that were left out
	URL         string  `json:"url,omitempty"`
	Changed     bool    `json:"changed"` // since it was indexed
}

// ReadPart gives a part of a page within a budget.
func (svc *Service) ReadPart(ctx context.Context, req PartRequest) (Part, error) {
	if req.Handle != "" {
		found, err := svc.byHandle(ctx, req.Handle)
		if err != nil {
			return Part{}, err
		}
		req.Page, req.Sets, req.SectionPath = found.FilePath, []string{found.DocSet}, found.SectionPath
	}
	p, err := svc.locate.Page(ctx, req.ReadRequest)
	if err != nil {
		return Part{}, err
	}
	out := Part{DocSet: p.Set.Ref.String(), FilePath: p.Path, Title: p.Doc.Title, TotalLines: p.Doc.Lines, Lines: [2]int{1, p.Doc.Lines},
		URL: p.Doc.URL, Changed: p.Changed}
	if err := out.narrow(p, req); err != nil {
		return Part{}, err
	}
	out.Handle = out.handle(p)
	section := wholePage
	if out.SectionPath != "" {
		section = slices.Index(doc.SectionPaths(p.Doc.Sections), out.SectionPath)
	}
	out.Summary = svc.summaries(ctx, p)(section)
	out.fitBudget(strings.ToValidUTF8(string(p.Doc.Text), "\uFFFD"), req.MaxTokens)
	if req.Legible && !p.Doc.Plain {
		if text := legible.Markdown(out.Content); process.Tokens(text) <= out.Tokens { // within the budget
			out.Content, out.Tokens = text, process.Tokens(text)
		}
	}
	return out, nil
}

// narrow sets the lines and the section that a request asks for.
func (out *Part) narrow(p *corpus.Page, req PartRequest) error {
	paths := doc.SectionPaths(p.Doc.Sections)
	switch {
	case req.SectionPath != "":
		i := slices.Index(paths, req.SectionPath)
		if i < 0 {
			return contract.Invalid("section_path", "%s has no section %q; it may have changed: read the page without a section",
				p.Doc.Title, req.SectionPath)
		}
		s := p.Doc.Sections[i]
		out.SectionPath, out.Lines = paths[i], [2]int{s.Tree.StartLine, s.Tree.EndLine}
	case req.Section != "":
		s, err := locate.FindSection(p, req.Section)
		if err != nil {
			return err
		}
		out.SectionPath, out.Lines = paths[s.Index], [2]int{s.Tree.StartLine, s.Tree.EndLine}
	}
	if req.Lines != [2]int{} {
		first, last := req.Lines[0], req.Lines[1]
		if last < first {
			return contract.Invalid("lines", "the lines are %d–%d: the first one is behind the last; give the smaller number first", first,
				last)
		}
		if first < 1 || first > max(1, p.Doc.Lines) {
			return contract.Invalid("lines", "the lines are %d–%d, and the page has lines 1–%d", first, last, p.Doc.Lines)
		}
		out.Lines = [2]int{first, min(last, p.Doc.Lines)}
	}
	return nil
}

// fitBudget takes as many of the lines as the budget allows. A line that is too long by
// itself is cut.
func (out *Part) fitBudget(text string, budget int) {
	lines := strings.SplitAfter(text, "\n")
	first, last := out.Lines[0], min(out.Lines[1], len(lines))
	var b strings.Builder
	kept, took := first-1, 0
	for _, line := range lines[min(first-1, last):last] {
		// Each line is rounded up by itself, so all of them are no more than this.
		if took += process.Tokens(line); budget > 0 && took > budget {
			break
		}
		b.WriteString(line)
		kept++
	}
	if kept < first && last >= first { // not even one line
		line := lines[first-1]
		for budget > 0 && process.Tokens(line) > budget {
			line = strings.ToValidUTF8(line[:len(line)*3/4], "")
		}
		b.WriteString(line)
		kept, out.Truncated = first, true
	}
	out.Content, out.Lines[1], out.Tokens = b.String(), max(kept, first), process.Tokens(b.String())
	if kept < last {
		out.Truncated, out.NextLines = true, &[2]int{kept + 1, last}
	}
}

// handle is that of the part: its section's, or the page's.
func (out *Part) handle(p *corpus.Page) string {
	document := out.DocSet + "/" + out.FilePath
	if i := slices.Index(doc.SectionPaths(p.Doc.Sections), out.SectionPath); i >= 0 && out.SectionPath != "" {
		return handlesOf(document, p.Doc.Sections, p.Chunks)[i]
	}
	return doc.SectionID(document, "")
}

// byHandle finds a section by its handle, or by the span_id of any of its chunks.
func (svc *Service) byHandle(ctx context.Context, handle string) (SectionInfo, error) {
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return SectionInfo{}, err
	}
	for _, set := range sets {
		docs, err := svc.home.Corpus.Catalog.Documents(ctx, set.ID)
		if err != nil {
			return SectionInfo{}, err
		}
		for part := range slices.Chunk(docs, locate.TitlesAtOnce) {
			ids := make([]int64, len(part))
			for i, d := range part {
				ids[i] = d.ID
			}
			full, err := svc.home.Corpus.Catalog.ByID(ctx, ids)
			if err != nil {
				return SectionInfo{}, err
			}
			for _, d := range part {
				if path, ok := sectionOf(set.Ref.String()+"/"+d.Path, full[d.ID], handle); ok {
					return SectionInfo{DocSet: set.Ref.String(), FilePath: d.Path, SectionPath: path, Handle: handle}, nil
				}
			}
		}
	}
	return SectionInfo{}, contract.Invalid("handle",
		"there is no section %q; its page or its heading may have another name by now: look for it with search_docs", handle)
}

// sectionOf is the path of the section of a document that has a handle; d may be nil.
func sectionOf(document string, d *store.Document, handle string) (path string, ok bool) {
	if doc.SectionID(document, "") == handle {
		return "", true
	}
	if d == nil {
		return "", false
	}
	sections, chunks := d.Outline.Sections, d.Outline.Chunks
	paths := doc.SectionPaths(sections)
	if i := slices.Index(doc.SpanIDs(document, sections, chunks), handle); i >= 0 {
		return paths[chunks[i].Section], true
	}
	if i := slices.Index(handlesOf(document, sections, chunks), handle); i >= 0 {
		return paths[i], true
	}
	return "", false
}
