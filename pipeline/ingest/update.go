package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/parse/files"
	"docent/store"
	"docent/store/doc"
)

// update is one update of one doc set.
type update struct {
	in     *Ingester
	set    store.Set
	held   store.Held // of the doc set
	events *emitter
	report Report

	site    string            // the address below which the pages lie, "" if unknown
	at      map[string]string // addresses of pages, by path
	folder  *files.Folder
	index   store.IndexUpdate
	folding *folding        // nil: the vectors are learned behind the update
	batch   []*page         // parsed and not staged yet
	waiting int64           // bytes of their sources
	known   []store.Failure // of earlier updates
	publish store.Publication
	staged  bool         // there are documents to publish
	kept    *keptRecords // of the pages that were read

	documents []int64 // of the new generation, once there is one
}

// runStages takes the doc set through the stages up to publish.
func (u *update) runStages(ctx context.Context, rebuild bool) (err error) {
	u.kept = u.in.newKeptRecords(u.set)
	found, known, err := u.scanAndLoad(ctx)
	if err != nil {
		return err
	}
	published := false
	defer func() {
		if !published && u.index != nil {
			err = errors.Join(err, u.abortUpdate(ctx))
		}
	}()
	pages, err := u.compare(ctx, found, known, rebuild)
	if err != nil {
		return err
	}
	if err := u.readAndStore(ctx, pages); err != nil {
		return fmt.Errorf("update %s: %w", u.set.Ref, err)
	}
	published, err = u.publishAll(ctx)
	return err
}

// scanAndLoad lists the doc set's files, and at the same time the documents that the catalog has
// of it: of many pages both take a while.
func (u *update) scanAndLoad(ctx context.Context) (found []File, known []store.FileState, err error) {
	loading, end := context.WithCancel(ctx)
	defer end()
	loaded := make(chan error, 1)
	go func() {
		var err error
		known, err = u.in.Catalog.Files(loading, u.set.ID)
		loaded <- err
	}()
	if found, err = u.scanFiles(ctx); err != nil {
		end()
		<-loaded
		return nil, nil, err
	}
	err = <-loaded
	return found, known, err
}

// scanFiles lists the doc set's files.
func (u *update) scanFiles(ctx context.Context) ([]File, error) {
	rules, faults := u.in.Domains.RulesOf(u.set, u.in.Parsers)
	found, err := ScanPages(ctx, u.set.Root, u.set.Layout, u.in.Parsers, rules)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, contract.Remedied(fmt.Errorf("update %s: %s: %w; bring it back", u.set.Ref, u.set.Root,
			ErrRootMissing), contract.FolderGone(u.set.Ref))
	}
	if err != nil {
		return nil, fmt.Errorf("update %s: %w", u.set.Ref, err)
	}
	for _, f := range faults {
		u.report.Warnings = append(u.report.Warnings, oneLine(f.String())+"; it does not count")
	}
	for _, w := range found.Warnings {
		u.report.Warnings = append(u.report.Warnings, w.String())
	}
	u.report.Unread = found.Unread
	u.decided(found)
	paths := found.Paths() // and not all that is known of the files: the folder stays until the update ends
	u.folder = files.InFolder(u.set.Root, func() []string { return paths })
	if u.site = u.set.URLBase; u.site == "" {
		u.site = FindSite(u.set.Root)
	}
	if u.site != "" {
		u.site = doc.JoinSite(u.site, string(FindGenerator(u.set.Root)))
	}
	u.at = files.AddressesIn(u.set.Root)
	return found.Files, nil
}

// forgetFiles gives up the list of the files, 14 MB of 160 000, which what follows an update hardly ever needs: a page
// that is read for the graph of references alone, and asks which pages there are, has them listed again.
func (u *update) forgetFiles(ctx context.Context) {
	u.folder = files.InFolder(u.set.Root, sync.OnceValue(func() []string {
		rules, _ := u.in.Domains.RulesOf(u.set, u.in.Parsers)
		found, err := ScanPages(ctx, u.set.Root, u.set.Layout, u.in.Parsers, rules)
		if err != nil {
			return nil // the folder went, and the page with it
		}
		return found.Paths()
	}))
}

