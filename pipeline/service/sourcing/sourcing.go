// Package sourcing adds documentation by its name or address, and asks its sources for
// changes: it has them fetched into the home, and puts them in the place of the old in one
// step.
//
// It refuses to fetch itself, which docent/pipeline/source does, and to index, which
// docent/pipeline/service/library does.
package sourcing

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/sourcing/kept"
	"docent/pipeline/service/sourcing/local"
	"docent/pipeline/source"
	"docent/pipeline/text/plural"
	"docent/store"
	"docent/store/doc"
	"docent/store/lock"
)

// PhaseFetch is the phase of the events of a fetch.
const PhaseFetch = "fetch"

// Service fetches the documentation of an opened home.
type Service struct {
	home    *home.Home
	library *library.Service
	opt     Options
}

// Options are what the service needs.
type Options struct {
	// Fetchers are those of each kind of source.
	Fetchers map[string]source.Fetcher
	// Explain gives the source that the name of a recipe stands for; nil: there are no recipes.
	// The error is a *source.Error for a name without a recipe.
	Explain func(want source.Want) (source.Want, error)
	// Instead is the source to take in the place of one that cannot be had, with its Name and a
	// Note that says why; nil: there is none.
	Instead func(want source.Want, failed error) (source.Want, bool)
	// Mirrors are asked before a source; nil: the source alone is.
	Mirrors Mirrors
	Now     func() time.Time
	// CheckEvery is how long a source that was asked is not asked again by an update of all doc
	// sets; 0: each one asks.
	CheckEvery time.Duration
	// Hosts are those that servers may fetch from for others; none: they fetch nothing.
	Hosts []string
	// Resolve gives the addresses of a host; nil: the system does.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
}

// New makes the service.
func New(h *home.Home, l *library.Service, opt Options) *Service {
	return &Service{home: h, library: l, opt: opt}
}

// AddRequest names a source, as `docent add` takes it.
type AddRequest struct {
	Source string
	// Ref and Path narrow a repository; see source.Want.
	Ref, Path string
	Near      string
	// Name, Version, Domain and URLBase are the doc set's; "": they are found out.
	Name, Version, Domain, URLBase string
	// Signers are public keys of minisign, or files with one; see source.Want.
	Signers []string
	// Force takes the present state of a source although it is far less than before.
	Force bool
	// Exactly takes the source and, where it cannot be had, no other one.
	Exactly bool
	// Pick chooses one of a repository's tags and branches. Accept looks at the fetched documents: its error leaves the home as
	// it was. Both may be nil.
	Pick   func(refs []string) (ref string, ok bool)
	Accept func(source.Fetched) error
}

// wantedSource reads the request's source.
func (req AddRequest) wantedSource() (source.Want, error) {
	want, ok := local.Parse(req.Source)
	if !ok {
		return want, contract.Invalid("path", "%q is no source; give a folder, an address, or a name", req.Source)
	}
	want.Ref, want.Path = cmp.Or(req.Ref, want.Ref), cmp.Or(req.Path, want.Path)
	want.Near = req.Near
	var err error
	if want.Signers, err = local.SignerTexts(req.Signers); err != nil {
		return want, contract.Invalid("require_signature", "%v", err)
	}
	if req.Pick != nil {
		plain := want
		want.Pick = func(refs []string) (source.Want, bool) {
			picked := plain
			ref, ok := req.Pick(refs)
			picked.Ref = ref
			return picked, ok
		}
	}
	return want, nil
}

// Added is what adding a source did.
type Added struct {
	library.Updated
	Source *source.Origin `json:"source"`
	// Others are folders of the source that could have been meant.
	Others []string `json:"others,omitempty"`
	// Better are other sources that the source itself names.
	Better []string `json:"better,omitempty"`
	// Failed are the parts of the source that could not be had.
	Failed []source.Failure `json:"not_fetched,omitempty"`
	// LeftOut are the parts of the source that were left out on purpose.
	LeftOut []source.LeftOut `json:"left_out,omitempty"`
}

// Add fetches the documentation that a source has and adds it as a doc set.
func (svc *Service) Add(ctx context.Context, req AddRequest, w home.Watch) (Added, error) {
	return svc.add(ctx, req, w, false)
}

