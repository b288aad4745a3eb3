package locate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/text/spelling"
	"docent/store"
	"docent/store/doc"
)

// TitlesAtOnce is how many outlines are read from the catalog at a time.
const TitlesAtOnce = 500

// ReadRequest names a page, and what of it is read.
type ReadRequest struct {
	// Page is SET/PAGE, by the page's path in the doc set or its title, or PAGE
	// alone.
	Page    string
	Sets    []string // where PAGE alone is looked for; none: in all
	Section string   // a heading or #anchor; "": the whole page
}

// ShownPage is as Shown, of a page that is named as Read has it.
func (svc *Service) ShownPage(ctx context.Context, req ReadRequest) (*corpus.Page, error) {
	set, path, err := svc.FindPage(ctx, req.Page, req.Sets)
	if err != nil {
		return nil, err
	}
	return svc.home.Corpus.ReadShown(ctx, set, path)
}

func (svc *Service) Page(ctx context.Context, req ReadRequest) (*corpus.Page, error) {
	set, path, err := svc.FindPage(ctx, req.Page, req.Sets)
	if err != nil {
		return nil, err
	}
	return svc.home.Corpus.Page(ctx, set, path)
}

// SetAloneError means that a doc set was named where a page is wanted. It is an
// INVALID_REQUEST.
type SetAloneError struct{ Set doc.Ref }

func (e *SetAloneError) Error() string {
	return fmt.Sprintf("%s is a doc set and no page; give %s/PAGE", e.Set, e.Set)
}

// Unwrap gives its form for other programs.
func (e *SetAloneError) Unwrap() error {
	return contract.Invalid("page", "%s", e.Error()).WithRemedy(contract.RunDocent("read", e.Set.String(), "--toc").To("lists its pages"))
}

// FindSection finds a heading by its text ("## Text" of that level, where there
// is one) or anchor ("#anchor" of that alone), or else by another id of its heading (see
// doc.SectionOf), or by the words before the colon of its text, as in "GET /boats: List
// the boats". Of several with the same text none is preferred.
func FindSection(p *corpus.Page, want string) (*doc.Section, error) {
	want = strings.TrimSpace(want)
	marks := len(want) - len(strings.TrimLeft(want, "#"))
	text := strings.TrimSpace(want[marks:])
	level := 0
	if strings.HasPrefix(want[marks:], " ") {
		level = marks
	}
	byAnchor := func(s doc.Section) bool { return s.Anchor == text }
	byText := func(s doc.Section) bool { return s.Text == text }
	ways := []func(doc.Section) bool{
		func(s doc.Section) bool { return byText(s) || byAnchor(s) },
		func(s doc.Section) bool { return strings.EqualFold(s.Text, text) },
	}
	if marks == 1 && level == 0 {
		ways = slices.Insert(ways, 0, byAnchor)
	}
	for _, way := range ways {
		found := sections(p, way)
		if ofLevel := slices.DeleteFunc(slices.Clone(found), func(s *doc.Section) bool { return s.Level != level }); len(ofLevel) > 0 {
			found = ofLevel
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return nil, severalSections(p, text, found)
		}
	}
	byPath := strings.ReplaceAll(text, contract.SectionPath, doc.PathSeparator) // as citations and lists have it
	if i := slices.Index(doc.SectionPaths(p.Doc.Sections), byPath); i >= 0 && level == 0 {
		return &p.Doc.Sections[i], nil
	}
	if i, ok := doc.SectionOf(p.Doc.Sections, text); ok && level == 0 {
		return &p.Doc.Sections[i], nil
	}
	if found := sections(p, func(s doc.Section) bool { return strings.HasPrefix(s.Text, text+": ") }); len(found) == 1 {
		return found[0], nil
	}
	var names []string
	for _, s := range sections(p, func(doc.Section) bool { return true }) {
		names = append(names, s.Text)
	}
	msg := fmt.Sprintf("%s has no section %q", p.Doc.Title, text)
	if near := spelling.Nearest(text, names); len(near) > 0 {
		return nil, contract.Invalid("section", "%s; did you mean %s?", msg,
			strings.Join(near, " or ")).WithRemedy(contract.Change("section", near...))
	}
	return nil, contract.Invalid("section", "%s", msg).WithRemedy(
		contract.RunDocent("read", p.Set.Ref.String()+"/"+p.Path, "--toc").To("lists its sections"))
}

// sections are the page's headings that fit.
func sections(p *corpus.Page, fits func(doc.Section) bool) []*doc.Section {
	var found []*doc.Section
	for i := range p.Doc.Sections {
		if s := &p.Doc.Sections[i]; s.Level > 0 && fits(*s) {
			found = append(found, s)
		}
	}
	return found
}

