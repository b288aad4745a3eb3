package home

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/service/uploads"
	"docent/store"
	"docent/store/doc"
)

// Files keeps the documents that belong to a home itself, handed in or fetched, where several
// machines use it, each with a folder of its own. A folder is named by its place in the home, with
// slashes. It has more than five methods because they are the whole traffic between a machine's
// folder and the store.
type Files interface {
	// Fill brings a folder to what the store has. FillNow sees what changed up to this moment.
	Fill(ctx context.Context, folder string) error
	FillNow(ctx context.Context, folder string) error
	// Mend puts a file right that was altered on this machine, and reports whether it did.
	Mend(ctx context.Context, folder, path string) (bool, error)
	// Restore compares all files of a folder by their contents, and replaces those that differ.
	Restore(ctx context.Context, folder string) error
	// Push makes the store's files at or below paths in a folder the ones that are here.
	Push(ctx context.Context, folder string, paths ...string) error
	// Change changes files of a folder at or below paths, and makes the store's the same. No Fill runs
	// in between.
	Change(ctx context.Context, folder string, do func() error, paths ...string) error
	// Replace makes the store's files of a folder those of another one. Recheck says that the folder was
	// replaced here, too.
	Replace(ctx context.Context, folder, from string) error
	Recheck(folder string) error
	// Forget removes a folder from the store.
	Forget(ctx context.Context, folder string) error
	// Sweep removes from the store what no folder needs any more. It does nothing where this process
	// changed nothing, or swept a short while ago.
	Sweep(ctx context.Context) error
	// Check looks for documents without their content; with deep it reads every content.
	Check(ctx context.Context, deep bool) (LostFiles, error)
	// Rescue keeps contents again that are missing or damaged, from the files of this machine, and
	// gives those that it does not have.
	Rescue(ctx context.Context) (left []string, err error)
	// Roots says where folders of doc sets lie.
	Roots() Roots
}

// The folders of a home that Files keeps: that of uploads, one for each fetched doc set, and the
// list of doc sets.
const (
	UploadsFolder = "uploads"
	ListFolder    = "list"
)

// LostFiles is what a look at the documents of all machines found.
type LostFiles struct {
	Files            int      // there are
	Missing, Damaged []string // files whose content cannot be had
	Unused           int      // contents that no file has, and that a sweep removes
}

// lostContent is an error of a store that cannot give the content of a document, see
// docent/store/filetree.
type lostContent interface {
	error
	Lost()
}

// ElsewhereError means that the files of a doc set lie on another machine.
type ElsewhereError struct {
	Set          doc.Ref
	Host, Folder string
}

func (e *ElsewhereError) Error() string {
	return fmt.Sprintf("the files of %s lie on %s, in %s: read and update them there, or add them from a folder of this machine",
		e.Set, e.Host, e.Folder)
}

// Is reports whether the error has a meaning: the folder is not there.
func (e *ElsewhereError) Is(target error) bool { return target == ingest.ErrRootMissing }

// elsewhere is an ElsewhereError where another machine has the files of a doc set.
func elsewhere(s store.Set) error {
	if s.Host == "" {
		return nil
	}
	return &ElsewhereError{Set: s.Ref, Host: s.Host, Folder: strings.TrimPrefix(s.Root, s.Host+":")}
}

// Shared are the documents of a home that several machines use, as their services need them. Where
// one machine has the home, all of its methods do nothing.
type Shared struct {
	home  *Home
	files Files // nil: one machine has the home
	roots Roots
}

// Fill brings the files of a doc set to this machine. The error is an *ElsewhereError where another
// one has them.
func (x Shared) Fill(ctx context.Context, s store.Set) error {
	if err := elsewhere(s); err != nil {
		return err
	}
	folder := x.sharedFolder(s)
	if folder == "" {
		return nil
	}
	err := x.files.Fill(ctx, folder)
	if _, lost := errors.AsType[lostContent](err); lost {
		return nil // the other files are here, and reading this one gives the error
	}
	return err
}

// fillNow is Fill for an update.
func (x Shared) fillNow(ctx context.Context, s store.Set) error {
	if err := elsewhere(s); err != nil {
		return err
	}
	if folder := x.sharedFolder(s); folder != "" {
		return withRemedy(x.files.FillNow(ctx, folder))
	}
	return nil
}

// withRemedy says what to do where the content of a document is lost.
func withRemedy(err error) error {
	if _, lost := errors.AsType[lostContent](err); lost {
		return contract.Remedied(err, contract.RunDocent("doctor", "--repair").To("keeps it again, on a machine that has it"))
	}
	return err
}