// add is Add; strict says that somebody else than the person at this machine asked.
func (svc *Service) add(ctx context.Context, req AddRequest, w home.Watch, strict bool) (out Added, err error) {
	want, err := req.wantedSource()
	if err != nil {
		return out, err
	}
	f := fetching{svc: svc, want: want, watch: w, force: req.Force}
	known, _, err := svc.find(ctx, want, doc.Ref{Name: req.Name, Version: req.Version})
	if err != nil {
		return out, err
	}
	choose := f.choose
	// Somebody else gets what an allowed host has, and a doc set that is here goes on with
	// its source.
	if !strict && known == nil {
		choose = func() error { return f.chooseFor(ctx) }
	}
	if err := choose(); err != nil {
		return out, asContract(err)
	}
	if err := f.checkSigners(req.Source); err != nil {
		return out, err
	}
	want = f.want
	f.explained.Strict = strict
	staging, release, err := svc.stage(ctx, want)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, release()) }()
	f.staging = staging
	if f.before, f.known, err = svc.find(ctx, want, doc.Ref{Name: req.Name, Version: req.Version}); err != nil {
		return out, err
	}
	if f.before != nil {
		if err := f.keepSigners(svc.home.SourceFolder(f.known.Ref)); err != nil {
			return out, err
		}
	}
	got, err := f.fetch(ctx)
	switch {
	case errors.Is(err, source.ErrUnchanged):
		out.Source = &f.before.Origin
		out.Updated, err = svc.library.Update(ctx, library.UpdateRequest{Sets: []string{f.known.Ref.String()}}, w)
		return out, err
	case err != nil:
		if other, ok := svc.instead(ctx, req, want, err); ok && f.before == nil && !strict {
			w.Notef("%s", other.Note)
			return svc.add(ctx, requestFor(other, req), w, false)
		}
		return out, asContract(err)
	}
	if req.Accept != nil {
		if err := req.Accept(got); err != nil {
			return out, err
		}
	}
	out, err = svc.place(ctx, f, got, req)
	if err != nil || want.Kind != source.KindPacked {
		return out, err
	}
	return svc.addOthers(ctx, req, out, w, strict)
}

// Check says why a text that names a source names none that can be fetched, as far as that is
// known without asking it.
func (svc *Service) Check(text string) error {
	want, ok := local.Parse(text)
	if !ok {
		return contract.Invalid("path", "%q is no source; give a folder, an address, or a name", text)
	}
	if svc.mayBeMirrored(want) {
		return nil
	}
	f := fetching{svc: svc, want: want}
	return asContract(f.choose())
}

// asContract is an error of a fetch in its form for other programs.
func asContract(err error) error {
	e, ok := errors.AsType[*source.Error](err)
	if !ok {
		return err
	}
	if e.Err == nil {
		// The argument may have been meant as a folder's path.
		invalid := contract.Invalid("path", "%v", e)
		if e.Remedy != nil {
			invalid.Remedy = e.Remedy
		}
		return invalid
	}
	return contract.Unavailable(e, "%v", e).WithRemedy(e.Remedy)
}

