package sourcing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/service/home"
	"docent/pipeline/service/sourcing/kept"
	"docent/pipeline/source"
	"docent/pipeline/text/plural"
	"docent/store"
	"docent/store/doc"
	"docent/store/durable"
)

// fetching is one fetch of a source.
type fetching struct {
	svc       *Service
	want      source.Want      // as a person named it
	explained source.Want      // where it is the name of a recipe, what that says; else the same
	fetcher   source.Fetcher   // of explained
	found     *source.Mirrored // what a mirror's list says of the package; nil: no mirror has it
	staging   string
	before    *source.Before // of known; nil: it is not there yet
	known     store.Set
	watch     home.Watch
	force     bool
}

// choose finds out what the name of a recipe stands for, and the fetcher of the source.
func (f *fetching) choose() (err error) {
	f.explained = f.want
	if f.want.Kind == source.KindRecipe {
		if f.svc.opt.Explain == nil {
			return &source.Error{Source: f.want.Address, Reason: "there is no folder of this name here",
				Do: "give the path of a folder, or an address"}
		}
		if f.explained, err = f.svc.opt.Explain(f.want); err != nil {
			return err
		}
	}
	if f.fetcher = f.svc.opt.Fetchers[f.explained.Kind]; f.fetcher == nil {
		return &source.Error{Source: f.want.Address, Reason: fmt.Sprintf("a source of this kind (%s) cannot be fetched", f.explained.Kind),
			Do: "give a folder or a repository"}
	}
	return nil
}

// shrinks is the share of a source's files below which its present files do not replace the
// earlier ones.
const shrinks = 2.0 / 3

// fetch brings the documents into the staging folder.
func (f *fetching) fetch(ctx context.Context) (source.Fetched, error) {
	seq := 0
	tell := func(kind contract.EventKind, p source.Progress) {
		if f.watch.Events != nil {
			seq++
			f.watch.Events(contract.Event{Seq: seq, Phase: PhaseFetch, Kind: kind, Text: p.Text, Done: p.Done, Total: p.Total})
		}
	}
	if f.explained.Note != "" {
		f.watch.Notef("%s: %s", f.want.Address, f.explained.Note)
	}
	index := filepath.Join(f.staging, kept.Index)
	if err := os.RemoveAll(index); err != nil { // of a try that broke off
		return source.Fetched{}, err
	}
	tell(contract.PhaseStarted, source.Progress{Text: f.want.Address})
	got, err := f.fetcher.Fetch(ctx, f.explained, filepath.Join(f.staging, kept.Pages), f.before, func(p source.Progress) {
		tell(contract.PhaseProgress, p)
	})
	if err == nil {
		err = f.checkFound(got)
	}
	if err != nil {
		tell(contract.PhaseFailed, source.Progress{Text: err.Error()})
		return got, err
	}
	tell(contract.PhaseDone, source.Progress{Text: f.want.Address, Done: got.Files, Total: got.Files})
	err = os.Rename(filepath.Join(f.staging, kept.Pages, source.PackedIndex), index)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return got, err
	}
	if got.Note != "" {
		f.watch.Notef("%s: %s", f.want.Address, got.Note)
	}
	got.Source, got.Kind = sourceOf(f.want), f.explained.Kind
	if f.want.Kind != source.KindPacked {
		got.Asked = askedOf(f.want)
	}
	if got.Fetched.IsZero() {
		got.Fetched = f.svc.opt.Now().UTC().Truncate(time.Second)
	}
	if len(got.Failed) > 0 {
		f.watch.Notef("%s: %s", f.want.Address, describeFailures(got.Failed))
	}
	if b := f.before; b != nil {
		return got, f.checkShrunk(got, b.Files)
	}
	if len(got.LeftOut) > 0 {
		f.watch.Notef("%s: %s", f.want.Address, describeLeftOut(got.LeftOut))
	}
	return got, nil
}

// checkShrunk checks that fetched documents are not far less than those that they replace.
func (f *fetching) checkShrunk(got source.Fetched, before int) error {
	if f.force || float64(got.Files) >= shrinks*float64(before) {
		return nil
	}
	return &source.Error{Source: f.want.Address, Reason: fmt.Sprintf("it has %s now and had %d; what was there stays",
		plural.Count(got.Files, "file", "files"), before), Do: "look at the source",
		Remedy: contract.Change("force").To("to take what it has now, give")}
}

// askedOf is what a person narrowed a source to, "" for nothing.
func askedOf(w source.Want) string {
	if w.Ref == "" && w.Path == "" {
		return ""
	}
	return w.Ref + ":" + strings.Trim(w.Path, "/")
}

// sourceOf is a source as `docent add` takes it.
func sourceOf(w source.Want) string {
	if w.Version != "" {
		return w.Address + "@" + w.Version
	}
	return w.Address
}

// replace puts fetched documents in the place of a doc set's documents.
func (f *fetching) replace(ctx context.Context, ref doc.Ref, folder string, got source.Fetched) error {
	if err := durable.Restore(folder); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(f.staging, kept.Pages, files.Boundary), []byte(boundaryText), 0o600); err != nil {
		return err
	}
	if err := writeAddresses(filepath.Join(f.staging, kept.Pages, filepath.FromSlash(got.Root)), got.Addresses); err != nil {
		return err
	}
	keepTimes(filepath.Join(folder, kept.Pages), filepath.Join(f.staging, kept.Pages))
	err := kept.Save(f.staging, kept.Record{Want: f.want, Origin: got.Origin, Root: got.Root, Failed: got.Failed, State: got.State})
	if err != nil {
		return err
	}
	// All machines have them first: one that is killed then gets them back as the others do.
	if err := f.svc.home.Shared.ShareSource(ctx, ref, f.staging); err != nil {
		return err
	}
	if err := durable.Exchange(f.staging, folder); err != nil {
		return err
	}
	if err := f.svc.home.Shared.RecheckSource(ref); err != nil {
		return err
	}
	return os.RemoveAll(f.staging) // the old documents
}

// writeAddresses writes where the files of a doc set lie on the web.
func writeAddresses(root string, all []source.FileAddress) error {
	if len(all) == 0 {
		return nil
	}
	addresses := map[string]string{}
	for _, a := range all {
		addresses[a.File] = a.Address
	}
	return os.WriteFile(filepath.Join(root, files.Addresses), files.FormatAddresses(addresses), 0o600)
}

// boundaryText tells a person what the file is for.
const boundaryText = "This folder was fetched as a whole: its pages may take text from all of it.\n"

// keepTimes gives the files that have not changed the times that they had, so that an update
// need not read them.
func keepTimes(old, fresh string) {
	if _, err := os.Stat(old); err != nil {
		return
	}
	_ = filepath.WalkDir(fresh, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(fresh, file)
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		before := filepath.Join(old, rel)
		was, err := os.Lstat(before)
		now, err2 := d.Info()
		if err != nil || err2 != nil || !was.Mode().IsRegular() || was.Size() != now.Size() || was.ModTime().Equal(now.ModTime()) {
			return nil
		}
		a, err := os.ReadFile(before)
		b, err2 := os.ReadFile(file)
		if err == nil && err2 == nil && bytes.Equal(a, b) {
			_ = os.Chtimes(file, time.Time{}, was.ModTime())
		}
		return nil
	})
}
