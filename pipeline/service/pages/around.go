package pages

import (
	"context"

	"docent/pipeline/knowledge/references"
)

// Reference is a place that a part of a page refers to, requires, replaces or names as
// related, or is replaced by. Its handle is that of ReadPart.
type Reference struct {
	Type        references.Type `json:"edge_type"`
	Leads       string          `json:"leads"` // "from" the part, or "to" it
	DocSet      string          `json:"doc_set,omitempty"`
	FilePath    string          `json:"file_path,omitempty"`
	Title       string          `json:"title"`
	SectionPath string          `json:"section_path,omitempty"`
	Handle      string          `json:"handle,omitempty"`
}

// mostAround is how many references a part of a page is given.
const mostAround = 12

// Around returns the references of a part of a page, and its replacement: requirements
// first, related parts last. It is an addition to the part: a graph that cannot be read
// leaves it empty, and is reported.
func (svc *Service) Around(ctx context.Context, p Part) []Reference {
	var out []Reference
	if p.Changed {
		return nil // its lines are others than those of the graph
	}
	sets, err := svc.home.Corpus.Resolve(ctx, []string{p.DocSet})
	if err == nil {
		err = svc.graph.WithGraph(ctx, sets[0], func(g *references.Graph) error {
			v, _, err := g.View(p.FilePath, references.Whole, svc.home.ReferenceSettings().Threshold)
			out = around(v, p)
			return err
		})
	}
	if err != nil && ctx.Err() == nil {
		svc.home.Say("%v; what %s refers to is not shown", err, p.FilePath)
	}
	return out
}

func around(v references.View, p Part) []Reference {
	var out []Reference
	seen := map[Reference]bool{}
	take := func(r references.Relation, leads string) {
		ref := Reference{Type: r.Type, Leads: leads, Title: r.Target}
		if o := r.Other; o != nil {
			ref.DocSet, ref.FilePath, ref.Title, ref.SectionPath = o.DocSet, o.Path, o.Title, o.SectionPath
			if o.Kind == references.Section {
				ref.Handle = o.ID
			}
			if o.Kind == references.Parameter && o.Name != "" {
				ref.Title = o.Name
			}
		}
		if !seen[ref] && len(out) < mostAround {
			seen[ref] = true
			out = append(out, ref)
		}
	}
	for _, t := range references.EdgeTypes() {
		for _, r := range v.From {
			if r.Type == t && t != references.WarnsAbout && r.Line >= p.Lines[0] && r.Line <= p.Lines[1] {
				take(r, "from")
			}
		}
		for _, r := range v.To {
			if r.Type == t && t == references.Supersedes && r.In != nil && r.In.Line >= p.Lines[0] && r.In.Line <= p.Lines[1] {
				take(r, "to")
			}
		}
	}
	return out
}
