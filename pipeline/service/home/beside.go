package home

import (
	"context"
	"strings"

	"docent/pipeline"
	"docent/pipeline/knowledge/references"
)

// Beside is what the sections of an answer require and warn of.
type Beside struct {
	Prerequisites []references.Relation `json:"prerequisites"`
	Warnings      []references.Relation `json:"warnings"`
}

// mostBeside is how many prerequisites and how many warnings stand beside an answer.
const mostBeside = 5

// Place is a part of a page that an answer has: lines, both ends included.
type Place struct {
	DocSet, FilePath string
	Lines            [2]int
}

// Beside gives what places of an answer require and warn of, a few of each. It is an
// addition to an answer: a graph that cannot be read leaves it empty, and is told.
func (h *Home) Beside(ctx context.Context, places []Place) Beside {
	out := Beside{Prerequisites: []references.Relation{}, Warnings: []references.Relation{}}
	seen := map[string]bool{}
	for _, p := range places {
		sets, err := h.Corpus.Resolve(ctx, []string{p.DocSet})
		if err == nil {
			err = h.withGraph(ctx, sets[0], func(g *references.Graph) error {
				found, err := g.Beside(p.FilePath, p.Lines, h.rules().Threshold)
				for _, r := range found {
					to, text := &out.Prerequisites, r.Target
					if r.Type == references.WarnsAbout {
						to = &out.Warnings
					}
					if r.Other != nil {
						text = r.Other.ID
					}
					if key := string(r.Type) + strings.ToLower(text); !seen[key] && len(*to) < mostBeside {
						seen[key] = true
						*to = append(*to, r)
					}
				}
				return err
			})
		}
		if err != nil {
			if ctx.Err() == nil {
				h.opt.Say("%v; what the answer requires and warns of is not shown", err)
			}
			return out
		}
	}
	return out
}

// BesideAnswer is Beside for what an answer cites.
func (h *Home) BesideAnswer(ctx context.Context, res pipeline.Result) Beside {
	var places []Place
	for _, c := range res.Citations {
		places = append(places, Place{DocSet: c.DocSet, FilePath: c.FilePath, Lines: c.Lines})
	}
	return h.Beside(ctx, places)
}

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

// Around gives where a part of a page leads, and what replaces it: what it requires first,
// what is related last. It is an addition to the part: a graph that cannot be read leaves
// it empty, and is told.
func (h *Home) Around(ctx context.Context, p Part) []Reference {
	var out []Reference
	if p.Changed {
		return nil // its lines are others than those of the graph
	}
	sets, err := h.Corpus.Resolve(ctx, []string{p.DocSet})
	if err == nil {
		err = h.withGraph(ctx, sets[0], func(g *references.Graph) error {
			v, _, err := g.View(p.FilePath, references.Whole, h.rules().Threshold)
			out = around(v, p)
			return err
		})
	}
	if err != nil && ctx.Err() == nil {
		h.opt.Say("%v; what %s refers to is not shown", err, p.FilePath)
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
	for _, t := range references.Types() {
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
