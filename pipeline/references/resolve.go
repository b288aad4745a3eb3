package references

import (
	"net/url"
	"path"
	"strings"

	"docent/pipeline/graph"
	"docent/pipeline/parameters"
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
	fault    Fault
}

// Fault is why a link leads nowhere.
type Fault uint8

// The faults of links.
const (
	NoFault  Fault = iota
	NoPage         // there is no such page, where the doc set should have it
	NoAnchor       // the page has no such place; the edge leads to the page
)

func (f Fault) String() string {
	switch f {
	case NoPage:
		return "page"
	case NoAnchor:
		return "anchor"
	}
	return ""
}

// Counts are what became of the links of a page.
type Counts struct {
	Inside    int `json:"resolved"`           // they lead to a page of the doc set
	Pages     int `json:"unresolved"`         // NoPage
	Anchors   int `json:"unresolved_anchors"` // NoAnchor
	Elsewhere int `json:"elsewhere"`          // to other sites, or to a part of the site that is not in the doc set
}

func (c *Counts) add(o Counts) {
	c.Inside += o.Inside
	c.Pages += o.Pages
	c.Anchors += o.Anchors
	c.Elsewhere += o.Elsewhere
}

// resolver finds what links and names of a doc set lead to.
type resolver struct {
	pages   []*Page
	list    *graph.List
	index   map[string]int    // of a page by its path
	files   map[string][]int  // pages by the names of their files, with and without ending
	anchors map[int]*names    // by page
	titles  map[string]spot   // pages and headings by their text, nowhere: several
	params  map[string][]spot // documented parameters by name
	roots   map[string]int    // by how many links the folder of the site is told
	// folders are those that pages lie in, "" is the doc set's own. A link of the site to
	// another folder may lead to what is made for the site alone.
	folders map[string]bool
	site    string // the address below which all pages lie, "": unknown
}

// names are the anchors of a page: as they are, and without signs, twice where two are the
// same then.
type names struct{ exact, loose map[string]int }

func newResolver(pages []*Page) *resolver {
	r := &resolver{pages: pages, index: make(map[string]int, len(pages)), anchors: map[int]*names{}, files: map[string][]int{}, titles: map[string]spot{}, params: map[string][]spot{}, roots: map[string]int{}, folders: map[string]bool{}}
	refs := make([]graph.Ref, len(pages))
	for i, p := range pages {
		refs[i] = graph.Ref{Path: p.Path, Title: p.Title, URL: p.URL, Others: p.Aliases}
		if p.Permalink != "" {
			refs[i].Others = append([]string{strings.TrimPrefix(p.Permalink, "~")}, p.Aliases...)
		}
		r.index[p.Path] = i
		file := path.Base(p.Path)
		r.files[file] = append(r.files[file], i)
		if bare := strings.TrimSuffix(file, path.Ext(file)); bare != file {
			r.files[bare] = append(r.files[bare], i)
		}
		r.folders[strings.TrimPrefix(path.Dir(strings.ReplaceAll(strings.ToLower(p.Path), "__", "/")), ".")] = true
		r.names(i, p)
	}
	r.list = graph.NewList(refs)
	r.site = common(pages)
	for i, p := range pages {
		for _, l := range p.Links {
			if strings.HasPrefix(l.Target, "/") && !strings.HasPrefix(l.Target, "//") {
				r.root(i, p, l.Target)
			}
		}
	}
	return r
}

// names notes the titles and parameters of a page.
func (r *resolver) names(i int, p *Page) {
	note := func(title string, at spot) {
		key := folded(title)
		if old, ok := r.titles[key]; ok && (old.page != at.page || old == nowhere) {
			if old.n == whole && old != nowhere && at.n != whole {
				return // a page's title is more than a heading
			}
			if old.n != whole && at.n == whole {
				r.titles[key] = at
				return
			}
			r.titles[key] = nowhere
			return
		} else if !ok {
			r.titles[key] = at
		}
	}
	note(p.Title, spot{i, whole})
	for n, s := range p.Places {
		if s.Text != "" && len(s.Text) <= mostText {
			note(s.Text, spot{i, n})
			if isName(s.Text) && !strings.Contains(s.Text, " ") {
				r.params[bareName(s.Text)] = append(r.params[bareName(s.Text)], spot{i, n})
			}
		}
	}
	for n, part := range p.Parts {
		if !part.documents() || part.Details.form == parameters.Heading { // whose section is noted
			continue
		}
		for _, name := range append([]string{part.Name}, part.Details.aliases...) {
			if isName(name) {
				r.params[bareName(name)] = append(r.params[bareName(name)], spot{i, len(p.Places) + n})
			}
		}
	}
}

