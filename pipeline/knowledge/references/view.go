package references

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"docent/store/doc"
)

// Relation is an edge with the node at its other end.
type Relation struct {
	Edge
	// Other is where it leads to, or from; nil if the target is not in the doc set.
	Other *Node `json:"node,omitempty"`
	// In is the node of the place in question that it leads from or to.
	In *Node `json:"of,omitempty"`
}

// View is a page or section with its relations.
type View struct {
	Node  Node       `json:"node"`
	Parts []Node     `json:"parts"` // procedures, parameters and warnings in it
	From  []Relation `json:"from"`  // what leads from here
	To    []Relation `json:"to"`    // what leads here
}

// unknownType is the type of a parameter whose page says none.
const unknownType = "unknown"

// PageNode is the node of a page as a whole; false: there is no such page.
func (g *Graph) PageNode(path string) (Node, bool, error) {
	i, ok := g.byPath[path]
	if !ok {
		return Node{}, false, nil
	}
	n, err := g.nodeOfSpot(spot{i, whole})
	return n, err == nil, err
}

// nodeOfSpot makes a Node of a spot.
func (g *Graph) nodeOfSpot(s spot) (Node, error) {
	p, err := g.decodePage(s.page)
	if err != nil {
		return Node{}, err
	}
	name := hashedPageName(g.set, p.Path)
	n := Node{Kind: Section, DocSet: g.set.String(), Path: p.Path, Title: p.Title, Version: g.set.Version, Rev: p.Rev}
	switch {
	case s.n == whole:
		n.ID = doc.SectionID(name, "")
		return n, nil
	case s.n < len(p.Places):
		n.setPlace(p, s.n)
		n.ID = doc.SectionID(name, p.Places[s.n].Path)
		return n, nil
	case s.n >= len(p.Places)+len(p.Parts):
		return n, ErrDamaged
	}
	i := s.n - len(p.Places)
	x := p.Parts[i]
	n.setPlace(p, x.Place)
	n.Kind, n.Line = x.Kind, x.Line
	sum := sha256.Sum256([]byte(name + "::" + n.SectionPath + "::" + string(x.Kind) + "::" + strconv.Itoa(i)))
	n.ID = hex.EncodeToString(sum[:])[:16]
	n.StepsCount, n.Name, n.Type, n.Default, n.Required, n.Severity, n.Message = x.Steps, x.Name, x.Type, x.Default, x.Required,
		x.Severity, x.Message
	if n.Kind == Parameter { // the key is required
		n.Type = cmp.Or(n.Type, unknownType)
	}
	return n, nil
}

func (n *Node) setPlace(p *Page, i int) {
	s := p.Places[i]
	n.SectionPath, n.Anchor, n.Line = s.Path, s.Anchor, s.Line
	if s.Text != "" {
		n.Title = s.Text
	}
}

// Whole stands for a page as a whole where the number of a section is asked for.
const Whole = whole

// View gives a page, or one section of it, with the relations of at least this score.
// false: there is no such page or section.
func (g *Graph) View(path string, section int, threshold float64) (View, bool, error) {
	i, ok := g.byPath[path]
	if !ok {
		return View{}, false, nil
	}
	p, err := g.decodePage(i)
	if err == nil {
		err = g.decodeEdges()
	}
	if err != nil || section >= len(p.Places) {
		return View{}, false, err
	}
	v := View{Parts: []Node{}, From: []Relation{}, To: []Relation{}}
	if v.Node, err = g.nodeOfSpot(spot{i, section}); err != nil {
		return v, false, err
	}
	for k, x := range p.Parts {
		if (section == whole || x.Place == section) && !x.Mentioned {
			n, err := g.nodeOfSpot(spot{i, len(p.Places) + k})
			if err != nil {
				return v, false, err
			}
			v.Parts = append(v.Parts, n)
		}
	}
	in := func(s spot) bool { return s.page == i && (section == whole || p.isInSection(s.n, section)) }
	top := section == 0
	for _, k := range g.out[i] {
		if e := g.all[k]; in(e.from) && e.score >= threshold && !e.fault.leadsNowhere() {
			if v.From, err = g.addRelation(v.From, e, e.to, e.from); err != nil {
				return v, false, err
			}
		}
	}
	for _, k := range g.into[i] {
		e := g.all[k]
		here := in(e.to) || top && e.to.n == whole
		if here && e.score >= threshold && (section != whole || e.from.page != i) && !(e.from.page == i && e.to.n >= len(p.Places)) {
			if v.To, err = g.addRelation(v.To, e, e.from, e.to); err != nil {
				return v, false, err
			}
		}
	}
	v.sortRelations()
	return v, true, nil
}

// Title is the title of a page, "" without one.
func (g *Graph) Title(path string) string {
	i, ok := g.byPath[path]
	if !ok {
		return ""
	}
	p, err := g.decodePage(i)
	if err != nil {
		return ""
	}
	return p.Title
}