// compare finds the files that must be read, and removes missing files from the index.
func (u *update) compare(ctx context.Context, found []File, known []store.FileState, rebuild bool) (_ []pageToRead, err error) {
	if err := u.in.Catalog.Discard(ctx, u.set.ID); err != nil {
		return nil, err
	}
	if u.known, err = u.in.Catalog.Failures(ctx, u.set.ID); err != nil {
		return nil, err
	}
	if u.index, err = u.in.Indexes.UpdateIndex(ctx, u.set.ID, rebuild); err != nil {
		return nil, err
	}
	u.report.Rebuilt = u.index.Fresh()
	serves := u.index.Documents()
	u.publish = store.Publication{SetID: u.set.ID, Recount: u.report.Rebuilt, Site: u.site,
		Serves: func(id int64) bool { return rebuild || holdsNumber(serves, id) }}
	looks := files.Looks{Folder: u.folder}
	same := func(uses []doc.Use) bool { return !u.in.Check && looks.Same(uses) }
	p := planUpdate(found, known, u.known, serves, u.report.Rebuilt, u.site != u.set.Site, same, u.leaveAlone)
	u.report.Unchanged = p.untouched
	if now, _ := u.index.Generations(); !u.report.Rebuilt && len(p.pages)+len(p.gone)+len(p.stray) > 0 {
		if u.folding, err = u.in.beginFolding(ctx, u.set, now); err != nil {
			return nil, errors.Join(err, u.index.Abort())
		}
	}
	for _, f := range p.failed {
		u.noteFailure(f)
	}
	for _, old := range p.gone {
		u.report.Removed++
		if err := u.remove(old); err != nil {
			return nil, errors.Join(err, u.abortUpdate(ctx))
		}
	}
	for _, id := range p.stray {
		if err := errors.Join(u.index.Delete(id), u.folding.remove(id)); err != nil {
			return nil, errors.Join(err, u.abortUpdate(ctx))
		}
	}
	return p.pages, nil
}

// planned are the results of comparing the disk with the catalog and the index.
type planned struct {
	pages     []pageToRead      // to be read
	gone      []store.FileState // in the catalog, not on disk
	stray     []int64           // in the index, not in the catalog
	failed    []store.Failure   // failed before, and nothing changed since
	untouched int               // how many need not be read
}

// pageToRead is a page that is to be read. Those of a whole doc set are known at once: what is read of
// a page has its place only while the page is underway.
type pageToRead struct {
	file    File
	old     *store.FileState // nil for a new one
	indexed bool             // the index has the old state
	reparse bool             // the old state is by another parser
}

// planUpdate compares files with the documents that the catalog knows, both in the order of
// their paths, with the failures of earlier updates, and with the documents that the index
// has, ascending (none when it is built from nothing). Where the doc set moved to another
// address, all pages are read; and where other files that a page took text from are not the
// same, it is. untouched is called with each page that need not be read.
func planUpdate(found []File, known []store.FileState, failures []store.Failure, indexed []int64, fresh, moved bool,
	same func([]doc.Use) bool, untouched func(File, *store.FileState)) planned {
	var p planned
	failed := make(map[string]store.Failure, len(failures))
	for _, f := range failures {
		failed[f.Path] = f
	}
	p.stray = strayDocuments(indexed, known)
	inIndex := numbers{list: indexed}
	next := 0 // of the known ones, which are in the order of paths too
	for _, f := range found {
		for ; next < len(known) && known[next].Path < f.Path; next++ {
			p.gone = append(p.gone, known[next])
		}
		var old *store.FileState
		if next < len(known) && known[next].Path == f.Path {
			old = &known[next]
			next++
		}
		reparse := old != nil && (moved || old.Format != f.Format || old.Parser != f.Parser ||
			cmp.Or(old.Domain, contract.DefaultDomain) != f.Domain.Domain)
		if old != nil && inIndex.has(old.ID) && !reparse && AsIndexed(f, *old, same) {
			p.untouched++
			untouched(f, old)
			continue
		}
		// A file that could not be read is tried at every update: its permissions
		// or its disk may be other ones. So is one that a program was missing for.
		if was, ok := failed[f.Path]; ok && !fresh && old == nil && was.Stage != StageRead && !was.Again && AsFailed(f, was) &&
			was.Parser == f.Parser {
			p.failed = append(p.failed, was)
			continue
		}
		p.pages = append(p.pages, pageToRead{file: f, old: old, indexed: old != nil && inIndex.has(old.ID), reparse: reparse})
	}
	p.gone = append(p.gone, known[next:]...)
	return p
}

