package syncing

import (
	"context"
	"path/filepath"
	"slices"

	"docent/pipeline/source/planning"
)

// Narrowed are the doc sets of a project.
type Narrowed struct {
	// Project is the name of its folder, and Lock the path of its docent.lock; both are ""
	// where a folder lies in no project that was synced.
	Project string `json:"project,omitempty"`
	Lock    string `json:"lock,omitempty"`
	// DocSets are those of the lock that the home has, Name@Version in the order of their names.
	DocSets []string `json:"doc_sets,omitempty"`
	// Missing are those that the home lacks.
	Missing []string `json:"missing,omitempty"`
}

// Narrow gives the doc sets of the project that a folder lies in: questions that are asked
// there concern them. The error says why its docent.lock cannot be read.
func (svc *Service) Narrow(ctx context.Context, dir string) (Narrowed, error) {
	path, lock, err := planning.FindLock(dir)
	if path == "" {
		return Narrowed{}, err
	}
	out := Narrowed{Project: filepath.Base(filepath.Dir(path)), Lock: path}
	if err != nil {
		return out, unreadableLock(path, err)
	}
	held, err := svc.held(ctx)
	if err != nil {
		return out, err
	}
	for _, d := range lock.Docs {
		if d.Name == "" {
			continue
		}
		name := d.Name + "@" + d.Version
		if slices.ContainsFunc(held, func(h planning.Held) bool { return h.Name == d.Name && h.Version == d.Version }) {
			out.DocSets = append(out.DocSets, name)
		} else {
			out.Missing = append(out.Missing, name)
		}
	}
	for _, list := range []*[]string{&out.DocSets, &out.Missing} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return out, nil
}
