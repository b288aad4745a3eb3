// Package recipe says where the documentation of a name comes from. A recipe is one small
// TOML file: a source, the folder in it, and how a version becomes a tag or a branch. The
// folder recipes/ has those of the program, and the home's folder has a person's own.
//
// It refuses to fetch: a recipe and a version become a source.Want, and the fetchers of
// docent/pipeline/source take that.
package recipe

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"docent/pipeline/source"
)

// Recipe says where the documentation of a name comes from.
type Recipe struct {
	Name    string   `toml:"name"`
	Aliases []string `toml:"aliases"`
	About   string   `toml:"about"` // one line
	// Kind is one of the kinds of package source, and Source the address that it needs.
	Kind   string `toml:"kind"`
	Source string `toml:"source"`
	// Ref is the branch, tag or commit of the newest documentation. "": the newest tag by Tag,
	// or without Tag the default branch.
	Ref string `toml:"ref"`
	Layout
	// Versions are the layouts of ranges of versions. The first one that has a version counts,
	// and what it leaves empty is as in the recipe.
	Versions []Range  `toml:"versions"`
	LeaveOut []string `toml:"leave_out"` // patterns of path.Match below Path
	Licence  string   `toml:"licence"`   // of the documentation, by its SPDX name; "": unknown
	// Packages are the packages that this documents, by their ecosystem.
	Packages map[string][]string `toml:"packages"`
	// Checked is the date and the commit at which Path was seen: "2026-11-28 at 1a2b3c4".
	Checked string `toml:"checked"`

	Own bool `toml:"-"` // of the home, not of the program
}

// Layout is how a source keeps its versions.
type Layout struct {
	// Tag or Branch is the template of the tags or branches that hold versions.
	Tag    string `toml:"tag"`
	Branch string `toml:"branch"`
	// Path is the folder of the documentation, with slashes; it may be a template.
	Path string `toml:"path"`
	// URL is the address of the pages on the web, as a doc set's url_base. It may have
	// placeholders of a version.
	URL string `toml:"url"`
}

// Range is the layout of some versions.
type Range struct {
	From  string `toml:"from"`  // the first version; "": from the beginning
	Below string `toml:"below"` // the first version that it is not for; "": no end
	Layout
}

// Ecosystems are those that recipes can name packages of.
func Ecosystems() []string {
	return []string{"cargo", "composer", "deb", "gem", "go", "hex", "maven", "npm", "nuget", "pub", "pypi"}
}

// Choice is the request to a fetcher for a version of a recipe.
type Choice struct {
	// Want is complete where Scheme is nil. Its Ref "" is then the default branch.
	Want source.Want
	// Scheme finds the ref of the version among those of the repository; nil: none is needed.
	Scheme *Scheme
	// Unversioned says that a version was asked for, but that the source keeps only the newest
	// documentation.
	Unversioned bool

	recipe Recipe
	layout Layout
}

// refName is a name of a branch or tag that no program takes for a flag or a pattern.
var refName = regexp.MustCompile(`^[A-Za-z0-9_@][A-Za-z0-9._/@+-]*$`)

// mostRef is the longest name of a ref in bytes.
const mostRef = 200

func isRefName(text string) bool {
	return len(text) <= mostRef && refName.MatchString(text) && !strings.Contains(text, "..")
}

// newestWords are versions that mean the newest.
var newestWords = map[string]bool{"": true, "latest": true, "newest": true, "stable": true, "current": true}