// strayDocuments are the documents that the index has and the catalog does not, in order.
func strayDocuments(indexed []int64, known []store.FileState) (stray []int64) {
	both, inIndex := 0, numbers{list: indexed}
	for i := range known {
		if inIndex.has(known[i].ID) {
			both++
		}
	}
	if both == len(indexed) {
		return nil
	}
	ids := make(map[int64]bool, len(known))
	for i := range known {
		ids[known[i].ID] = true
	}
	for _, id := range indexed {
		if !ids[id] {
			stray = append(stray, id)
		}
	}
	return stray
}

// holdsNumber reports whether an ascending list has a number.
func holdsNumber(list []int64, n int64) bool {
	_, ok := slices.BinarySearch(list, n)
	return ok
}

// numbers is an ascending list that is asked for its numbers in nearly their order.
type numbers struct {
	list []int64
	next int // behind the number that was found last
}

// has reports whether the list has a number.
func (l *numbers) has(n int64) bool {
	if l.next < len(l.list) && l.list[l.next] == n {
		l.next++
		return true
	}
	i, ok := slices.BinarySearch(l.list, n)
	if ok {
		l.next = i + 1
	}
	return ok
}

// remove takes a document out of the catalog and the index.
func (u *update) remove(old store.FileState) error {
	u.replace(old)
	u.publish.Retire = append(u.publish.Retire, old.ID)
	if u.index.Fresh() {
		return nil
	}
	return errors.Join(u.index.Delete(old.ID), u.folding.remove(old.ID))
}

// replace tells of a document that goes, or that another takes the place of.
func (u *update) replace(old store.FileState) {
	if tell := u.in.Replaced; tell != nil {
		tell(u.set, old)
	}
}

// readAndStore reads, parses and chunks pages on several goroutines and stores the
// results in the pages' order on this one, so that the outcome does not depend on
// how many goroutines there are.
func (u *update) readAndStore(ctx context.Context, pages []pageToRead) error {
	if len(pages) == 0 {
		return nil
	}
	workers := u.in.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	queue, inOrder := make(chan *page), make(chan *page, 4*workers)
	under := newAllowance(4*workers, bytesUnderway)
	wg.Go(func() {
		defer close(queue)
		for _, next := range pages {
			if !under.awaitRoom(ctx, next.file.Size) {
				return
			}
			p := &page{pageToRead: next, done: make(chan struct{})}
			inOrder <- p // it has room for all pages underway
			select {
			case queue <- p:
			case <-ctx.Done():
				return
			}
		}
	})
	for range workers {
		wg.Go(func() {
			w := u.in.worker(u)
			for p := range queue {
				w.runPage(ctx, p)
			}
		})
	}
	defer wg.Wait()
	defer cancel()

	emit := func(kind contract.EventKind, done int, text string) {
		u.events.emitEvent(PhaseIngest, kind, done, len(pages), text)
	}
	emit(contract.PhaseStarted, 0, u.report.Set)
	for i := range pages {
		p, err := awaitPage(ctx, inOrder)
		if err == nil {
			err = u.storeOutcome(ctx, p)
		}
		if err != nil {
			return err
		}
		under.endPage(p.file.Size)
		emit(contract.PhaseProgress, i+1, u.report.Set)
	}
	if err := u.stageBatch(ctx); err != nil {
		return err
	}
	emit(contract.PhaseDone, len(pages), u.report.Set)
	return nil
}