// mendFile puts a page's file right that was altered on this machine.
func (x Shared) mendFile(ctx context.Context, s store.Set, path string) (bool, error) {
	folder := x.sharedFolder(s)
	inside, err := filepath.Rel(filepath.Join(x.home.Dir, filepath.FromSlash(folder)), filepath.Join(s.Root, filepath.FromSlash(path)))
	if folder == "" || err != nil {
		return false, nil
	}
	mended, err := x.files.Mend(ctx, folder, filepath.ToSlash(inside))
	return mended, withRemedy(err)
}

// sharedFolder is the folder of the home that Files keeps for a doc set; "": it keeps none.
func (x Shared) sharedFolder(s store.Set) string {
	switch fetched := x.home.SourceFolder(s.Ref); {
	case x.files == nil:
		return ""
	case x.home.HoldsUploads(s):
		return UploadsFolder
	case strings.HasPrefix(s.Root, fetched+string(filepath.Separator)):
		return SourcesFolder + "/" + filepath.Base(fetched)
	}
	return ""
}

// ShareAll gives all machines the documents of this home, before its doc sets are indexed in a new
// place.
func (x Shared) ShareAll(ctx context.Context) error {
	return x.eachFolder(ctx, func(folder string) error {
		return x.files.Replace(ctx, folder, filepath.Join(x.home.Dir, filepath.FromSlash(folder)))
	})
}

// FetchAll brings all documents of the home to this machine, and compares their contents. What models said
// of them comes too.
func (x Shared) FetchAll(ctx context.Context) error {
	sets, err := x.home.Catalog.Sets(ctx)
	for _, s := range sets {
		err = errors.Join(err, x.FillEnrichment(ctx, s.Ref, false))
	}
	if err != nil {
		return err
	}
	err = x.eachFolder(ctx, func(folder string) error { return x.files.Restore(ctx, folder) })
	return errors.Join(err, x.fillList(ctx))
}

// eachFolder does something with each folder of documents of the home.
func (x Shared) eachFolder(ctx context.Context, do func(folder string) error) error {
	if x.files == nil {
		return nil
	}
	folders := []string{UploadsFolder}
	sets, err := x.home.Catalog.Sets(ctx)
	for _, s := range sets {
		if folder := x.sharedFolder(s); folder != "" && folder != UploadsFolder {
			folders = append(folders, folder)
		}
	}
	for _, folder := range folders {
		if err == nil {
			err = do(folder)
		}
	}
	return err
}

// FillSource brings the fetched files of a doc set to this machine, whether it is registered yet or
// not.
func (x Shared) FillSource(ctx context.Context, ref doc.Ref) error {
	if x.files == nil {
		return nil
	}
	return x.files.FillNow(ctx, x.sourceName(ref))
}

func (x Shared) sourceName(ref doc.Ref) string {
	return SourcesFolder + "/" + filepath.Base(x.home.SourceFolder(ref))
}

// ShareSource gives all machines the fetched files of a doc set that are in a folder.
func (x Shared) ShareSource(ctx context.Context, ref doc.Ref, from string) error {
	if x.files == nil {
		return nil
	}
	return x.files.Replace(ctx, x.sourceName(ref), from)
}

// RecheckSource says that the folder of the fetched files of a doc set was replaced.
func (x Shared) RecheckSource(ref doc.Ref) error {
	if x.files == nil {
		return nil
	}
	return x.files.Recheck(x.sourceName(ref))
}

// ForgetSource takes them away from all machines.
func (x Shared) ForgetSource(ctx context.Context, ref doc.Ref) error {
	if x.files == nil {
		return nil
	}
	return x.files.Forget(ctx, x.sourceName(ref))
}

// FillUploads brings the files that were handed in to this machine.
func (x Shared) FillUploads(ctx context.Context) error {
	if x.files == nil {
		return nil
	}
	if err := x.home.UploadFolder().MakeFolder(); err != nil {
		return err
	}
	// All of them or none: what is missing here would count as deleted.
	return withRemedy(x.files.FillNow(ctx, UploadsFolder))
}

// MendUpload puts the files of a document right that were altered or lost on this machine, and reports
// whether it did.
func (x Shared) MendUpload(ctx context.Context, u store.Upload) (mended bool) {
	if x.files == nil {
		return false
	}
	for _, dir := range []string{"waiting", "pages", "originals"} {
		one, err := x.files.Mend(ctx, UploadsFolder, dir+"/"+u.Path)
		mended = mended || one && err == nil
	}
	return mended
}

