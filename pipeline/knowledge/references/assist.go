package references

// Assisted is a relation that a model found in a section without matches of the patterns.
// It is not part of the stored graph: callers add it after they open the graph.
type Assisted struct {
	Path, Section string // where it was found: a page, and a section path of it
	Type          Type
	Score         float64
	ToPath        string // of a page of the doc set
	ToSection     string // a section path of it; "": the page
	Match         string // what the section says
	TraceID       string
	Model         string
}

// AssistedScore is the score of such a relation: below those of all patterns that are
// shown by default, because no sample of a model's relations has been judged.
const AssistedScore = 0.6

// assistPattern stands in the place of the rule of such a relation.
const assistPattern = "model"

// Assist adds relations that a model found. One whose page or section is not there any
// more is left out. It is called once, before anything is asked of the graph.
func (g *Graph) Assist(all []Assisted) error {
	for _, a := range all {
		from, ok, err := g.findSection(a.Path, a.Section)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		to, ok, err := g.findSection(a.ToPath, a.ToSection)
		if err != nil {
			return err
		}
		if !ok || to == from || a.Score < 0 || a.Score > AssistedScore {
			continue
		}
		p, err := g.decodePage(from.page)
		if err != nil {
			return err
		}
		line := 1
		if from.n != whole {
			line = p.Places[from.n].Line
		}
		g.assisted = append(g.assisted, edge{from: from, to: to, typ: a.Type, score: a.Score, rule: assistPattern,
			match: shortText(a.Match), line: line, trace: a.TraceID, model: a.Model})
	}
	return nil
}

// findSection finds a section of a page by its path; "" is the page.
func (g *Graph) findSection(path, section string) (spot, bool, error) {
	i, ok := g.byPath[path]
	if !ok || section == "" {
		return spot{i, whole}, ok, nil
	}
	p, err := g.decodePage(i)
	if err != nil {
		return nowhere, false, err
	}
	for n, place := range p.Places {
		if place.Path == section {
			return spot{i, n}, true, nil
		}
	}
	return nowhere, false, nil
}

// States reports whether the patterns or links state any relation from a section of a page,
// whatever its score; true where there is no such section.
func (g *Graph) States(path, section string) (bool, error) {
	at, ok, err := g.findSection(path, section)
	if err != nil || !ok {
		return true, err
	}
	edges, _, ok := decodeEdges(g.stored.kept[at.page].edges)
	if !ok {
		return true, ErrDamaged
	}
	p, err := g.decodePage(at.page)
	if err != nil {
		return true, err
	}
	for _, e := range edges {
		if e.from.page == at.page && (e.from == at || at.n != whole && p.isInSection(e.from.n, at.n)) {
			return true, nil
		}
	}
	return false, nil
}