// awaitPage waits for the next page that workers are through with.
func awaitPage(ctx context.Context, inOrder <-chan *page) (p *page, err error) {
	select {
	case p = <-inOrder:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case <-p.done:
		return p, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// abortUpdate deletes staged documents and the index's new generation.
func (u *update) abortUpdate(ctx context.Context) error {
	return errors.Join(u.index.Abort(), u.in.Catalog.Discard(context.WithoutCancel(ctx), u.set.ID))
}

// publishAll makes the update visible: first the documents of the catalog, in one
// transaction, then the index's new generation. Documents that were replaced stay
// in the catalog as retired, so that a reader of the old generation finds them. It
// is true when there is nothing to take back any more.
func (u *update) publishAll(ctx context.Context) (published bool, err error) {
	u.report.Pages = u.report.Added + u.report.Changed + u.report.Unchanged
	byPath := func(a, b store.Failure) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(u.publish.Failures, byPath)
	slices.SortFunc(u.report.Failed, byPath)
	if u.index.Changed() {
		u.events.emitEvent(PhaseWrite, contract.PhaseStarted, 0, 0, u.report.Set)
		if err := u.index.Prepare(ctx); err != nil {
			return false, err
		}
	} else if !u.staged && len(u.publish.Retire)+len(u.publish.Touched) == 0 && slices.Equal(u.publish.Failures, u.known) {
		return true, nil
	}
	home, err := u.in.lockHome(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, home.Release()) }()
	// Where a lock was lost, another process may have updated the doc set.
	if err := u.held.Check(ctx); err != nil {
		return false, fmt.Errorf("update %s: nothing was published: %w", u.set.Ref, err)
	}
	if err := u.in.Catalog.Publish(ctx, u.publish); err != nil {
		return false, err
	}
	if !u.index.Changed() {
		return true, nil
	}
	u.documents = u.index.Documents() // the index forgets them when it is committed
	return true, u.index.Commit()
}

// vectorCheck says of the learned vectors of an update that changed nothing whether they are those of the index.
type vectorCheck struct {
	right bool
	err   error // where they cannot be read
}

// checkVectors looks at the learned vectors where the update changed nothing: they may be older all the same, because
// the update before was ended there, or damaged where no question has read them. It does so while the graph of
// references is looked at; of 66 000 pages each takes 35 ms. The caller waits for the result.
func (u *update) checkVectors(ctx context.Context) (wait func() vectorCheck) {
	if u.index.Changed() || u.folding != nil {
		return func() vectorCheck { return vectorCheck{} }
	}
	now, _ := u.index.Generations()
	done := make(chan vectorCheck, 1)
	go func() {
		old, _, _, err := u.in.readVectors(ctx, u.set)
		if err == nil {
			err = u.in.Indexes.VerifyVectors(ctx, u.set.ID, store.LearnedVectors)
		}
		done <- vectorCheck{right: err == nil && old.Generation == now, err: err}
	}()
	return func() vectorCheck { return <-done }
}

// learnVectors brings the vectors up to the index, behind the update.
func (u *update) learnVectors(ctx context.Context, check vectorCheck) error {
	_, next := u.index.Generations()
	switch {
	case !u.index.Changed():
		if u.folding != nil {
			return u.folding.abortUpdate()
		}
		if check.right {
			return nil
		}
		u.events.emitEvent(PhaseLearn, contract.PhaseStarted, 0, 0, u.report.Set)
		return u.in.learnVectors(ctx, u.set, u.report.Rebuilt || errors.Is(check.err, store.ErrVectorsDamaged))
	case u.folding != nil:
		u.events.emitEvent(PhaseLearn, contract.PhaseStarted, 0, 0, u.report.Set)
		return u.folding.commit(ctx, next)
	}
	u.events.emitEvent(PhaseLearn, contract.PhaseStarted, 0, 0, u.report.Set)
	return u.in.learnVectors(ctx, u.set, u.report.Rebuilt)
}
