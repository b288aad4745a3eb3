package sources

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/recipe"
)

// mostNear is how many names an error says to be near.
const mostNear = 3

// Explain gives the source that the name of a recipe stands for. The error is a *source.Error
// for a name without a recipe.
func (svc *Service) Explain(want source.Want) (source.Want, error) {
	book, _, err := svc.recipeBook(context.Background())
	if err != nil {
		return want, err
	}
	r, ok := book.Named(want.Address)
	if !ok {
		reason := "there is neither a folder nor a recipe of this name"
		if near := book.NearestNames(want.Address); len(near) > 0 {
			reason += " (did you mean " + strings.Join(near[:min(mostNear, len(near))], " or ") + "?)"
		}
		return want, &source.Error{Source: want.Address, Reason: reason, Do: "give the path of a folder, or an address"}
	}
	chosen, err := r.Choose(want.Version)
	if err != nil {
		return want, &source.Error{Source: want.Address, Reason: err.Error(), Do: "give another version"}
	}
	out := chosen.Want
	if chosen.Unversioned {
		out.Note = fmt.Sprintf("its source keeps the newest documentation alone: that is what is fetched, and not that of %s", want.Version)
	}
	own := func(w source.Want) source.Want {
		if want.Ref != "" {
			w.Ref = want.Ref
		}
		if want.Path != "" {
			w.Path = want.Path
		}
		return w
	}
	if out = own(out); want.Ref != "" {
		out.Version = ""
		return out, nil
	}
	if chosen.Scheme != nil {
		out.Pick = func(refs []string) (source.Want, bool) { return completeSource(chosen, refs, own) }
	}
	return out, nil
}

// completeSource completes the source of a recipe by the branches and tags that there are.
func completeSource(chosen recipe.Choice, refs []string, own func(source.Want) source.Want) (source.Want, bool) {
	ref, ok := chosen.Scheme.Pick(chosen.Want.Version, refs)
	if !ok {
		return chosen.Want, false
	}
	w, err := chosen.WithRef(ref)
	return own(w), err == nil
}

// Recipes are the recipes that a home has at one moment. Reading the files of all recipes takes
// milliseconds, and a project has thousands of packages to look up.
type Recipes struct{ book *recipe.Book }

// Recipes reads the recipes for many look-ups.
func (svc *Service) Recipes(ctx context.Context) (Recipes, error) {
	book, _, err := svc.recipeBook(ctx)
	return Recipes{book}, err
}

// Lookup finds the recipe of a package: its name with the version, where its source keeps
// versions apart.
func (all Recipes) Lookup(ecosystem, name, version string) (text string, ok bool) {
	if !slices.Contains(recipe.Ecosystems(), ecosystem) {
		return "", false
	}
	r, ok := all.book.ForPackage(ecosystem, name)
	if !ok {
		return "", false
	}
	if version = strings.TrimPrefix(version, "v"); version == "" || !r.KeepsVersions() {
		return r.Name, true
	}
	return r.Name + "@" + version, true
}
