package pages

import (
	"context"
	"slices"

	"docent/pipeline/corpus"
	"docent/pipeline/knowledge/graph"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/versioning"
	"docent/store"
	"docent/store/doc"
)

// PageText is the text of a page or section in its file. Its fields are in the order of
// their JSON names.
type PageText struct {
	Changed bool   `json:"changed"` // since it was indexed
	Content string `json:"content"`
	DocSet  string `json:"doc_set"`
	// Version is the page as a version of a document.
	Version  versioning.DocVersion `json:"doc_version"`
	FilePath string                `json:"file_path"`
	Lines    [2]int                `json:"lines"`
	// Metadata are what the page says of itself, of formats in which pages do.
	Metadata doc.Metadata `json:"metadata,omitzero"`
	Title    string       `json:"page_title"`
	SHA256   string       `json:"sha256"` // of the whole file
	URL      string       `json:"url"`
}

// Contents is a page's table of contents.
type Contents struct {
	DocSet   string          `json:"doc_set"`
	FilePath string          `json:"file_path"`
	Title    string          `json:"page_title"`
	Headings []ContentsEntry `json:"toc"`
	Changed  bool            `json:"-"` // since it was indexed
}

// ContentsEntry is one heading.
type ContentsEntry struct {
	Level  int      `json:"level"`
	Text   string   `json:"text"`
	Anchor string   `json:"anchor"`
	Lines  [2]int   `json:"lines"`
	Path   []string `json:"path"`
	// Summary is one line on the section's own text.
	Summary string `json:"summary"`
}

// PageList is the pages of a doc set.
type PageList struct {
	DocSet string       `json:"doc_set"`
	Pages  []ListedPage `json:"pages"`
}

// ListedPage is one of them.
type ListedPage struct {
	Path  string `json:"file_path"`
	Title string `json:"page_title"`
	Lines int    `json:"lines"`
	URL   string `json:"-"`
}

// Read gives a page, or a section of it.
func (svc *Service) Read(ctx context.Context, req locate.ReadRequest) (PageText, error) {
	p, err := svc.locate.Page(ctx, req)
	if err != nil {
		return PageText{}, err
	}
	body, lines := p.Doc.Text, [2]int{1, p.Doc.Lines}
	if req.Section != "" {
		sec, err := locate.FindSection(p, req.Section)
		if err != nil {
			return PageText{}, err
		}
		body, lines = p.Doc.Text[sec.Tree.Start:sec.Tree.End], [2]int{sec.Tree.StartLine, sec.Tree.EndLine}
	}
	version, err := svc.versioning.DocVersion(ctx, p)
	if err != nil {
		return PageText{}, err
	}
	return PageText{Changed: p.Changed, Content: string(body), Version: version, DocSet: p.Set.Ref.String(), FilePath: p.Path, Lines: lines,
		Metadata: p.Doc.Metadata, Title: p.Doc.Title, SHA256: p.SHA256, URL: p.Doc.URL}, nil
}

// PageHash is the SHA-256 of a page's file as it is now; "" where the page, its file or
// its doc set (Name@version) is gone.
func (svc *Service) PageHash(ctx context.Context, docSet, path string) (string, error) {
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(sets, func(s store.Set) bool { return s.Ref.String() == docSet })
	if i < 0 {
		return "", nil
	}
	return svc.home.Corpus.FileHash(ctx, sets[i], path)
}

// Contents gives a page's headings. The error is a *SetAloneError where the
// request names a doc set.
func (svc *Service) Contents(ctx context.Context, req locate.ReadRequest) (Contents, error) {
	p, err := svc.locate.Page(ctx, req)
	if err != nil {
		return Contents{}, err
	}
	out := Contents{DocSet: p.Set.Ref.String(), FilePath: p.Path, Title: p.Doc.Title, Headings: []ContentsEntry{}, Changed: p.Changed}
	summary := svc.summaries(ctx, p)
	for i, s := range p.Doc.Sections {
		if s.Level > 0 {
			out.Headings = append(out.Headings, ContentsEntry{s.Level, s.Text, s.Anchor, [2]int{s.Tree.StartLine, s.Tree.EndLine}, s.Path,
				summary(i)})
		}
	}
	return out, nil
}

// Pages lists the pages of a doc set.
func (svc *Service) Pages(ctx context.Context, docSet string) (PageList, error) {
	sets, err := svc.home.Corpus.Resolve(ctx, []string{docSet})
	if err != nil {
		return PageList{}, err
	}
	docs, err := svc.home.Corpus.Catalog.Documents(ctx, sets[0].ID)
	if err != nil {
		return PageList{}, err
	}
	out := PageList{DocSet: sets[0].Ref.String(), Pages: []ListedPage{}}
	for _, d := range docs {
		out.Pages = append(out.Pages, ListedPage{Path: d.Path, Title: d.Title, Lines: d.Lines, URL: d.URL})
	}
	return out, nil
}

// Links lists the pages of a doc set as the targets of links.
func (svc *Service) Links(ctx context.Context, docSet string) (*graph.List, error) {
	list, err := svc.Pages(ctx, docSet)
	if err != nil {
		return nil, err
	}
	refs := make([]graph.Ref, len(list.Pages))
	for i, p := range list.Pages {
		refs[i] = graph.Ref{Path: p.Path, Title: p.Title, URL: p.URL}
	}
	return graph.NewList(refs), nil
}

// ReadShown gives a page as it is shown to people, by its path.
func (svc *Service) ReadShown(ctx context.Context, docSet, path string) (*corpus.Page, error) {
	sets, err := svc.home.Corpus.Resolve(ctx, []string{docSet})
	if err != nil {
		return nil, err
	}
	return svc.home.Corpus.ReadShown(ctx, sets[0], path)
}
