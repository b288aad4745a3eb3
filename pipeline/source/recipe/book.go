package recipe

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"docent/pipeline/text/spelling"
)

//go:embed recipes/*.toml
var builtIn embed.FS

const (
	mostRecipes = 2000    // files of one folder
	mostBytes   = 1 << 16 // of one file
)

// Book has recipes, each by its name and its aliases.
type Book struct {
	recipes []Recipe
	named   map[string]int
}

// builtin is the book of the program's own recipes.
func builtin() (*Book, []*Fault) {
	folder, err := fs.Sub(builtIn, "recipes")
	if err != nil {
		return &Book{}, []*Fault{{File: "recipes", Reason: err.Error()}}
	}
	return load(folder)
}

// WithOwn is the program's recipes with a person's own, which replace those of their names. own
// is the folder of these; nil: the person has no recipes.
func WithOwn(own fs.FS) (*Book, []*Fault) {
	book, faults := builtin()
	if own == nil {
		return book, faults
	}
	mine, more := load(own)
	all := slices.Clone(mine.recipes)
	for i := range all {
		all[i].Own = true
	}
	for _, r := range book.recipes {
		if _, replaced := mine.named[r.Name]; replaced {
			continue
		}
		r.Aliases = slices.DeleteFunc(slices.Clone(r.Aliases), func(a string) bool { _, taken := mine.named[a]; return taken })
		all = append(all, r)
	}
	merged, _ := newBook(all)
	return merged, append(faults, more...)
}

// load reads the files *.toml of a folder. A file that is no recipe is a fault, and the others
// count. A folder that is not there has no recipes.
func load(folder fs.FS) (*Book, []*Fault) {
	var faults []*Fault
	entries, err := fs.ReadDir(folder, ".")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		faults = append(faults, &Fault{File: "recipes", Reason: fmt.Sprintf("the folder cannot be read: %v", err)})
	}
	var all []Recipe
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".toml") || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if len(all) == mostRecipes {
			faults = append(faults, &Fault{File: e.Name(),
				Reason: fmt.Sprintf("there are more than %d recipes; the rest does not count", mostRecipes)})
			break
		}
		r, fault := loadFile(folder, e)
		if fault != nil {
			faults = append(faults, fault)
			continue
		}
		all = append(all, r)
	}
	book, more := newBook(all)
	return book, append(faults, more...)
}

func loadFile(folder fs.FS, e fs.DirEntry) (Recipe, *Fault) {
	name := e.Name()
	info, err := fs.Stat(folder, name)
	switch {
	case err != nil:
		return Recipe{}, &Fault{File: name, Reason: fmt.Sprintf("it cannot be read: %v", err)}
	case !info.Mode().IsRegular():
		return Recipe{}, &Fault{File: name, Reason: "it is no file"}
	case info.Size() > mostBytes:
		return Recipe{}, &Fault{File: name, Reason: fmt.Sprintf("it has more than %d bytes", mostBytes)}
	}
	text, err := fs.ReadFile(folder, name)
	if err != nil {
		return Recipe{}, &Fault{File: name, Reason: fmt.Sprintf("it cannot be read: %v", err)}
	}
	r, err := decode(name, text)
	if err != nil {
		if fault, ok := errors.AsType[*Fault](err); ok {
			return Recipe{}, fault
		}
		return Recipe{}, &Fault{File: name, Reason: err.Error()}
	}
	if r.Name+".toml" != name {
		return Recipe{}, &Fault{File: name, Key: "name",
			Reason: fmt.Sprintf("the file of the recipe %s is called %s.toml", r.Name, r.Name)}
	}
	return r, nil
}