// place puts fetched documents into the home and indexes it.
func (svc *Service) place(ctx context.Context, f fetching, got source.Fetched, req AddRequest) (out Added, err error) {
	ref := doc.Ref{Name: cmp.Or(req.Name, got.Name), Version: cmp.Or(req.Version, strings.TrimLeft(f.explained.Version, "vV"),
		got.Release, doc.DefaultVersion)}
	for _, n := range [][2]string{{"name", ref.Name}, {"version", ref.Version}} {
		if err := doc.CheckName(n[1]); err != nil {
			return out, contract.Invalid(n[0], "%v", err)
		}
	}
	folder := svc.home.SourceFolder(ref)
	if f.want.Kind == source.KindPacked {
		f.want.Path = got.Path // the package may have others at another time
	}
	isNew, err := svc.checkFree(ctx, &f, ref, folder, got)
	if err != nil {
		return out, err
	}
	if err := svc.home.Shared.FillSource(ctx, ref); err != nil {
		return out, err
	}
	if err := f.replace(ctx, ref, folder, got); err != nil {
		return out, err
	}
	defer func() {
		if err != nil && isNew && !svc.registered(context.WithoutCancel(ctx), ref) {
			err = errors.Join(err, os.RemoveAll(folder), svc.home.Shared.ForgetSource(context.WithoutCancel(ctx), ref))
		}
	}()
	root := filepath.Join(folder, kept.Pages, filepath.FromSlash(got.Root))
	urlBase := cmp.Or(req.URLBase, f.explained.URLBase, got.URLBase)
	if urlBase == "" && ingest.FindSite(root) == "" {
		urlBase = got.FileBase
	}
	plan, err := library.Discover(ctx, library.AddRequest{Paths: []string{root}, Name: ref.Name, Version: ref.Version,
		Domain: cmp.Or(req.Domain, got.Domain), URLBase: urlBase, Domains: svc.home.Settings.Domains}, svc.home.Parsers, f.watch)
	if err != nil {
		return out, nameSource(err, req.Source, got.Path)
	}
	watch := f.watch
	watch.Report = func(r ingest.Report) {
		if f.watch.Report != nil && (!isNew || r.Pages > 0) {
			f.watch.Report(r)
		}
	}
	out.Updated, err = svc.completed(ctx, []store.Set{{Ref: ref}}, watch, func(w home.Watch) (library.Updated, error) {
		return svc.library.Add(ctx, plan, w)
	})
	if err == nil && isNew {
		err = svc.refuseEmpty(ctx, out.Sets, f.want)
	}
	origin := got.Origin
	out.Source, out.Others, out.Better, out.Failed, out.LeftOut = &origin, got.Others, got.Better, got.Failed, got.LeftOut
	return out, err
}

// refuseEmpty forgets a new doc set that has no page, such as that of a site whose first page says
// that it was not found.
func (svc *Service) refuseEmpty(ctx context.Context, reports []ingest.Report, want source.Want) error {
	if len(reports) != 1 || reports[0].Pages > 0 {
		return nil
	}
	e := &source.Error{Source: sourceOf(want), Reason: "no page in it can be read",
		Do: "look at it, and give the address or folder of its pages"}
	if failed := reports[0].Failed; len(failed) > 0 {
		e.Reason += ": " + failed[0].Path + ": " + failed[0].Reason
	}
	_, err := svc.library.Remove(ctx, library.RemoveRequest{Sets: []string{reports[0].Set}})
	return errors.Join(asContract(e), err)
}

// nameSource is an error about a folder of the home by the source that a person named.
func nameSource(err error, name, folder string) error {
	e, ok := errors.AsType[*contract.Error](err)
	if !ok || e.Details["field"] != "path" {
		return err
	}
	where := name
	if folder != "" {
		where = folder + " of " + name
	}
	return contract.Invalid("path", "no page was found in %s; name another folder of it", where)
}

// checkFree checks that no other folder has the name, and no other source; isNew: no doc set
// has it yet. A package may replace what another package brought.
func (svc *Service) checkFree(ctx context.Context, f *fetching, ref doc.Ref, folder string, got source.Fetched) (isNew bool, err error) {
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(sets, func(s store.Set) bool { return s.Ref == ref })
	if i < 0 {
		return true, nil
	}
	if !strings.HasPrefix(sets[i].Root, folder+string(filepath.Separator)) {
		return false, &library.TakenError{Ref: ref, Root: sets[i].Root}
	}
	switch r, err := kept.Load(folder); {
	case err != nil || key(r.Want) == key(f.want):
	case r.Want.Kind == source.KindPacked && f.want.Kind == source.KindPacked:
		return false, asContract(f.checkShrunk(got, r.Origin.Files))
	default:
		return false, &library.TakenError{Ref: ref, Root: r.Origin.Source}
	}
	return false, nil
}

func (svc *Service) registered(ctx context.Context, ref doc.Ref) bool {
	sets, err := svc.home.Corpus.Sets(ctx)
	return err != nil || slices.ContainsFunc(sets, func(s store.Set) bool { return s.Ref == ref })
}

