// Package planning decides where the documentation of each package that a project uses is
// taken from, keeps that decision in docent.lock, and compares the two with a home.
//
// A dependency's sources are tried in order: the one that the project's docent.toml
// names, a recipe, the package's own documentation, its repository at the version's tag. Where
// no lock file names the repository, it is the one that docent's list has for the package.
//
// The package refuses to fetch anything: what it gives depends on its arguments alone.
package planning

import (
	"path"
	"slices"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/ecosystem"
	"docent/pipeline/source/git"
	"docent/pipeline/source/project"
	"docent/pipeline/source/repositories"
	"docent/store/doc"
)

// How documentation was found.
const (
	HowNamed      = "docent.toml" // the project's own file names it
	HowRecipe     = "recipe"
	HowPackage    = "package"
	HowRepository = "repository"
	HowListed     = "list" // its repository, which docent's list knows
)

// Recipes knows the sources of well-known packages. source is what `docent add` takes,
// with its version.
type Recipes interface {
	Lookup(ecosystem, name, version string) (source string, ok bool)
}

// Listed knows the repositories of well-known packages.
type Listed interface {
	Find(ecosystem, name string) (repositories.Repository, bool)
}

// Candidate is a source that may have a dependency's documentation.
type Candidate struct {
	Source string `json:"source"` // as `docent add` takes it, with its version
	How    string `json:"how"`
	// Ref is the branch, tag or commit of a repository, where it is known.
	Ref string `json:"ref,omitempty"`
	// Near is the package's folder in a repository of several packages, "" where it is not known.
	Near string `json:"near,omitempty"`
	// Path is the folder of the documentation, "" where it is found by itself.
	Path string `json:"path,omitempty"`

	listed repositories.Repository // of HowListed
}

// InRepository reports whether documentation came from a dependency's repository.
func InRepository(how string) bool { return how == HowRepository || how == HowListed }

// Step is the plan for one dependency.
type Step struct {
	Dependency project.Dependency `json:"dependency"`
	// Name and Version are those of the doc set; an empty Name is the source's.
	Name    string `json:"name,omitempty"`
	Version string `json:"version,omitempty"`
	// Candidates are tried in their order; Reason says why a step has no candidate.
	Candidates []Candidate `json:"candidates,omitempty"`
	Reason     string      `json:"reason,omitempty"`
	// Shares is another dependency whose documentation is this one's too, nil for none. The
	// candidates are for the case that it has none.
	Shares *project.Dependency `json:"shares,omitempty"`
}

// fetched are the ecosystems whose packages can be fetched.
var fetched = []string{ecosystem.Npm, ecosystem.Go, ecosystem.PyPI, ecosystem.Cargo, ecosystem.Gem, ecosystem.Composer,
	ecosystem.Maven}

// Make plans for each dependency. A dependency that an entry of [[docs]] has the name of
// is that entry's: it has no step of its own. recipes and listed may be nil.
func Make(dependencies []project.Dependency, recipes Recipes, listed Listed) []Step {
	named := map[string]bool{}
	for _, d := range dependencies {
		if d.Ecosystem == "" {
			named[d.Name] = true
		}
	}
	var steps []Step
	for _, d := range dependencies {
		switch {
		case d.Ecosystem == "":
			steps = append(steps, stepOfDocs(d))
		case !named[d.Name]:
			steps = append(steps, stepOf(d, recipes, listed))
		}
	}
	nameApart(steps)
	shareTypes(steps)
	return steps
}

// stepOfDocs is the step of an entry of [[docs]].
func stepOfDocs(d project.Dependency) Step {
	s := Step{Dependency: d, Version: setVersion(d.Version)}
	if d.Name != d.Source {
		s.Name = setName(d.Name)
	}
	want, ok := source.Parse(d.Source)
	switch {
	case !ok:
		s.Reason = "its source is no address, no package and no name"
	case want.Version == "" && d.Version != "" && want.Kind != source.KindSite:
		s.Candidates = []Candidate{{Source: d.Source + "@" + d.Version, How: HowNamed}}
	default:
		s.Candidates = []Candidate{{Source: d.Source, How: HowNamed}}
	}
	return s
}

