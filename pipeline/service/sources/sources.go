// Package sources lists the recipes of a home: the names whose documentation can be added.
//
// It refuses to fetch any of them.
package sources

import (
	"context"
	"io/fs"
	"strings"

	"docent/pipeline/source/recipe"
)

// Folder is the folder of a home with a person's own recipes.
const Folder = "recipes"

// Service reads the recipes of a home.
type Service struct{ own fs.FS }

// New makes the service. own is the folder with a person's own recipes, which need not exist.
func New(own fs.FS) *Service { return &Service{own: own} }

// Request narrows the recipes by words.
type Request struct {
	Words []string `json:"words,omitempty" arg:"WORD" query:"word" maxItems:"20" maxLength:"100" doc:"words of a recipe"`
}

// SourceList lists recipes.
type SourceList struct {
	Total   int          `json:"total"`
	Sources []SourceInfo `json:"sources"`
	// Near are names that may be meant, where there is no recipe with the words.
	Near []string `json:"near,omitempty"`
	// Faults are the files of the home's folder that are no recipes.
	Faults []*recipe.Fault `json:"faults,omitempty"`
}

// SourceInfo is a recipe as it is listed.
type SourceInfo struct {
	Name    string   `json:"name"`
	Aliases []string `json:"aliases,omitempty"`
	About   string   `json:"about"`
	Kind    string   `json:"kind"`
	Source  string   `json:"source"`
	Path    string   `json:"path,omitempty"`
	// Versions is true where the source keeps versions apart.
	Versions bool                `json:"versions"`
	Licence  string              `json:"licence,omitempty"`
	Packages map[string][]string `json:"packages,omitempty"`
	Checked  string              `json:"checked,omitempty"`
	Own      bool                `json:"own,omitempty"` // of the home's folder
}

// recipeBook is the recipes of the program and of the home. They are read anew each time.
func (svc *Service) recipeBook(ctx context.Context) (*recipe.Book, []*recipe.Fault, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	book, faults := recipe.WithOwn(svc.own)
	return book, faults, nil
}

// List lists the recipes that have all words of the request.
func (svc *Service) List(ctx context.Context, req Request) (SourceList, error) {
	book, faults, err := svc.recipeBook(ctx)
	if err != nil {
		return SourceList{}, err
	}
	found := book.Find(req.Words)
	answer := SourceList{Total: len(found), Sources: make([]SourceInfo, len(found)), Faults: faults}
	for i, r := range found {
		answer.Sources[i] = SourceInfo{Name: r.Name, Aliases: r.Aliases, About: r.About, Kind: r.Kind, Source: r.Source, Path: r.Path,
			Versions: r.KeepsVersions(), Licence: r.Licence, Packages: r.Packages, Checked: r.Checked, Own: r.Own}
	}
	if len(found) == 0 {
		answer.Near = book.NearestNames(strings.Join(req.Words, " "))
	}
	return answer, nil
}
