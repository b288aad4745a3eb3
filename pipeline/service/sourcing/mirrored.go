package sourcing

import (
	"context"
	"slices"

	"docent/pipeline/contract"
	"docent/pipeline/service/sourcing/kept"
	"docent/pipeline/source"
)

// Mirrors find documentation in mirrors, as docent/pipeline/source/mirror does.
type Mirrors interface {
	Find(ctx context.Context, want source.Want, say func(format string, args ...any)) (source.Mirrored, bool)
}

// chooseFor is choose for a person at this machine, whose mirrors are asked first. What a mirror has
// is wanted as its package: the package is what the person's keys sign, and what an update asks again.
func (f *fetching) chooseFor(ctx context.Context) error {
	if f.svc.opt.Mirrors != nil && f.want.Kind != source.KindPacked {
		if found, ok := f.svc.opt.Mirrors.Find(ctx, f.want, f.watch.Notef); ok {
			f.watch.Notef("%s: %s of the mirror, %s", f.want.Address, found.Set, found.Package.Address)
			f.want, f.found = found.Package, &found
		}
	}
	return f.choose()
}

// checkFound checks that a package is what the list of its mirror says: the list is not signed.
func (f *fetching) checkFound(got source.Fetched) error {
	if f.found == nil || f.found.Source == "" {
		return nil
	}
	if from := got.From; from != nil && from.Source == f.found.Source && from.Commit == f.found.Commit && from.Digest == f.found.Digest {
		return nil
	}
	return &source.Error{Source: f.want.Address, Reason: "the package holds something else than the list of its mirror says",
		Do: "have the packages of the mirror made and listed again"}
}

// keepSigners has a doc set's documents signed by the keys that they were signed by before, unless the
// request names others: then they are fetched anew, so that the signature is checked.
func (f *fetching) keepSigners(folder string) error {
	if f.before == nil || f.want.Kind != source.KindPacked {
		return nil
	}
	r, err := kept.Load(folder)
	if err != nil {
		return err
	}
	switch {
	case len(f.want.Signers) == 0:
		f.want.Signers, f.explained.Signers = r.Want.Signers, r.Want.Signers
	case !slices.Equal(f.want.Signers, r.Want.Signers):
		f.before = nil
	}
	return nil
}

// checkSigners checks that a source with keys is a package.
func (f *fetching) checkSigners(name string) error {
	if len(f.want.Signers) > 0 && f.want.Kind != source.KindPacked {
		return contract.Invalid("require_signature", "%s is no package, and only packages are signed", name)
	}
	return nil
}

// mayBeMirrored reports whether a name without a recipe may be one of a mirror.
func (svc *Service) mayBeMirrored(want source.Want) bool {
	return svc.opt.Mirrors != nil && want.Kind == source.KindRecipe
}