func severalSections(p *corpus.Page, text string, found []*doc.Section) error {
	var anchors, places []string
	for _, s := range found {
		anchors = append(anchors, s.Anchor)
		places = append(places, fmt.Sprintf("#%s (line %d)", s.Anchor, s.Tree.StartLine))
	}
	e := contract.Invalid("section", "%s has %d sections %q: %s; give one by its anchor", p.Doc.Title, len(found), text,
		strings.Join(places, ", "))
	e.Details["candidates"] = anchors
	return e.WithRemedy(contract.Change("section", anchors...))
}

// blockFolder is where a cited block says that doc sets lie: md_docs/SET/PAGE.
const blockFolder = "md_docs/"

// FindPage finds a page by SET/PAGE, also as a cited block writes it, or by PAGE
// alone among the doc sets of within.
func (svc *Service) FindPage(ctx context.Context, name string, within []string) (store.Set, string, error) {
	none := func(err error) (store.Set, string, error) { return store.Set{}, "", err }
	sets, err := svc.home.ResolveOrAll(ctx, within)
	if err != nil {
		return none(err)
	}
	if rest, ok := strings.CutPrefix(name, blockFolder); ok {
		if set, _, _ := strings.Cut(rest, "/"); strings.ContainsAny(set, ":@") {
			name = rest
		}
	}
	for _, begins := range []string{"/", "../", "./", "~/"} {
		if strings.HasPrefix(name, begins) {
			return none(contract.Invalid("page", "%s is a path on this machine, and no page; pages are read as SET/PAGE", name).WithRemedy(
				contract.RunDocent("sets").To("lists the doc sets")))
		}
	}
	page := name
	var unknown error // the doc set that the name would be of
	head, rest, ok := strings.Cut(name, "/")
	if ok {
		one, err := svc.home.Corpus.Resolve(ctx, []string{head})
		switch {
		case err == nil:
			sets, page = one, rest
		case len(within) == 0 && strings.Contains(head, "@"):
			return none(err)
		case len(within) == 0:
			unknown = err
		}
	}
	if strings.TrimSpace(page) == "" {
		if ok && unknown == nil && len(sets) == 1 {
			return none(&SetAloneError{sets[0].Ref})
		}
		return none(cmp.Or(unknown, error(contract.Invalid("page", "%q names no page; give SET/PAGE", name).WithRemedy(
			contract.RunDocent("sets").To("lists the doc sets")))))
	}
	found, err := svc.pagesOfName(ctx, sets, page)
	if err != nil {
		return none(err)
	}
	var names pageNames // for a name of none of them
	if len(found) == 0 {
		var folder bool
		var byEnd []candidate
		if found, byEnd, names, folder, err = svc.pagesInAnyCase(ctx, sets, page, head); err != nil {
			return none(err)
		}
		// The name of a doc set comes before the end of a page's path.
		if _, err := svc.home.Corpus.Resolve(ctx, []string{name}); len(found) == 0 && (err != nil || len(within) > 0) {
			found = byEnd
		}
		if folder {
			unknown = nil
		}
	}
	switch {
	case len(found) == 1:
		return found[0].set, found[0].path, nil
	case len(found) == 0 && unknown != nil:
		return none(unknown)
	case len(found) == 0:
		if one, err := svc.home.Corpus.Resolve(ctx, []string{strings.TrimSuffix(name, "/")}); err == nil {
			return none(&SetAloneError{one[0].Ref})
		}
		return none(svc.missingPage(ctx, name, page, names))
	}
	return none(severalPages(name, found))
}

// missingPage is the error for a name of no page. It proposes pages of all by their titles and files,
// and doc sets before them where the name is a single word.
func (svc *Service) missingPage(ctx context.Context, name, page string, names pageNames) error {
	msg := fmt.Sprintf("there is no page %q", name)
	near := names.nearest(page)
	if name == page && !strings.Contains(name, "/") {
		sets, err := svc.home.Corpus.Sets(ctx)
		if err != nil {
			return err
		}
		near = append(nearSets(name, sets), near...)
		near = near[:min(len(near), mostNear)]
	}
	remedy := contract.RunDocent("search", page).To("finds pages by what they say")
	if len(near) > 0 {
		msg += "; did you mean " + strings.Join(near, " or ") + "?"
		remedy = contract.Change("page", near...)
	}
	e := contract.Invalid("page", "%s", msg)
	e.Err = contract.ErrNotThere
	return e.WithRemedy(remedy)
}

// severalPages is the error for a name of several pages.
func severalPages(name string, found []candidate) error {
	var names []string
	for _, f := range found {
		names = append(names, f.set.Ref.String()+"/"+f.path)
	}
	listed := strings.Join(names[:min(len(names), mostListed)], ", ")
	if more := len(names) - mostListed; more > 0 {
		listed += fmt.Sprintf(" and %d more", more)
	}
	e := contract.Invalid("page", "%q is the name of %d pages; give one of them: %s", name, len(found), listed)
	e.Details["candidates"] = names
	return e.WithRemedy(contract.Change("page", names...))
}