// common is the address that the addresses of all pages begin with, up to a slash.
func common(pages []*Page) string {
	out := ""
	for i, p := range pages {
		if p.URL == "" {
			return ""
		}
		if i == 0 {
			out = p.URL
		}
		for !strings.HasPrefix(p.URL, out) {
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

// root notes by which folder of the site a link that begins with a slash leads to a page.
func (r *resolver) root(i int, p *Page, target string) {
	to := r.list.Resolve(p.Path, r.pages[i].URL, target)
	if !to.Found {
		return
	}
	want := strings.Trim(strings.ToLower(plainPath(target)), "/")
	have := strings.ToLower(strings.TrimSuffix(strings.ReplaceAll(to.Ref.Path, "__", "/"), path.Ext(to.Ref.Path)))
	for _, index := range []string{"/_index", "/index", "/readme"} {
		have = strings.TrimSuffix(have, index)
	}
	if before, ok := strings.CutSuffix(want, have); ok && (before == "" || strings.HasSuffix(before, "/")) {
		r.roots[before]++
	}
}

// Files are the paths of files of the doc set that a link which leads to no page may
// mean, from a page: a picture, a sample, data.
func Files(from, target string) []string {
	name := plainPath(target)
	if unescaped, err := url.PathUnescape(name); err == nil {
		name = unescaped
	}
	if name == "" || strings.Contains(name, ":") {
		return nil
	}
	below := strings.TrimPrefix(path.Clean("/"+name), "/")
	if strings.HasPrefix(name, "/") {
		if _, rest, ok := strings.Cut(below, "/"); ok {
			return []string{below, rest}
		}
		return []string{below}
	}
	var out []string
	for _, dir := range []string{path.Dir(from), strings.TrimSuffix(from, path.Ext(from))} {
		if p := path.Join(dir, name); p != ".." && !strings.HasPrefix(p, "../") && p != "." {
			out = append(out, p)
		}
	}
	return out
}

func plainPath(target string) string {
	target, _, _ = strings.Cut(target, "#")
	target, _, _ = strings.Cut(target, "?")
	return target
}

// mustBeHere says whether a link that leads to no page should lead to one of the doc set,
// and not to another part of the site.
func (r *resolver) mustBeHere(p *Page, target string) bool {
	if label, ok := strings.CutPrefix(target, "label:"); ok {
		// A project's name stands before a label of another one; three lists are made by
		// the program that makes the site.
		return !strings.Contains(label, ":") && label != "genindex" && label != "modindex" && label != "search"
	}
	u, err := url.Parse(target)
	if err != nil {
		u = &url.URL{Path: plainPath(target)}
	}
	switch {
	case u.Scheme != "" || u.Host != "":
		return r.site != "" && strings.HasPrefix(u.Scheme+"://"+u.Host+u.Path, r.site)
	case strings.HasPrefix(u.Path, "/"):
		want := strings.ToLower(strings.TrimPrefix(u.Path, "/"))
		for root, n := range r.roots {
			if below, ok := strings.CutPrefix(want, root); ok && n > 2 && r.folders[strings.Trim(path.Dir(path.Clean("/"+below)), "/")] {
				return true
			}
		}
		return false
	case p.URL != "" && r.site != "":
		base, err := url.Parse(p.URL)
		return err == nil && strings.HasPrefix(base.ResolveReference(u).String(), r.site)
	}
	return !strings.HasPrefix(path.Join(path.Dir(p.Path), u.Path), "..") || r.roots[""] > 2
}

// link makes the edge of a link; false where it leads out of the documentation.
func (r *resolver) link(i int, l Link) (edge, Counts, bool) {
	p := r.pages[i]
	e := edge{from: from(i, p, l.Place, l.Part), to: nowhere, typ: l.Type, score: l.Score, rule: l.Rule, match: l.Match, line: l.Line}
	to, fault, outside := r.target(i, l.Target)
	switch {
	case outside:
		e.target = l.Target
		return e, Counts{Elsewhere: 1}, l.Type == Requires
	case fault == NoPage:
		e.fault, e.target = NoPage, strings.TrimPrefix(l.Target, refScheme)
		return e, Counts{Pages: 1}, true
	}
	counts := Counts{Inside: 1}
	if e.to = to; fault == NoAnchor {
		e.fault, e.target = NoAnchor, strings.TrimPrefix(l.Target, refScheme)
		e.score *= .85
		counts = Counts{Anchors: 1}
	}
	own := e.to == e.from || e.to == spot{i, whole}
	return e, counts, !own || fault != NoFault
}

func from(i int, p *Page, place, part int) spot {
	if part >= 0 {
		return spot{i, len(p.Places) + part}
	}
	if len(p.Places) == 0 {
		return spot{i, whole}
	}
	return spot{i, place}
}

// target is where an address leads.
func (r *resolver) target(i int, target string) (to spot, fault Fault, outside bool) {
	p := r.pages[i]
	target, byName := strings.CutPrefix(target, refScheme)
	if scheme, _, ok := strings.Cut(target, ":"); ok && !strings.ContainsAny(scheme, "/#?. ") {
		switch strings.ToLower(scheme) {
		case "http", "https", "label":
		default:
			return nowhere, NoFault, true // mail and the like
		}
	}
	found := r.list.Resolve(p.Path, p.URL, target)
	if file := plainPath(target); byName && !found.Found && len(r.files[path.Base(file)]) == 1 {
		_, anchor, _ := strings.Cut(target, "#")
		found = graph.Destination{Found: true, Ref: r.list.At(r.files[path.Base(file)][0]), Anchor: anchor}
	}
	if !found.Found {
		if r.mustBeHere(p, target) {
			return nowhere, NoPage, false
		}
		return nowhere, NoFault, true
	}
	at, ok := r.index[found.Ref.Path]
	if !ok {
		return nowhere, NoPage, false
	}
	place, ok := r.anchor(at, graph.Unescape(found.Anchor))
	if !ok {
		return spot{at, whole}, NoAnchor, false
	}
	return spot{at, place}, NoFault, false
}

// anchor finds a section by an anchor; whole for none.
func (r *resolver) anchor(page int, anchor string) (place int, ok bool) {
	anchor, _, _ = strings.Cut(anchor, ":~:") // a text for the browser to find
	if anchor == "" || anchor == "top" {
		return whole, true
	}
	n := r.anchors[page]
	if n == nil {
		n = namesOf(r.pages[page])
		r.anchors[page] = n
	}
	if place, ok := n.exact[anchor]; ok {
		return place, true
	}
	if place, ok := n.loose[letters(anchor)]; ok && place != twice {
		return place, true
	}
	return whole, false
}

func namesOf(p *Page) *names {
	n := &names{exact: map[string]int{}, loose: map[string]int{}}
	add := func(name string, place int) {
		if _, ok := n.exact[name]; !ok {
			n.exact[name] = place
		}
		key := letters(name)
		if old, ok := n.loose[key]; ok && old != place {
			place = twice
		}
		if key != "" {
			n.loose[key] = place
		}
	}
	for i, s := range p.Places {
		if s.Anchor != "" {
			add(s.Anchor, i)
		}
	}
	for _, a := range p.Anchors {
		if _, ok := n.exact[a.Name]; !ok {
			add(a.Name, min(a.Place, len(p.Places)-1))
		}
	}
	for i, s := range p.Places { // other programs make other anchors of headings
		for _, text := range []string{s.Text, shownAs[strings.ToLower(s.Text)]} {
			if key := letters(text); key != "" {
				if _, ok := n.loose[key]; !ok {
					n.loose[key] = i
				}
			}
		}
	}
	if key := letters(p.Title); key != "" {
		if _, ok := n.loose[key]; !ok {
			n.loose[key] = whole
		}
	}
	return n
}

// shownAs are headings that are shown with other words than they are written with:
// those that Hugo's sites name by a key.
var shownAs = map[string]string{"prerequisites": "Before you begin", "whatsnext": "What's next", "cleanup": "Cleaning up", "seealso": "See also"}

// twice stands for a name without signs that two places have.
const twice = -2

// find makes the edge of a relation that a sentence states.
func (r *resolver) find(i int, f Find) (edge, bool) {
	p := r.pages[i]
	here := from(i, p, f.Place, f.Part)
	e := edge{from: here, to: nowhere, typ: f.Type, score: f.Score, rule: f.Rule, match: f.Match, line: f.Line}
	switch {
	case f.Type == WarnsAbout:
		e.to = spot{i, len(p.Places) + f.Own}
		return e, f.Own >= 0
	case f.Type == Supersedes:
		return r.supersedes(i, f, e)
	}
	to, ok := r.called(i, f.Target)
	if e.to = to; !ok {
		e.target = f.Target
	}
	return e, (ok || !f.Known) && e.to != e.from && (e.to.page != i || e.to.n != whole)
}

// supersedes makes an edge from what takes the place to what is replaced.
func (r *resolver) supersedes(i int, f Find, e edge) (edge, bool) {
	p := r.pages[i]
	e.to = e.from
	switch {
	case f.Own >= 0:
		if to, ok := r.parameter(i, f.Target); ok {
			e.to = to
		} else {
			e.to = spot{i, len(p.Places) + f.Own}
		}
	case f.Target != "":
		if to, fault, outside := r.target(i, f.Target); !outside && fault != NoPage {
			e.to = to
		} else if to, ok := r.called(i, f.Target); ok {
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
		by, fault, outside := r.target(i, f.By)
		if outside || fault == NoPage {
			return e, false
		}
		e.from = by
	}
	return e, e.from != e.to
}

// edges makes the edges that a page states. The same edge twice is one, that with the
// higher score.
func (r *resolver) edges(i int) ([]edge, Counts) {
	p := r.pages[i]
	type key struct {
		from, to spot
		typ      Type
		target   string
	}
	at := map[key]int{}
	var out []edge
	var counts Counts
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
		e, c, ok := r.link(i, l)
		counts.add(c)
		if ok {
			take(e)
		}
	}
	for _, f := range p.Finds {
		if e, ok := r.find(i, f); ok {
			take(e)
		}
	}
	return out, counts
}
