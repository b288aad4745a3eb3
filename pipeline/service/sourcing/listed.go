package sourcing

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"docent/pipeline/service/home"
	"docent/pipeline/source"
	"docent/pipeline/source/packages"
	"docent/pipeline/source/planning"
	"docent/pipeline/source/project"
)

// fromRepository adds a package whose client failed by its repository, where docent's list or
// the path of a Go module says it. ok is false where neither does, and for an error that says
// something of the package itself.
func (svc *Service) fromRepository(ctx context.Context, req AddRequest, want source.Want, failed error, w home.Watch) (out Added,
	ok bool, err error) {
	e, isSource := errors.AsType[*source.Error](failed)
	kind, name, _ := strings.Cut(want.Address, ":")
	if req.Exactly || svc.opt.Listed == nil || want.Kind != source.KindPackage || !isSource || ctx.Err() != nil ||
		errors.Is(failed, packages.ErrNoDocumentation) {
		return out, false, nil
	}
	step := planning.Make([]project.Dependency{{Ecosystem: kind, Name: name, Version: want.Version}}, nil, svc.opt.Listed)[0]
	i := slices.IndexFunc(step.Candidates, func(c planning.Candidate) bool { return planning.InRepository(c.How) })
	if i < 0 {
		return out, false, nil
	}
	c, by := step.Candidates[i], "its path is the address of a repository"
	if c.How == planning.HowListed {
		by = "docent's list knows its repository"
	}
	w.Notef("%s: %s; %s, %s", sourceOf(want), e.Reason, by, c.Source)
	req.Source, req.Near, req.Path, req.Pick = c.Source, c.Near, cmp.Or(req.Path, c.Path), step.Pick(c)
	req.Name, req.Exactly = cmp.Or(req.Name, step.Name), true
	out, err = svc.add(ctx, req, w, false)
	return out, true, err
}