// key tells sources apart: two with the same key are one.
func key(w source.Want) string {
	w.AtMost, w.Name, w.URLBase, w.Licence, w.Signers = source.Limits{}, "", "", "", nil
	raw, err := json.Marshal(w)
	if err != nil {
		return fmt.Sprintf("%+v", w)
	}
	return string(raw)
}

// find looks for the doc set that the same source was added as.
func (svc *Service) find(ctx context.Context, want source.Want, named doc.Ref) (*source.Before, store.Set, error) {
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return nil, store.Set{}, err
	}
	for _, s := range sets {
		r, folder, ok, err := kept.ReadRecord(ctx, svc.home, s)
		if err != nil || !ok || key(r.Want) != key(want) || named.Name != "" && named.Name != s.Ref.Name ||
			named.Version != "" && named.Version != s.Ref.Version {
			continue
		}
		return beforeOf(r, folder), s, nil
	}
	return nil, store.Set{}, nil
}

func beforeOf(r kept.Record, folder string) *source.Before {
	return &source.Before{Origin: r.Origin, Folder: filepath.Join(folder, kept.Pages), State: r.State}
}

// keepStaged is how long what an interrupted fetch left is kept for the next try.
const keepStaged = 7 * 24 * time.Hour

// stage makes the folder that a source is fetched into, and holds it: what an interrupted
// fetch of the same source left lies there.
func (svc *Service) stage(ctx context.Context, want source.Want) (dir string, release func() error, err error) {
	above := filepath.Join(svc.home.Dir, home.SourcesFolder, ".next")
	if err := os.MkdirAll(above, home.FolderMode); err != nil {
		return "", nil, svc.home.CannotWrite(err)
	}
	svc.sweep(above)
	sum := sha256.Sum256([]byte(key(want)))
	dir = filepath.Join(above, hex.EncodeToString(sum[:8]))
	held, err := lock.Acquire(ctx, dir+".lock", "fetching "+want.Address, time.Minute, func(holder string) {
		svc.home.Say("waiting for %s to finish fetching %s", holder, want.Address)
	})
	if err != nil {
		return "", nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, kept.Pages), home.FolderMode); err != nil {
		return "", nil, errors.Join(svc.home.CannotWrite(err), held.Release())
	}
	return dir, held.Release, nil
}

// sweep removes what interrupted fetches left long ago.
func (svc *Service) sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if st, err := e.Info(); err == nil && svc.opt.Now().Sub(st.ModTime()) > keepStaged {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// describeFailures says in a line what could not be had.
func describeFailures(failed []source.Failure) string {
	const most = 3
	parts := make([]string, 0, most+1)
	for _, f := range failed[:min(most, len(failed))] {
		parts = append(parts, f.What+": "+f.Reason)
	}
	if more := len(failed) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("… %d more", more))
	}
	return fmt.Sprintf("%s could not be fetched: %s", plural.Count(len(failed), "part", "parts"), strings.Join(parts, "; "))
}

// describeLeftOut counts in a line what was left out on purpose.
func describeLeftOut(all []source.LeftOut) string {
	parts := make([]string, 0, len(all))
	for _, l := range all {
		parts = append(parts, fmt.Sprintf("%s (%d)", l.Reason, l.Count))
	}
	return "left out: " + strings.Join(parts, ", ")
}

// Fetched reports whether the documents of a doc set were fetched into the home.
func (svc *Service) Fetched(ctx context.Context, s store.Set) bool {
	return kept.Origin(ctx, svc.home, s) != nil
}

// IsSource reports whether a text names a source: an archive, a package or a bundle on the disk, a
// folder of packages, or by its form an address. Another file or folder of that name
// names none.
func IsSource(text string) bool {
	_, ok := local.Parse(text)
	return ok || len(local.PackagesIn(text)) > 0 || isMeantAsAddress(text)
}

// isMeantAsAddress reports whether a text that no file has for its name begins as an address does,
// or as a package: its fault is said then. A single letter is a drive of Windows.
func isMeantAsAddress(text string) bool {
	kind, _, ok := strings.Cut(text, ":")
	if _, err := os.Lstat(text); err == nil || !ok || len(kind) < 2 {
		return false
	}
	return !strings.ContainsFunc(kind, func(r rune) bool { return r < 'a' || r > 'z' })
}