// mostListed is how many pages of the same name a message lists.
const mostListed = 10

// mostSigns is how many ends of a page's name are tried in PAGE#SECTION, each with a look
// at all pages.
const mostSigns = 8

// PageAndSection parts PAGE#SECTION at the sign behind which no name of a page goes on:
// names of pages have it too, as "C# guide". Where no page is found that is the first
// sign. #SECTION is empty where none is named.
func (svc *Service) PageAndSection(ctx context.Context, name string, sets []string) (page, section string) {
	page, section, found := strings.Cut(name, "#")
	if !found {
		return name, ""
	}
	end := len(name)
	for range mostSigns {
		if end <= len(page) {
			break // whether there is such a page is said by what reads it
		}
		if _, _, err := svc.FindPage(ctx, name[:end], sets); err == nil {
			page, section = name[:end], strings.TrimPrefix(name[end:], "#")
			break
		}
		end = strings.LastIndexByte(name[:end], '#')
	}
	if section != "" {
		section = "#" + section
	}
	return page, section
}

// candidate is a page that a name may mean.
type candidate struct {
	set  store.Set
	path string
}

// pagesOfName are the pages of this path, also without its ending or docContent.md, or of this
// title, to the letter. They are looked up: a page of a large doc set costs what one of a small
// one does.
func (svc *Service) pagesOfName(ctx context.Context, sets []store.Set, name string) ([]candidate, error) {
	cat := svc.home.Corpus.Catalog
	var out []candidate
	for _, s := range sets {
		var paths []string
		for _, p := range []string{name, name + "/" + doc.ContentFile} {
			has, err := cat.Has(ctx, s.ID, p)
			if err != nil {
				return nil, err
			}
			if has {
				paths = append(paths, p)
			}
		}
		begins, err := cat.PathsBetween(ctx, s.ID, name+".", name+"/")
		if err != nil {
			return nil, err
		}
		for _, p := range begins {
			if bare, ending := barePath(p); ending && bare == name {
				paths = append(paths, p)
			}
		}
		titled, err := cat.ByTitle(ctx, s.ID, name)
		if err != nil {
			return nil, err
		}
		for _, d := range titled {
			paths = append(paths, d.Path)
		}
		slices.Sort(paths)
		for _, p := range slices.Compact(paths) {
			out = append(out, candidate{s, p})
		}
	}
	return out, nil
}

// pagesInAnyCase are the pages of this path, title or first heading in any case, and those whose path
// ends with this name, with or without its ending: the name of the file alone. It reads the names of
// all pages, and gives these, and whether a folder of pages is called as the head of the name.
func (svc *Service) pagesInAnyCase(ctx context.Context, sets []store.Set, name, head string) (found, byEnd []candidate,
	names pageNames, folder bool, err error) {
	names = pageNames{titles: map[string]string{}, files: map[string]string{}}
	for _, s := range sets {
		docs, err := svc.home.Corpus.Catalog.Documents(ctx, s.ID)
		if err != nil {
			return nil, nil, pageNames{}, false, err
		}
		for _, d := range docs {
			names.add(s.Ref.Name, d.Path, d.Title)
			folder = folder || strings.HasPrefix(d.Path, head+"/")
			bare, _ := barePath(d.Path)
			if endsWithName(d.Path, name) || endsWithName(bare, name) {
				byEnd = append(byEnd, candidate{s, d.Path})
			}
			for _, as := range []string{d.Path, strings.TrimSuffix(d.Path, "/"+doc.ContentFile), bare, d.Title, d.H1} {
				if strings.EqualFold(as, name) {
					found = append(found, candidate{s, d.Path})
					break
				}
			}
		}
	}
	return found, byEnd, names, folder, nil
}

// endsWithName reports whether the last parts of a path are a name, in any case.
func endsWithName(p, name string) bool {
	at := len(p) - len(name)
	return at > 0 && p[at-1] == '/' && strings.EqualFold(p[at:], name)
}

// barePath is a path without docContent.md and without an ending, and whether it had an ending.
func barePath(p string) (string, bool) {
	bare := strings.TrimSuffix(p, "/"+doc.ContentFile)
	if i := strings.LastIndexByte(bare, '.'); i > strings.LastIndexByte(bare, '/') {
		return bare[:i], true
	}
	return bare, false
}

// Named is the page that a doc set and a name in it mean. The doc set must be there, for a
// name without one would be looked for in all.
func (svc *Service) Named(ctx context.Context, docSet, page string) (ReadRequest, error) {
	sets, err := svc.home.Canonical(ctx, []string{docSet})
	if err != nil {
		return ReadRequest{}, err
	}
	if strings.TrimSpace(page) == "" {
		return ReadRequest{}, contract.Invalid("page", "the page is missing; GET /api/docsets/%s/pages lists those there are", sets[0])
	}
	return ReadRequest{Page: page, Sets: sets}, nil
}
