package graph

import (
	"context"
	"strings"

	"docent/pipeline/knowledge/references"
)

// Beside is what the sections of an answer require and warn of.
type Beside struct {
	Prerequisites []references.Relation `json:"prerequisites"`
	Warnings      []references.Relation `json:"warnings"`
}

// mostBeside is the most prerequisites, and the most warnings, that are listed with an
// answer.
const mostBeside = 5

// Place is a part of a page that an answer has: lines, both ends included.
type Place struct {
	DocSet, FilePath string
	Lines            [2]int
}

// Beside gives what places of an answer require and warn of, a few of each. It is an
// addition to an answer: a graph that cannot be read leaves it empty, and is reported.
func (svc *Service) Beside(ctx context.Context, places []Place) Beside {
	out := Beside{Prerequisites: []references.Relation{}, Warnings: []references.Relation{}}
	seen := map[string]bool{}
	for _, p := range places {
		sets, err := svc.home.Corpus.Resolve(ctx, []string{p.DocSet})
		if err == nil {
			err = svc.WithGraph(ctx, sets[0], func(g *references.Graph) error {
				found, err := g.Beside(p.FilePath, p.Lines, svc.home.ReferenceSettings().Threshold)
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
				svc.home.Say("%v; what the answer requires and warns of is not shown", err)
			}
			return out
		}
	}
	return out
}
