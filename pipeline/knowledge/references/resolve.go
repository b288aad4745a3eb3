package references

import (
	"context"
	"path"
	"strings"
	"sync"

	"docent/pipeline/knowledge/graph"
)

// spot is a node of a doc set: of the page, its section number n, or behind the sections
// its part; whole for the page itself.
type spot struct{ page, n int }

const whole = -1

var nowhere = spot{-1, whole}

// edge is an Edge by places.
type edge struct {
	from, to spot // to nowhere: see target
	typ      Type
	score    float64
	rule     string
	match    string
	target   string
	line     int
	source   int // the line of the source, 0: the same
	fault    Fault

	trace, model string // of one that a model found
}

// resolver finds what links and names of a doc set lead to.
type resolver struct {
	kept  []Kept
	pages recently[*Page]
	err   error    // of the first page that could not be read
	same  []bool   // the stored edges of a page hold
	told  []string // what the links of a page add to roots, encoded
	// sameRoots has each of these once: most pages have one of a few.
	sameRoots map[string]string

	list    *graph.List
	files   func() *graph.ByName // pages by the names of their files, with and without ending
	anchors recently[*names]     // by page
	names   namedPlaces          // of all pages
	// documented are the names of parameters, see parameterNames; nil: those of the graph before.
	documented []byte
	basis      *basis         // of the edges that are being made
	roots      map[string]int // how many links point to this folder as the root of the site
	// folders are the folders with pages, "" is the doc set's own. A link of the site to
	// another folder may lead to a page that the generator makes.
	folders func() map[string]bool
	site    string // the address below which all pages lie, "": unknown
}

// mostPages is how many bytes of records, as they are stored, are decoded at once, and mostNamed of
// how many pages the anchors are: links lead to pages near by in the order of paths more often than
// not. Decoded a record takes ten times its bytes.
const (
	mostPages = 1 << 20
	mostNamed = 2048
)

// newResolver makes a resolver of pages in the order of their paths.
func newResolver(kept []Kept) *resolver {
	r := &resolver{kept: kept, pages: recently[*Page]{most: mostPages}, anchors: recently[*names]{most: mostNamed},
		same: make([]bool, len(kept)), told: make([]string, len(kept)), sameRoots: map[string]string{},
		basis: newBasis(), roots: map[string]int{}}
	// Made when they are first needed: few links need them, and an update reads the links of few pages.
	r.files = sync.OnceValue(func() *graph.ByName { return filesOf(kept) })
	r.folders = sync.OnceValue(func() map[string]bool { return foldersOf(kept) })
	refs := make([]graph.Ref, len(kept))
	for i, k := range kept {
		p := k.head
		refs[i] = graph.Ref{Path: p.path, Title: p.title, URL: p.url, Others: p.aliases}
		if p.permalink != "" {
			refs[i].Place = p.permalink
			refs[i].Others = append([]string{strings.TrimPrefix(p.permalink, "~")}, p.aliases...)
		}
	}
	r.list = graph.NewList(refs)
	r.site = commonAddress(kept)
	return r
}

// filesOf are pages by the names of their files, with and without ending.
func filesOf(kept []Kept) *graph.ByName {
	out := &graph.ByName{}
	for i, k := range kept {
		file := path.Base(k.head.path)
		out.Add(file, i)
		if bare := strings.TrimSuffix(file, path.Ext(file)); bare != file {
			out.Add(bare, i)
		}
	}
	return out
}

// foldersOf are the folders that have pages.
func foldersOf(kept []Kept) map[string]bool {
	out := map[string]bool{}
	for _, k := range kept {
		out[strings.TrimPrefix(path.Dir(strings.ReplaceAll(strings.ToLower(k.head.path), "__", "/")), ".")] = true
	}
	return out
}

// pageWithDetails is a page with all that is kept of it. One that cannot be read is an empty one,
// and the resolver has the error.
func (r *resolver) pageWithDetails(i int) *Page {
	if p, ok := r.pages.get(i); ok {
		return p
	}
	p, err := r.kept[i].openPage()
	if err != nil {
		p = &Page{}
		r.fail(err)
	}
	r.pages.put(i, p, r.kept[i].row.Packed)
	return p
}

// readRoots notes what the links of pages tell of the site's folder.
func (r *resolver) readRoots(ctx context.Context, of func(i int) bool) {
	for i := range r.kept {
		if err := ctx.Err(); err != nil {
			r.fail(err)
			return
		}
		if of(i) {
			r.readRootsOf(i, r.pageWithDetails(i))
		}
	}
}