// Choose makes the request for a version: "" or "latest", a number of one or more parts,
// or the name of a branch or tag.
func (r Recipe) Choose(version string) (Choice, error) {
	version = strings.TrimSpace(version)
	if newestWords[strings.ToLower(version)] {
		version = ""
	}
	asked, isNumber := parseVersion(version)
	lay := r.layoutOf(asked, isNumber)
	c := Choice{recipe: r, layout: lay, Want: source.Want{Kind: r.Kind, Address: r.Source, Version: version, Ref: r.Ref,
		LeaveOut: r.LeaveOut, Name: r.Name, Licence: r.Licence}}
	scheme, err := schemeOf(lay)
	if err != nil {
		return Choice{}, err
	}
	switch {
	case version != "" && !isNumber && (r.Kind != source.KindGit || !isRefName(version)):
		return Choice{}, fmt.Errorf("the version %.40q of %s is neither a number nor the name of a branch or tag", version, r.Name)
	case version != "" && !isNumber:
		c.Want.Ref, c.Want.Version = version, ""
	case version == "" && (r.Ref != "" || scheme == nil):
	case scheme != nil:
		c.Scheme, c.Want.Ref = scheme, ""
		return c, nil
	case !hasPlaceholder(lay.Path) && !hasPlaceholder(r.Source):
		c.Unversioned, c.Want.Version = true, ""
		asked = Version{}
	}
	return c, c.fillTemplates(asked)
}

// layoutOf is the layout of a version.
func (r Recipe) layoutOf(v Version, isNumber bool) Layout {
	lay := r.Layout
	if !isNumber {
		return lay
	}
	for _, rng := range r.Versions {
		if !rng.has(v) {
			continue
		}
		if rng.Tag != "" || rng.Branch != "" {
			lay.Tag, lay.Branch = rng.Tag, rng.Branch
		}
		if rng.Path != "" {
			lay.Path = rng.Path
		}
		if rng.URL != "" {
			lay.URL = rng.URL
		}
		return lay
	}
	return lay
}

// has reports whether a version lies in the range. A version such as 4 stands for the newest
// of its kind, and so does not lie below 4.2.
func (r Range) has(v Version) bool {
	if from, ok := parseVersion(r.From); ok && compareOpen(v, from) < 0 {
		return false
	}
	below, ok := parseVersion(r.Below)
	return !ok || compareOpen(v, below) < 0
}

// fillTemplates fills the templates with a version.
func (c *Choice) fillTemplates(v Version) error {
	var ok bool
	if c.Want.Path, ok = fillTemplate(c.layout.Path, v); !ok {
		return fmt.Errorf("the folder %s of %s needs more of the version than %q", c.layout.Path, c.Want.Name, v.Text)
	}
	if c.Want.Address, ok = fillTemplate(c.Want.Address, v); !ok {
		return fmt.Errorf("the address %s of %s needs more of the version than %q", c.Want.Address, c.Want.Name, v.Text)
	}
	// Without the version the address is unknown. The documents can be fetched all the same.
	c.Want.URLBase, _ = fillTemplate(c.layout.URL, v)
	return nil
}

// WithRef completes the request with a ref, such as that of Scheme.Pick.
func (c Choice) WithRef(ref string) (source.Want, error) {
	c.Want.Ref = plainRef(ref)
	if c.Scheme == nil {
		return c.Want, nil
	}
	v, ok := c.Scheme.template.read(c.Want.Ref)
	if !ok {
		return c.Want, fmt.Errorf("%s of %s is no %s", ref, c.Want.Name, c.Scheme.template.text)
	}
	c.Want.Version = v.Text
	// The newest version can lie in a range as any other does.
	c.layout = c.recipe.layoutOf(v, true)
	err := c.fillTemplates(v)
	return c.Want, err
}

// KeepsVersions reports whether a version can be asked for, and is not the newest always.
func (r Recipe) KeepsVersions() bool {
	keeps := func(l Layout) bool { return l.Tag != "" || l.Branch != "" || hasPlaceholder(l.Path) }
	return keeps(r.Layout) || hasPlaceholder(r.Source) || slices.ContainsFunc(r.Versions, func(v Range) bool { return keeps(v.Layout) })
}

// Pick is Choose where the branches and tags of the repository are known. ok is false where
// none of them is the version.
func (r Recipe) Pick(version string, refs []string) (ref string, ok bool) {
	c, err := r.Choose(version)
	if err != nil || c.Scheme == nil {
		return c.Want.Ref, err == nil && c.Want.Ref != "" && !c.Unversioned
	}
	return c.Scheme.Pick(c.Want.Version, refs)
}