// stepOf is the step of a package.
func stepOf(d project.Dependency, recipes Recipes, listed Listed) Step {
	release := releaseOf(d)
	s := Step{Dependency: d, Name: setName(lastName(d)), Version: setVersion(release)}
	if text, ok := lookUp(recipes, d, release); ok {
		s.Candidates = append(s.Candidates, Candidate{Source: text, How: HowRecipe})
	}
	for _, kind := range fetched {
		// A package from a repository of its own may be another than the registry's.
		if kind == d.Ecosystem && d.Repository == "" {
			s.Candidates = append(s.Candidates, Candidate{Source: ecosystem.Address(d.Ecosystem, d.Name, release), How: HowPackage})
		}
	}
	if c, ok := repositoryOf(d); ok {
		s.Candidates = append(s.Candidates, c)
	} else if c, ok := listedRepository(listed, d); ok {
		s.Candidates = append(s.Candidates, c)
	}
	if d.Ecosystem == ecosystem.Composer && d.Repository != "" { // its lock names the repository of every package
		s.Candidates = append(s.Candidates, Candidate{Source: ecosystem.Address(d.Ecosystem, d.Name, release), How: HowPackage})
	}
	if len(s.Candidates) == 0 {
		s.Reason = "no recipe is for it, and the lock file names a source of it that is no repository; " +
			"name another under [[docs]] in docent.toml"
	}
	return s
}

// repositoryOf is the repository that a lock file names, or the path of a Go module.
func repositoryOf(d project.Dependency) (Candidate, bool) {
	if repository, folder, ok := source.GoRepository(d.Name); ok && d.Ecosystem == ecosystem.Go && d.Repository == "" {
		c, ok := Repository(repository, d)
		c.Near = folder
		return c, ok
	}
	return Repository(d.Repository, d)
}

// listedRepository is the repository that the list knows, of a package of types that of its
// package. A package from a repository of its own may be another than the registry's.
func listedRepository(listed Listed, d project.Dependency) (Candidate, bool) {
	if listed == nil || d.Repository != "" {
		return Candidate{}, false
	}
	r, ok := listed.Find(d.Ecosystem, d.Name)
	if name, isTypes := typed(d); isTypes {
		own, release := ok, releaseOf(d)
		d.Version, d.Wanted = majorMinor(release), ""
		if !own {
			r, ok = listed.Find(d.Ecosystem, name)
		}
	}
	if !ok {
		return Candidate{}, false
	}
	c, ok := Repository(r.Address, d)
	c.How, c.Near, c.Path, c.listed = HowListed, r.Package, r.Path, r
	return c, ok
}

// lookUp finds the recipe of a package. That of a package of types is that of its package.
func lookUp(recipes Recipes, d project.Dependency, release string) (text string, ok bool) {
	if recipes == nil {
		return "", false
	}
	if text, ok = recipes.Lookup(d.Ecosystem, d.Name, release); ok {
		return text, true
	}
	if name, isTypes := typed(d); isTypes {
		return recipes.Lookup(d.Ecosystem, name, majorMinor(release))
	}
	return "", false
}

// Repository is a candidate for the repository of a dependency, at its commit or version.
// ok is false for an address that is no repository's.
func Repository(address string, d project.Dependency) (Candidate, bool) {
	if address == "" {
		return Candidate{}, false
	}
	want, ok := source.Parse(address)
	if !ok || want.Kind != source.KindGit {
		if !strings.Contains(address, "://") || strings.HasPrefix(address, "-") {
			return Candidate{}, false
		}
		// A repository without the ending that tells it from a site.
		if want, ok = source.Parse(strings.TrimSuffix(address, "/") + ".git"); !ok || want.Kind != source.KindGit {
			return Candidate{}, false
		}
	}
	c := Candidate{Source: want.Address, How: HowRepository, Ref: d.Commit, Near: want.Path}
	if release := plainVersion(releaseOf(d)); c.Ref == "" && release != "" {
		c.Source += "@" + release
	}
	return c, true
}

// lastName is the part of a package's name by which people know it: pflag of
// github.com/spf13/pflag, http-kernel of symfony/http-kernel.
func lastName(d project.Dependency) string {
	switch d.Ecosystem {
	case ecosystem.Go:
		base := path.Base(d.Name)
		if isMajor(base) {
			base = path.Base(path.Dir(d.Name))
		}
		return base
	case ecosystem.Maven:
		return d.Name[strings.LastIndex(d.Name, ":")+1:]
	}
	return d.Name
}

