package pages

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
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

// SectionsRequest asks for a part of the list of all sections.
type SectionsRequest struct {
	Cursor string // Next of an earlier answer; "": from the beginning
	Limit  int    // sections at most
}

// SectionsAnswer is a part of the list.
type SectionsAnswer struct {
	Sections []SectionInfo
	Next     string // "" at the end
}

// sectionCursor is the place after which the list goes on. Names stand for themselves,
// so that it holds while doc sets change.
type sectionCursor struct {
	Set  string `json:"s"`
	Path string `json:"p"`
	Next int    `json:"n"` // of the sections of the page
}

func (c sectionCursor) String() string {
	raw, err := json.Marshal(c)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

func readSectionCursor(text string) (c sectionCursor, err error) {
	if text == "" {
		return c, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	if err != nil || c.Next < 0 {
		return c, contract.Invalid("cursor", "the cursor is not one of this list; begin without one")
	}
	return c, nil
}

// Sections lists the pages of all doc sets and their sections: doc sets by name, pages
// by path, a page first and then its sections. Pages whose files are gone are left out.
func (svc *Service) Sections(ctx context.Context, req SectionsRequest) (SectionsAnswer, error) {
	at, err := readSectionCursor(req.Cursor)
	if err != nil {
		return SectionsAnswer{}, err
	}
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return SectionsAnswer{}, err
	}
	slices.SortFunc(sets, func(a, b store.Set) int { return strings.Compare(a.Ref.String(), b.Ref.String()) })
	out := SectionsAnswer{Sections: []SectionInfo{}}
	for _, set := range sets {
		name := set.Ref.String()
		if name < at.Set {
			continue
		}
		docs, err := svc.home.Corpus.Catalog.Documents(ctx, set.ID)
		if err != nil {
			return SectionsAnswer{}, err
		}
		slices.SortFunc(docs, func(a, b store.Document) int { return strings.Compare(a.Path, b.Path) })
		for _, d := range docs {
			if name == at.Set && d.Path < at.Path {
				continue
			}
			p, err := svc.home.Corpus.Page(ctx, set, d.Path)
			if errors.Is(err, corpus.ErrPageGone) || errors.Is(err, store.ErrNotFound) {
				continue
			}
			if err != nil {
				return SectionsAnswer{}, err
			}
			infos := pageSections(p, svc.summaries(ctx, p))
			if name == at.Set && d.Path == at.Path {
				infos = infos[min(at.Next, len(infos)):]
			} else {
				at.Next = 0
			}
			room := req.Limit - len(out.Sections)
			if len(infos) > room {
				out.Sections = append(out.Sections, infos[:room]...)
				next := at.Next + room
				out.Next = sectionCursor{Set: name, Path: d.Path, Next: next}.String()
				return out, nil
			}
			out.Sections = append(out.Sections, infos...)
		}
	}
	return out, nil
}

// pageSections are a page and its sections.
func pageSections(p *corpus.Page, summary func(section int) string) []SectionInfo {
	text := p.Doc.Text
	info := func(section int, title, path string, from, to int, lines [2]int) SectionInfo {
		body := strings.ToValidUTF8(string(text[from:to]), "\uFFFD")
		return SectionInfo{DocSet: p.Set.Ref.String(), FilePath: p.Path, PageTitle: p.Doc.Title, Title: title, SectionPath: path,
			Summary: summary(section), Tokens: process.Tokens(body), Lines: lines}
	}
	handles := handlesOf(p.Set.Ref.String()+"/"+p.Path, p.Doc.Sections, p.Chunks)
	out := []SectionInfo{info(wholePage, p.Doc.Title, "", 0, len(text), [2]int{1, p.Doc.Lines})}
	out[0].Handle = doc.SectionID(p.Set.Ref.String()+"/"+p.Path, "")
	paths := doc.SectionPaths(p.Doc.Sections)
	for i, s := range p.Doc.Sections {
		if s.Level == 0 || s.Text == "" || s.Tree.End > len(text) || s.Tree.Start > s.Tree.End {
			continue
		}
		out = append(out, info(i, s.Text, paths[i], s.Tree.Start, s.Tree.End, [2]int{s.Tree.StartLine, s.Tree.EndLine}))
		out[len(out)-1].Handle = handles[i]
	}
	return out
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
		if first < 1 || last < first || first > max(1, p.Doc.Lines) {
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