// newBook makes a book. A name or alias that two recipes have is a fault of the later one,
// which then does not count.
func newBook(all []Recipe) (*Book, []*Fault) {
	slices.SortStableFunc(all, func(a, b Recipe) int { return strings.Compare(a.Name, b.Name) })
	b := &Book{named: map[string]int{}}
	var faults []*Fault
	for _, r := range all {
		taken := ""
		for _, name := range append([]string{r.Name}, r.Aliases...) {
			if i, ok := b.named[name]; ok && taken == "" {
				taken = fmt.Sprintf("%s is a name of the recipe %s too", name, b.recipes[i].Name)
			}
		}
		if taken != "" {
			faults = append(faults, &Fault{File: r.Name + ".toml", Key: "aliases", Reason: taken})
			continue
		}
		for _, name := range append([]string{r.Name}, r.Aliases...) {
			b.named[name] = len(b.recipes)
		}
		b.recipes = append(b.recipes, r)
	}
	return b, faults
}

// All are the recipes, by name.
func (b *Book) All() []Recipe { return slices.Clone(b.recipes) }

// Named is the recipe of a name or an alias, in any case.
func (b *Book) Named(name string) (r Recipe, ok bool) {
	i, ok := b.named[strings.ToLower(strings.TrimSpace(name))]
	if !ok {
		return Recipe{}, false
	}
	return b.recipes[i], true
}

// NearestNames are up to three names that a wrong one may be meant as.
func (b *Book) NearestNames(name string) []string {
	return spelling.Nearest(name, slices.Sorted(maps.Keys(b.named)))
}

// ForPackage is the recipe that documents a package of an ecosystem. Of a Go module also
// its later major versions and the packages in it count. GROUP:* of Maven is all of a group.
func (b *Book) ForPackage(ecosystem, name string) (r Recipe, ok bool) {
	name = plainPackage(ecosystem, name)
	longest := -1
	for _, candidate := range b.recipes {
		for _, p := range candidate.Packages[ecosystem] {
			p = plainPackage(ecosystem, p)
			group, isGroup := strings.CutSuffix(p, ":*")
			fits := name == p || ecosystem == "go" && strings.HasPrefix(name, p+"/") ||
				ecosystem == "maven" && isGroup && strings.HasPrefix(name, group+":")
			if fits && len(p) > longest {
				r, longest = candidate, len(p)
			}
		}
	}
	return r, longest >= 0
}

var pypiSeparators = regexp.MustCompile(`[-_.]+`)

// plainPackage is the name of a package as its registry compares names.
func plainPackage(ecosystem, name string) string {
	switch ecosystem {
	case "pypi": // PEP 503
		return pypiSeparators.ReplaceAllString(strings.ToLower(name), "-")
	case "cargo":
		return strings.ReplaceAll(strings.ToLower(name), "_", "-")
	case "composer", "nuget":
		return strings.ToLower(name)
	}
	return name
}

// Find are the recipes that have every word in their names, their line, their packages or
// their address; those of which a word is the name come first.
func (b *Book) Find(words []string) []Recipe {
	type found struct {
		Recipe
		rank int
	}
	var all []found
	for _, r := range b.recipes {
		rank, fits := 0, true
		for _, w := range words {
			n := r.rankOf(strings.ToLower(w))
			fits, rank = fits && n > 0, max(rank, n)
		}
		if fits {
			all = append(all, found{r, rank})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.rank, a.rank) })
	out := make([]Recipe, len(all))
	for i, f := range all {
		out[i] = f.Recipe
	}
	return out
}

// rankOf says how well a word fits a recipe; 0: not at all.
func (r Recipe) rankOf(word string) int {
	names := append([]string{r.Name}, r.Aliases...)
	has := func(text string) bool { return strings.Contains(strings.ToLower(text), word) }
	begins := func(text string) bool { return strings.HasPrefix(text, word) }
	switch {
	case slices.Contains(names, word):
		return 4
	case slices.ContainsFunc(names, begins):
		return 3
	case slices.ContainsFunc(names, has):
		return 2
	case has(r.About), has(r.Source):
		return 1
	}
	for _, packages := range r.Packages {
		if slices.ContainsFunc(packages, has) {
			return 1
		}
	}
	return 0
}
