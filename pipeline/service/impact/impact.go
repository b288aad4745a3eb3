package impact

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/knowledge/changes"
	"docent/pipeline/knowledge/references"
	"docent/pipeline/service/versioning"
	"docent/pipeline/source/usage"
	"docent/store"
	"docent/store/doc"
)

// Answer are the changes that concern a project.
type Answer struct {
	Before VersionInfo `json:"before"`
	After  VersionInfo `json:"after"`
	// NothingInCommon says that the doc sets have hardly a name in common; then Changes is
	// empty.
	NothingInCommon bool `json:"nothing_in_common"`
	// Project is left out where no folder was looked through; then Changes are those of the names
	// that were asked for, or all, and no uses are known.
	Project Project `json:"project,omitzero"`
	// Counts are those of all changes between the versions, by their kinds, and Used those of
	// names that the project uses.
	Counts map[changes.Kind]int `json:"counts"`
	Used   map[changes.Kind]int `json:"used"`
	// Changes are those of names that the project uses, or all.
	Changes []Change `json:"changes"`
	// Unclear are the changed names whose words occur in the project without saying that they
	// are meant.
	Unclear []string `json:"unclear"`
	// Unknown are names that were asked for and that the older version does not document.
	Unknown []string                 `json:"not_documented,omitempty"`
	Unread  []versioning.DiffMissing `json:"unread,omitempty"`
}

// VersionInfo is one of the doc sets that are compared.
type VersionInfo struct {
	DocSet  string `json:"doc_set"`
	Version string `json:"version"`
	Pages   int    `json:"pages"`
	Names   int    `json:"names"`
}

// Project is the folder that was looked through.
type Project struct {
	Folder  string `json:"folder"`
	Files   int    `json:"files"`
	LeftOut int    `json:"files_left_out"`
	// NamesProduct says that the project names the product at all: without that, only long
	// names are found.
	NamesProduct bool   `json:"names_product"`
	Stopped      string `json:"stopped,omitempty"` // why not all files were read
}

// Change is what became of a name, with both citations.
type Change struct {
	Name        string       `json:"name"`
	Aliases     []string     `json:"aliases,omitempty"`
	Kind        changes.Kind `json:"kind"`
	Replacement string       `json:"replacement,omitempty"`
	From        string       `json:"from,omitempty"`
	To          string       `json:"to,omitempty"`
	Perhaps     string       `json:"perhaps,omitempty"`  // why it is not sure
	Evidence    string       `json:"evidence,omitempty"` // the sentence that says so
	Before      *Citation    `json:"before"`
	After       *Citation    `json:"after,omitempty"`
	Uses        Uses         `json:"uses,omitzero"`
}

// Citation is the place of a version that documents a name, or says what became of it.
type Citation struct {
	DocSet  string `json:"doc_set"`
	Title   string `json:"page_title"`
	Path    string `json:"file_path"`
	Section string `json:"section_path,omitempty"`
	URL     string `json:"url,omitempty"`
	Lines   [2]int `json:"lines"`
}

// Uses are the lines of the project that use a name.
type Uses struct {
	Count  int         `json:"count"`
	Files  int         `json:"files"`
	Places []usage.Use `json:"places"` // the first of them
}

// mostPlaces is how many uses of a name an answer has.
const mostPlaces = 50

// leastInCommon is the share of names that two versions of one documentation have in common
// at least.
const leastInCommon = 0.05

// Impact finds the changes between two versions that concern a project.
func (svc *Service) Impact(ctx context.Context, req Request) (Answer, error) {
	named, err := req.checkNamed()
	if err != nil {
		return Answer{}, err
	}
	sets, err := svc.versioning.TwoSets(ctx, named)
	if err != nil {
		return Answer{}, err
	}
	out := Answer{Changes: []Change{}, Unclear: []string{}, Counts: map[changes.Kind]int{}, Used: map[changes.Kind]int{}}
	var read [2]*changes.Version
	for i, info := range []*VersionInfo{&out.Before, &out.After} {
		v := changes.NewVersion(read[0])
		unread, err := svc.readVersion(ctx, sets[i], v)
		if err != nil {
			return Answer{}, err
		}
		read[i] = v
		out.Unread = append(out.Unread, unread...)
		*info = VersionInfo{DocSet: sets[i].Ref.String(), Version: sets[i].Ref.Version, Pages: sets[i].Documents, Names: v.Count()}
	}
	if changes.InCommon(read[0], read[1]) < leastInCommon {
		out.NothingInCommon = true
		return out, nil
	}
	found := changes.Compare(read[0], read[1])
	if req.In == "" {
		out.takeNamed(req, sets, found, read[0])
		return out, nil
	}
	report, err := svc.findUses(ctx, req, sets, found)
	if err != nil {
		return Answer{}, err
	}
	out.Project = Project{Folder: req.In, Files: report.Files, LeftOut: report.LeftOut, NamesProduct: report.Named, Stopped: report.Stopped}
	for i, c := range found {
		out.Counts[c.Kind]++
		uses := report.Uses[i]
		switch {
		case len(uses) > 0:
			out.Used[c.Kind]++
		case report.Unclear[i] && !slices.Contains(out.Unclear, c.Name):
			out.Unclear = append(out.Unclear, c.Name)
		}
		if len(uses) > 0 || req.All {
			out.Changes = append(out.Changes, changeOf(c, sets, uses))
		}
	}
	out.sortChanges()
	return out, nil
}