func (r *resolver) readRootsOf(i int, p *Page) {
	told := map[string]int{}
	for _, l := range p.Links {
		if strings.HasPrefix(l.Target, "/") && !strings.HasPrefix(l.Target, "//") {
			if root, ok := r.siteRoot(p, l.Target); ok {
				told[root]++
				r.roots[root]++
			}
		}
	}
	encoded := encodeRoots(told)
	one, ok := r.sameRoots[string(encoded)]
	if !ok {
		one = string(encoded)
		r.sameRoots[one] = one
	}
	r.told[i] = one
}

// surveyWhole reads all pages in their order, one at a time, for a graph of which nothing is
// there yet, and gives the names of its parameters.
func (r *resolver) surveyWhole(ctx context.Context) []byte {
	documented := parameterNames{}
	all := &gatheredNames{}
	for i := range r.kept {
		if err := ctx.Err(); err != nil {
			r.fail(err)
			return nil
		}
		p := r.pageWithDetails(i)
		all.add(namesOfPage(i, p))
		r.readRootsOf(i, p)
		documented.addPage(i, p)
	}
	r.names = namedPlaces{base: all.encode()}
	return documented.encode()
}

// commonAddress is the address that the addresses of all pages begin with, up to a slash.
func commonAddress(kept []Kept) string {
	out := ""
	for i, k := range kept {
		p := k.head
		if p.url == "" {
			return ""
		}
		if i == 0 {
			out = p.url
		}
		for !strings.HasPrefix(p.url, out) {
			j := strings.LastIndexByte(strings.TrimSuffix(out, "/"), '/')
			if j < 0 {
				return ""
			}
			out = out[:j+1]
		}
	}
	if i := strings.LastIndexByte(out, '/'); i > len("https://") {
		return out[:i+1]
	}
	return ""
}

// siteRoot is the folder of the site by which a link that begins with a slash leads to a page.
func (r *resolver) siteRoot(p *Page, target string) (string, bool) {
	to := r.list.Resolve(p.Path, p.URL, target)
	if !to.Found {
		return "", false
	}
	want := strings.Trim(strings.ToLower(plainPath(target)), "/")
	have := strings.ToLower(strings.TrimSuffix(strings.ReplaceAll(to.Ref.Path, "__", "/"), path.Ext(to.Ref.Path)))
	for _, index := range []string{"/_index", "/index", "/readme"} {
		have = strings.TrimSuffix(have, index)
	}
	before, ok := strings.CutSuffix(want, have)
	return before, ok && (before == "" || strings.HasSuffix(before, "/"))
}

// edgeOfLink makes the edge of a link; false where it leads out of the documentation.
func (r *resolver) edgeOfLink(i int, l Link) (edge, Counts, bool) {
	p := r.pageWithDetails(i)
	e := edge{from: nodeFrom(i, p, l.Place, l.Part), to: nowhere, typ: l.Type, score: l.Score, rule: l.Rule, match: l.Match, line: l.Line,
		source: l.Source}
	to, fault, outside := r.findTarget(i, l.Target)
	switch {
	case outside:
		e.target = l.Target
		return e, Counts{Elsewhere: 1}, l.Type == Requires
	case fault.leadsNowhere():
		e.fault, e.target = fault, strings.TrimPrefix(l.Target, refScheme)
		if fault != NoPage {
			return e, Counts{Unsure: 1}, true
		}
		return e, Counts{Pages: 1}, true
	}
	counts := Counts{Inside: 1}
	if e.to = to; fault != NoFault {
		e.fault, e.target = fault, strings.TrimPrefix(l.Target, refScheme)
		e.score *= .85
		counts = Counts{Anchors: 1}
		if fault.Reason() != "" {
			counts = Counts{Unsure: 1}
		}
	}
	own := e.to == e.from || e.to == spot{i, whole}
	return e, counts, !own || fault != NoFault
}

func nodeFrom(i int, p *Page, place, part int) spot {
	if part >= 0 {
		return spot{i, len(p.Places) + part}
	}
	if len(p.Places) == 0 {
		return spot{i, whole}
	}
	return spot{i, place}
}

