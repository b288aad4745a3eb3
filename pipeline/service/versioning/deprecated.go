package versioning

import (
	"bytes"
	"context"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/knowledge/deprecation"
	"docent/pipeline/knowledge/references"
)

// mostReplaced is how many deprecated hits of an answer are looked up in the graph.
const mostReplaced = 10

// MarkReplaced adds to hits that are deprecated what takes their place, where the reference
// graph knows it. It is an addition: a graph that cannot be read is reported.
func (svc *Service) MarkReplaced(ctx context.Context, results []contract.Result) {
	n := 0
	for _, r := range results {
		for _, head := range r.Headings {
			d := head.Deprecated
			if d == nil || d.ReplacedBy != "" {
				continue
			}
			if n++; n > mostReplaced {
				return
			}
			by, err := svc.replacement(ctx, r, head)
			if err != nil {
				if ctx.Err() == nil {
					svc.home.Say("%v; what takes the place of what is deprecated is not shown", err)
				}
				return
			}
			d.ReplacedBy = by
		}
	}
}

// replacement is what takes the place of a hit's section, or of its page.
func (svc *Service) replacement(ctx context.Context, r contract.Result, head contract.Heading) (by string, err error) {
	sets, err := svc.home.Corpus.Resolve(ctx, []string{r.DocSet})
	if err != nil {
		return "", err
	}
	section := references.Whole
	if head.Deprecated.Scope == contract.DeprecatedSection {
		d, err := svc.home.Corpus.Catalog.ByPath(ctx, sets[0].ID, r.FilePath)
		if err != nil {
			return "", err
		}
		for i, s := range d.Outline.Sections {
			if s.Span.StartLine <= head.Deprecated.Line && head.Deprecated.Line <= s.Span.EndLine {
				section = i
			}
		}
	}
	err = svc.graph.WithGraph(ctx, sets[0], func(g *references.Graph) error {
		v, ok, err := g.View(r.FilePath, section, svc.home.ReferenceSettings().Threshold)
		if err != nil || !ok {
			return err
		}
		for _, e := range v.To {
			// Of a whole page all that is replaced in it is listed.
			if e.Type == references.Supersedes && e.Other != nil && (section != references.Whole || e.In != nil && e.In.SectionPath == "") {
				if by = e.Other.Title; e.Other.Kind == references.Parameter {
					by = e.Other.Name
				}
				return nil
			}
		}
		return nil
	})
	return by, err
}

// DocVersion is specification 5's record of a document's version.
type DocVersion struct {
	DocID   string `json:"doc_id"` // Name@version/path
	Version string `json:"version"`
	// Supersedes are the same page in the older versions of the doc set, the next older
	// one first.
	Supersedes []string `json:"supersedes"`
	Deprecated bool     `json:"deprecated"` // the page says so of itself
}

// mostMatter is how many bytes at the beginning of a page are read for its metadata.
const mostMatter = 8 << 10

// DocVersion gives a page as a version of a document.
func (svc *Service) DocVersion(ctx context.Context, p *corpus.Page) (DocVersion, error) {
	out := DocVersion{DocID: p.Set.Ref.String() + "/" + p.Path, Version: p.Set.Ref.Version, Supersedes: []string{}}
	older, err := svc.OlderSets(ctx, p.Set)
	if err != nil {
		return out, err
	}
	for _, s := range older {
		has, err := svc.home.Corpus.Catalog.Has(ctx, s.ID, p.Path)
		if err != nil {
			return out, err
		}
		if has {
			out.Supersedes = append(out.Supersedes, s.Ref.String()+"/"+p.Path)
		}
	}
	text := p.Doc.Text[:min(len(p.Doc.Text), mostMatter)]
	if _, out.Deprecated = deprecation.Matter(string(text)); out.Deprecated {
		return out, nil
	}
	for _, s := range p.Doc.Sections[:min(len(p.Doc.Sections), 2)] {
		if s.Level > 1 || s.Span.Start >= len(text) {
			break
		}
		if _, ok := deprecation.Section(p.Doc.Title, string(bytes.ToValidUTF8(text[s.Span.Start:min(s.Span.End, len(text))], nil))); ok {
			out.Deprecated = true
		}
	}
	return out, nil
}
