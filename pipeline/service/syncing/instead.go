package syncing

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/packages"
	"docent/pipeline/source/planning"
	"docent/pipeline/source/project"
)

// Instead gives the repository of a package whose client failed, where a list or the path of a
// Go module says it: sourcing.Options.Instead. What a client says of the package itself stands.
func Instead(listed planning.Listed) func(want source.Want, failed error) (source.Want, bool) {
	return func(want source.Want, failed error) (source.Want, bool) {
		e, isSource := errors.AsType[*source.Error](failed)
		kind, name, _ := strings.Cut(want.Address, ":")
		if want.Kind != source.KindPackage || !isSource || errors.Is(failed, packages.ErrNoDocumentation) {
			return source.Want{}, false
		}
		step := planning.Make([]project.Dependency{{Ecosystem: kind, Name: name, Version: want.Version}}, nil, listed)[0]
		i := slices.IndexFunc(step.Candidates, func(c planning.Candidate) bool { return planning.InRepository(c.How) })
		if i < 0 {
			return source.Want{}, false
		}
		c, by := step.Candidates[i], "its path is the address of a repository"
		if c.How == planning.HowListed {
			by = "docent's list knows its repository"
		}
		other, ok := source.Parse(c.Source)
		if pick := step.Pick(c); pick != nil {
			plain := other
			other.Pick = func(refs []string) (source.Want, bool) {
				picked, found := plain, false
				picked.Ref, found = pick(refs)
				return picked, found
			}
		}
		other.Name, other.Near, other.Path = step.Name, c.Near, c.Path
		other.Note = fmt.Sprintf("%s: %s; %s, %s", e.Source, e.Reason, by, c.Source)
		return other, ok
	}
}
