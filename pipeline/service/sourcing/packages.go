package sourcing

import (
	"context"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/service/sourcing/local"
	"docent/pipeline/source"
)

// Expand gives for each folder that holds packages and nothing else the packages in it; other
// texts stay.
func Expand(texts []string) []string { return local.Expand(texts) }

// Folder is the folder of the source that the documents were taken from, "" where it has none.
func (a Added) Folder() string {
	if a.Source == nil || a.Source.Kind == source.KindPacked {
		return ""
	}
	return a.Source.Path
}

// addOthers adds the doc sets of a package behind the first.
func (svc *Service) addOthers(ctx context.Context, req AddRequest, first Added, w home.Watch, strict bool) (Added, error) {
	others := first.Others
	first.Others = nil
	if len(others) > 0 && (req.Name != "" || req.Version != "" || req.URLBase != "") {
		return first, contract.Invalid("name",
			"a name, version or url_base is for one doc set, and the package has %d; the first was added", len(others)+1)
	}
	for _, ref := range others {
		req.Path = ref
		one, err := svc.add(ctx, req, w, strict)
		if err != nil {
			return first, err
		}
		first.Sets = append(first.Sets, one.Sets...)
		first.Vectors = append(first.Vectors, one.Vectors...)
		first.Failed = append(first.Failed, one.Failed...)
	}
	return first, nil
}