// isInSection reports whether a node of the page is the section, or a part of it.
func (p *Page) isInSection(n, section int) bool {
	if n >= len(p.Places) {
		k := n - len(p.Places)
		return k < len(p.Parts) && p.Parts[k].Place == section
	}
	return n == section
}

// addRelation adds an edge.
func (g *Graph) addRelation(to []Relation, e edge, other, in spot) ([]Relation, error) {
	r := Relation{Edge: Edge{Type: e.typ, Score: e.score, Pattern: e.rule, Match: e.match, Target: e.target, Line: e.line,
		TraceID: e.trace, Model: e.model}}
	source, err := g.nodeOfSpot(e.from)
	if err != nil {
		return to, err
	}
	r.SourceID = source.ID
	if e.to != nowhere {
		n, err := g.nodeOfSpot(e.to)
		if err != nil {
			return to, err
		}
		r.TargetID = n.ID
	}
	if other != nowhere {
		n, err := g.nodeOfSpot(other)
		if err != nil {
			return to, err
		}
		r.Other = &n
	}
	n, err := g.nodeOfSpot(in)
	r.In = &n
	return append(to, r), err
}

// sortRelations orders relations by type, then by their place.
func (v *View) sortRelations() {
	order := func(a, b Relation) int {
		c := cmp.Compare(slices.Index(EdgeTypes(), a.Type), slices.Index(EdgeTypes(), b.Type))
		if c == 0 && a.Other != nil && b.Other != nil {
			c = cmp.Compare(a.Other.DocSet, b.Other.DocSet)
		}
		return c
	}
	slices.SortStableFunc(v.From, order)
	slices.SortStableFunc(v.To, order)
}

// Beside gives what lines of a page require and warn of, at least at this score, in the
// order of the page.
func (g *Graph) Beside(path string, lines [2]int, threshold float64) ([]Relation, error) {
	i, ok := g.byPath[path]
	if !ok {
		return nil, nil
	}
	edges, _, ok := decodeEdges(g.stored.kept[i].edges)
	if !ok {
		return nil, ErrDamaged
	}
	for _, e := range g.assisted {
		if e.from.page == i {
			edges = append(edges, e)
		}
	}
	var out []Relation
	var err error
	for _, e := range edges {
		if e.typ != Requires && e.typ != WarnsAbout || e.score < threshold || e.fault != NoFault || e.from.page != i {
			continue
		}
		if e.line < lines[0] || e.line > lines[1] {
			continue
		}
		if out, err = g.addRelation(out, e, e.to, e.from); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(out, func(a, b Relation) int { return cmp.Compare(a.Line, b.Line) })
	return out, nil
}

// Broken is a link that leads nowhere.
type Broken struct {
	DocSet string `json:"doc_set"`
	Path   string `json:"path"`
	Line   int    `json:"line"`
	// SourceLine is the line of the file, where that is converted to be read.
	SourceLine int    `json:"source_line,omitempty"`
	Section    string `json:"section_path"`
	Target     string `json:"target"`
	// Missing is "page", or "anchor" where the page is there and has no such place.
	Missing string `json:"missing"`
	// Unsure is why the link may lead somewhere all the same, "" where it does not.
	Unsure string `json:"unsure,omitempty"`
	Match  string `json:"match_text,omitempty"`
}

// Broken lists the links that lead nowhere, or may, in the order of pages and lines, and
// counts all links. With paths it has the links of these pages alone.
func (g *Graph) Broken(paths ...string) ([]Broken, Counts, error) {
	out, counts := []Broken{}, Counts{}
	if err := g.decodeEdges(); err != nil {
		return out, counts, err
	}
	isAsked := func(page int) bool {
		return len(paths) == 0 || slices.ContainsFunc(paths, func(path string) bool { i, ok := g.byPath[path]; return ok && i == page })
	}
	for i, c := range g.counts {
		if isAsked(i) {
			counts.addCounts(c)
		}
	}
	for k, e := range g.all {
		if e.fault == NoFault || !isAsked(g.owner[k]) {
			continue
		}
		n, err := g.nodeOfSpot(e.from)
		if err != nil {
			return out, counts, err
		}
		p, err := g.decodePage(g.owner[k])
		if err != nil {
			return out, counts, err
		}
		out = append(out, Broken{DocSet: g.set.String(), Path: p.Path, Line: e.line, SourceLine: e.source, Section: n.SectionPath,
			Target: e.target, Missing: e.fault.String(), Unsure: e.fault.Reason(), Match: e.match})
	}
	slices.SortStableFunc(out, func(a, b Broken) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) })
	return out, counts, nil
}

// EachEdge calls do with every edge of the graph and its ends, until it returns false; the
// target is nil if it is not in the doc set.
func (g *Graph) EachEdge(do func(e Edge, source Node, target *Node) bool) error {
	if err := g.decodeEdges(); err != nil {
		return err
	}
	for _, e := range g.all {
		if e.fault.leadsNowhere() {
			continue
		}
		r, err := g.addRelation(nil, e, e.to, e.from)
		if err != nil {
			return err
		}
		if !do(r[0].Edge, *r[0].In, r[0].Other) {
			return nil
		}
	}
	return nil
}