// findTarget is where an address leads.
func (r *resolver) findTarget(i int, target string) (to spot, fault Fault, outside bool) {
	p := r.pageWithDetails(i)
	target, byName := strings.CutPrefix(withoutEntities(target), refScheme)
	if scheme, _, ok := strings.Cut(target, ":"); ok && !strings.ContainsAny(scheme, "/#?. ") {
		switch strings.ToLower(scheme) {
		case "http", "https", "label":
		default:
			return nowhere, NoFault, true // mail and the like
		}
	}
	if graph.LeadsElsewhere(target) {
		return nowhere, NoFault, true
	}
	if graph.IsTemplated(target) {
		return nowhere, UnsurePage, false
	}
	found := r.list.Resolve(p.Path, p.URL, target)
	if !found.Found {
		found = r.resolveAround(i, target)
	}
	if !found.Found && isOutside(p, target) {
		if !r.mustBeHere(p, target) {
			return nowhere, NoFault, true
		}
		return nowhere, UnsureOutside, false
	}
	if byName && !found.Found {
		if only, ok := r.files().Only(path.Base(plainPath(target))); ok {
			_, anchor, _ := strings.Cut(target, "#")
			found = graph.Destination{Found: true, Ref: r.list.At(only), Anchor: anchor}
		} else {
			found = r.list.ResolveName(target)
		}
	}
	if !found.Found {
		if at, ok := r.labelled(target); ok {
			return at, NoFault, false
		}
		found = r.findHome(target)
	}
	if !found.Found {
		switch {
		case !r.mustBeHere(p, target):
			return nowhere, NoFault, true
		case strings.HasPrefix(target, labelScheme):
			return nowhere, UnsureLabel, false
		case r.isMadeByHook(target) || r.isPart(i):
			return nowhere, UnsurePage, false
		case strings.HasPrefix(target, "http"):
			return nowhere, UnsureSite, false
		case r.mayBeMade(p, target):
			return nowhere, UnsureMade, false
		case r.takesFromOutside(p):
			return nowhere, UnsureTaken, false
		}
		return nowhere, NoPage, false
	}
	at := r.list.Index(found.Ref.Path)
	if at < 0 {
		return nowhere, NoPage, false
	}
	place, ok := r.findAnchor(at, graph.Unescape(found.Anchor))
	if label, is := r.labelled(target); !ok && is {
		return label, NoFault, false
	}
	if !ok {
		if around, ok := r.placeAround(at, graph.Unescape(found.Anchor)); ok {
			return around, NoFault, false
		}
		return spot{at, whole}, r.mayComeFromInclude(at, graph.Unescape(found.Anchor)), false
	}
	return spot{at, place}, NoFault, false
}

// edgeOfFind makes the edge of a relation that a sentence states.
func (r *resolver) edgeOfFind(i int, f Find) (edge, bool) {
	p := r.pageWithDetails(i)
	here := nodeFrom(i, p, f.Place, f.Part)
	e := edge{from: here, to: nowhere, typ: f.Type, score: f.Score, rule: f.Rule, match: f.Match, line: f.Line}
	switch {
	case f.Type == WarnsAbout:
		e.to = spot{i, len(p.Places) + f.Own}
		return e, f.Own >= 0
	case f.Type == Supersedes:
		return r.supersedes(i, f, e)
	}
	to, ok := r.findByName(i, f.Target)
	if e.to = to; !ok {
		e.target = f.Target
	}
	return e, (ok || !f.Known) && e.to != e.from && (e.to.page != i || e.to.n != whole)
}

// supersedes makes an edge from the replacement to the replaced thing.
func (r *resolver) supersedes(i int, f Find, e edge) (edge, bool) {
	p := r.pageWithDetails(i)
	e.to = e.from
	switch {
	case f.Own >= 0:
		if to, ok := r.parameter(i, f.Target); ok {
			e.to = to
		} else {
			e.to = spot{i, len(p.Places) + f.Own}
		}
	case f.Target != "":
		if to, fault, outside := r.findTarget(i, f.Target); !outside && !fault.leadsNowhere() {
			e.to = to
		} else if to, ok := r.findByName(i, f.Target); ok {
			e.to = to
		} else {
			e.to, e.target = nowhere, f.Target
		}
	}
	switch {
	case f.By == "":
		return e, e.to != e.from
	case f.ByPart >= 0:
		if by, ok := r.parameter(i, f.By); ok {
			e.from = by
		} else {
			e.from = spot{i, len(p.Places) + f.ByPart}
		}
	default:
		by, fault, outside := r.findTarget(i, f.By)
		if outside || fault.leadsNowhere() {
			return e, false
		}
		e.from = by
	}
	return e, e.from != e.to
}

// makeEdges makes the edges that a page states. The same edge twice is one, that with the
// higher score.
func (r *resolver) makeEdges(i int) ([]edge, Counts) {
	p := r.pageWithDetails(i)
	r.basis = newBasis()
	type key struct {
		from, to spot
		typ      Type
		target   string
	}
	at := map[key]int{}
	var out []edge
	counts := Counts{Left: p.LinksLeft}
	take := func(e edge) {
		k := key{e.from, e.to, e.typ, e.target}
		if j, ok := at[k]; ok {
			if e.score > out[j].score {
				out[j] = e
			}
			return
		}
		at[k] = len(out)
		out = append(out, e)
	}
	for _, l := range p.Links {
		e, c, ok := r.edgeOfLink(i, l)
		counts.addCounts(c)
		if ok {
			take(e)
		}
	}
	for _, f := range p.Finds {
		if e, ok := r.edgeOfFind(i, f); ok {
			take(e)
		}
	}
	return out, counts
}