// setName is a name as a doc set can have it.
func setName(name string) string {
	name = strings.Trim(strings.NewReplacer("@", "", "/", "-", ":", "-", " ", "-").Replace(name), "-._")
	if doc.CheckName(name) != nil {
		return ""
	}
	return name
}

// setVersion is a version as a doc set can have it, "" for others.
func setVersion(version string) string {
	version = strings.TrimPrefix(version, "v")
	if doc.CheckName(version) != nil {
		return ""
	}
	return version
}

// nameApart gives doc sets that would have the same name and version names of their own:
// redis of npm is redis-npm if the project uses that of PyPI too, and yaml of Go has its path.
func nameApart(steps []Step) {
	count := func() map[string]int {
		n := map[string]int{}
		for _, s := range steps {
			n[strings.ToLower(s.Name+"@"+s.Version)]++
		}
		return n
	}
	for _, longer := range []func(Step) string{
		func(s Step) string { return setName(s.Dependency.Name) },
		func(s Step) string { return setName(s.Dependency.Name + "-" + s.Dependency.Ecosystem) },
	} {
		taken := count()
		for i, s := range steps {
			if s.Name != "" && s.Dependency.Ecosystem != "" && taken[strings.ToLower(s.Name+"@"+s.Version)] > 1 {
				steps[i].Name = longer(s)
			}
		}
	}
}

// plainVersion is a version without the signs that Go puts around it.
func plainVersion(version string) string {
	return strings.TrimSuffix(strings.TrimPrefix(version, "v"), "+incompatible")
}

// Pick picks the tag of a step's version in the repository of a candidate; nil where the
// version is not known, or is a part of one that a repository's tags need no help for.
func (s Step) Pick(c Candidate) func(refs []string) (string, bool) {
	d := s.Dependency
	release := d.Version
	if c.How == HowListed {
		release = plainVersion(releaseOf(d))
		if name, ok := typed(d); ok {
			d.Name, release = name, majorMinor(release)
		}
	}
	if !InRepository(c.How) || release == "" {
		return nil
	}
	return func(refs []string) (string, bool) {
		if tag, ok := c.listed.TagOf(release); ok && slices.Contains(refs, tag) {
			return tag, true
		}
		return pickTag(d.Name, release, refs)
	}
}

// pickTag finds the tag of a version of a package among the tags and branches of its
// repository. In a repository of several packages the name stands before the version: that
// of the package, or its folder.
func pickTag(name, version string, tags []string) (string, bool) {
	version = plainVersion(version)
	has := map[string]bool{}
	for _, t := range tags {
		has[t] = true
	}
	for _, n := range namesInTags(name) {
		for _, form := range []string{"@", "@v", "-v", "-", "/v", "/", "_", "_v"} {
			if tag := n + form + version; has[tag] {
				return tag, true
			}
		}
	}
	for _, tag := range []string{"v" + version, version} {
		if has[tag] {
			return tag, true
		}
	}
	for _, n := range namesInTags(name) {
		own := slices.DeleteFunc(slices.Clone(tags), func(tag string) bool {
			rest, begins := strings.CutPrefix(tag, n)
			return !begins || rest == "" || !strings.Contains("@-/_", rest[:1])
		})
		if tag, ok := git.Newest(version, own); ok {
			return tag, true
		}
	}
	return git.Newest(version, tags)
}

// namesInTags are the names that the tags of a package may begin with: its own, its last
// part, and those of the folders of a Go module, without its major version.
func namesInTags(name string) []string {
	path := strings.Split(strings.ReplaceAll(name, ":", "/"), "/")
	if n := len(path) - 1; n > 0 && isMajor(path[n]) {
		path = path[:n]
	}
	out := []string{name, path[len(path)-1]}
	for i := 1; i < len(path)-1; i++ {
		out = append(out, strings.Join(path[i:], "/"))
	}
	return out
}

// isMajor reports whether the last part of a Go module's path is its major version: v2.
func isMajor(part string) bool {
	return len(part) > 1 && part[0] == 'v' && strings.Trim(part[1:], "0123456789") == ""
}