// ChangeUpload changes the files or the record of a document with do, here and for all machines.
func (x Shared) ChangeUpload(ctx context.Context, u store.Upload, do func() error) error {
	if x.files == nil {
		return do()
	}
	return x.files.Change(ctx, UploadsFolder, do, uploads.PlacesOf(u)...)
}

// HoldUploads takes the right to keep and remove files that were handed in, where several machines
// do so, and brings them here; nil: the folder's own lock is enough.
func (x Shared) HoldUploads(ctx context.Context) (store.Held, error) {
	if x.files == nil {
		return nil, nil
	}
	const noSet, uploadsWait = 0, time.Minute
	held, err := x.home.lockError(x.home.Indexes.LockSet(ctx, noSet, "uploads", "uploads", uploadsWait, nil))
	if err != nil {
		return nil, err
	}
	if err := x.FillUploads(ctx); err != nil {
		return nil, errors.Join(err, held.Release())
	}
	return held, nil
}

// leftOut is why a doc set of the list is not registered: the catalog is this machine's alone, and the
// files lie on another one.
func (x Shared) leftOut(s store.Set) error {
	if x.files != nil {
		return nil
	}
	return elsewhere(x.roots.found(s))
}

// enrichmentName is the folder of Files with the enrichments of a doc set.
func (x Shared) enrichmentName(ref doc.Ref) string {
	return EnrichmentFolder + "/" + filepath.Base(x.home.SetFile(EnrichmentFolder, ref))
}

// FillEnrichment brings what models said of a doc set to this machine. With changing, the caller has the
// right to enrich it: what only this machine has is put to the rest then.
func (x Shared) FillEnrichment(ctx context.Context, ref doc.Ref, changing bool) error {
	if x.files == nil {
		return nil
	}
	fill := x.files.Fill
	if changing {
		fill = x.files.FillNow
	}
	err := fill(ctx, x.enrichmentName(ref))
	if _, lost := errors.AsType[lostContent](err); lost {
		return nil // it is made again
	}
	return err
}

// ShareEnrichment gives all machines what models said of a doc set, as this one has it.
func (x Shared) ShareEnrichment(ctx context.Context, ref doc.Ref) error {
	if x.files == nil {
		return nil
	}
	return x.files.Push(ctx, x.enrichmentName(ref), ".")
}

// forget takes the files of a doc set that was removed away from all machines.
func (x Shared) forget(ctx context.Context, s store.Set) error {
	if x.files != nil {
		if err := x.files.Forget(ctx, x.enrichmentName(s.Ref)); err != nil {
			return err
		}
	}
	folder := x.sharedFolder(s)
	if folder == "" || folder == UploadsFolder {
		return nil
	}
	return x.files.Forget(ctx, folder)
}

// sweep removes documents that are not needed any more.
func (x Shared) sweep(ctx context.Context) error {
	if x.files == nil {
		return nil
	}
	return x.files.Sweep(ctx)
}

// Check looks for documents without their content; with deep it reads every content.
func (x Shared) Check(ctx context.Context, deep bool) (LostFiles, error) {
	if x.files == nil {
		return LostFiles{}, nil
	}
	return x.files.Check(ctx, deep)
}

// Rescue keeps contents again that are missing or damaged, from the files of this machine, and gives
// those that it does not have.
func (x Shared) Rescue(ctx context.Context) ([]string, error) {
	if x.files == nil {
		return nil, nil
	}
	return x.files.Rescue(ctx)
}

// fillList brings the list of doc sets to this machine.
func (x Shared) fillList(ctx context.Context) error {
	if x.files == nil {
		return nil
	}
	err := x.files.FillNow(ctx, ListFolder)
	if _, lost := errors.AsType[lostContent](err); lost {
		return nil // the catalog says the same, and the list is written again
	}
	return err
}

// shareList gives all machines the list of this one.
func (x Shared) shareList(ctx context.Context) error {
	if x.files == nil {
		return nil
	}
	return x.files.Push(ctx, ListFolder, ListName)
}

// contractError gives the error its form for other programs.
func (e *ElsewhereError) contractError(err error) *contract.Error {
	return &contract.Error{Code: contract.CodeCollectionUnavailable, Message: err.Error(), Err: err,
		Details: map[string]any{"doc_set": e.Set.String(), "host": e.Host}}
}