// takeNamed takes the changes of the names that were asked for, or all.
func (a *Answer) takeNamed(req Request, sets [2]store.Set, found []changes.Change, before *changes.Version) {
	for _, name := range req.Of {
		if !before.Documents(name) && !slices.Contains(a.Unknown, name) {
			a.Unknown = append(a.Unknown, name)
		}
	}
	for _, c := range found {
		a.Counts[c.Kind]++
		if len(req.Of) == 0 || slices.ContainsFunc(req.Of, func(name string) bool { return changes.IsCalled(name, c) }) {
			change := changeOf(c, sets, nil)
			change.Uses = Uses{}
			a.Changes = append(a.Changes, change)
		}
	}
	a.sortChanges()
	if req.Limit > 0 {
		a.Changes = a.Changes[:min(req.Limit, len(a.Changes))]
	}
}

// sortChanges puts the sure ones first, and of them the gravest.
func (a *Answer) sortChanges() {
	kinds := changes.Kinds()
	slices.SortStableFunc(a.Changes, func(x, y Change) int {
		if (x.Perhaps == "") != (y.Perhaps == "") {
			return strings.Compare(x.Perhaps, y.Perhaps)
		}
		return slices.Index(kinds, x.Kind) - slices.Index(kinds, y.Kind)
	})
}

// readVersion reads what a doc set documents.
func (svc *Service) readVersion(ctx context.Context, set store.Set, v *changes.Version) ([]versioning.DiffMissing, error) {
	params := map[string][]changes.Name{}
	err := svc.graph.WithGraph(ctx, set, func(g *references.Graph) error {
		found, all, err := g.ParameterNames(func(string) bool { return true })
		for _, name := range all {
			for _, d := range found[name] {
				if d.Name == name {
					params[d.Path] = append(params[d.Path], nameOf(d))
				}
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return svc.versioning.EachPage(ctx, set, func(d store.Document, text []byte, sections []doc.Section) {
		v.Add(changes.Page{Path: d.Path, Title: d.Title, URL: d.URL, Text: text, Sections: sections, Parameters: params[d.Path]})
	})
}

func nameOf(d references.Documented) changes.Name {
	return changes.Name{Name: d.Name, Aliases: d.Aliases, Type: d.Type, Default: d.Default, Description: d.Description, Form: d.Form,
		Place: changes.Place{Path: d.Path, Title: d.Title, Heading: d.Heading, SectionPath: d.SectionPath, URL: d.URL, Anchor: d.Anchor,
			Lines: [2]int{d.First, d.Last}}}
}

// findUses looks for the changed names in the project.
func (svc *Service) findUses(ctx context.Context, req Request, sets [2]store.Set, found []changes.Change) (usage.Report, error) {
	want := usage.Request{Dir: req.In, Products: append([]string{sets[0].Ref.Name, sets[1].Ref.Name}, req.Also...)}
	for _, c := range found {
		want.Forms = append(want.Forms, usage.Form{Names: append([]string{c.Name}, longAliases(c)...), Call: c.Call, Parents: c.Parents,
			Commands: c.CommandWords(), Narrow: c.Partial, Whole: c.Shared})
	}
	all, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return usage.Report{}, err
	}
	want.Exclude = []string{svc.home.Dir}
	for _, s := range all {
		want.Exclude = append(want.Exclude, s.Root)
	}
	report, err := usage.Find(ctx, want)
	if err != nil && ctx.Err() == nil {
		dir, _ := filepath.Abs(req.In)
		return report, contract.Invalid("in", "the project %s cannot be read: %v", dir, err).WithRemedy(contract.Change("in"))
	}
	return report, err
}

// longAliases are the other names of a changed name that are long flags: a letter of a flag
// stands for many things.
func longAliases(c changes.Change) []string {
	return slices.DeleteFunc(slices.Clone(c.Aliases), func(a string) bool {
		return !strings.HasPrefix(a, "--") || !strings.HasPrefix(c.Name, "-")
	})
}

func changeOf(c changes.Change, sets [2]store.Set, uses []usage.Use) Change {
	out := Change{Name: c.Name, Aliases: c.Aliases, Kind: c.Kind, Replacement: c.Replacement, From: c.From, To: c.To, Perhaps: c.Perhaps,
		Evidence: c.Evidence, Before: citationOf(sets[0], &c.Before), After: citationOf(sets[1], c.After),
		Uses: Uses{Count: len(uses), Places: []usage.Use{}}}
	files := map[string]bool{}
	for i, u := range uses {
		files[u.Path] = true
		if i < mostPlaces {
			out.Uses.Places = append(out.Uses.Places, u)
		}
	}
	out.Uses.Files = len(files)
	return out
}

func citationOf(set store.Set, p *changes.Place) *Citation {
	if p == nil {
		return nil
	}
	anchor := doc.WebAnchor(doc.WebPlace{Generator: doc.GeneratorOf(set.Site), URL: p.URL, File: p.Path, Heading: p.Heading,
		Outermost: p.SectionPath == p.Heading, Anchor: p.Anchor})
	return &Citation{DocSet: set.Ref.String(), Title: p.Title, Path: p.Path, Section: p.SectionPath, URL: doc.WithAnchor(p.URL, anchor),
		Lines: p.Lines}
}

// TakesNameAway reports whether a change takes a name away, for sure.
func (c Change) TakesNameAway() bool {
	return c.Perhaps == "" && (c.Kind == changes.Removed || c.Kind == changes.Renamed)
}

// String says what became of the name: "removed", "renamed to x", "default 3 → 4".
func (c Change) String() string {
	switch c.Kind {
	case changes.Renamed:
		return "renamed to " + c.Replacement
	case changes.Deprecated:
		if c.Replacement != "" {
			return "deprecated, use " + c.Replacement
		}
	case changes.Default, changes.Type:
		return fmt.Sprintf("%s %s → %s", c.Kind, c.From, c.To)
	case changes.Removed:
		if c.Replacement != "" {
			return "removed, use " + c.Replacement
		}
	}
	return string(c.Kind)
}
