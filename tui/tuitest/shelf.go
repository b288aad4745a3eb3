package tuitest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"docent/pipeline/service/library"
	"docent/store/doc"
	"docent/tui"
)

// Shelf is what the canned library holds in addition to the canned pages. Its zero value
// is that of most tests.
type Shelf struct {
	Newcomer bool               // only the manual is there
	Behind   []string           // doc sets that are not ready when they are opened
	Folder   []tui.LikelyFolder // that look like documentation
	Work     chan struct{}      // when set, adding and updating wait for it, or for their context
	AddErr   error
	Added    []string // doc sets that were added or updated
	Removed  []string
	AllFresh atomic.Bool // harbour is as on the disk

	mu sync.Mutex // guards Added and Removed while a driver's commands run side by side
}

func (s *Shelf) added() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.Added)
}

func (s *Shelf) removed() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.Removed)
}

func (s *Shelf) add(names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Added = append(s.Added, names...)
}

const manualSet = "Docent_Manual@0.1.0"

// TourPage is the canned manual's page of the tour.
const TourPage = `# The tour

Five steps.

## 1. Ask

Type a question and press ` + "`enter`" + `.

## 2. Look

Press ` + "`enter`" + ` to open the section, ` + "`esc`" + ` to close it.

## 3. Open a phase

Press a number from ` + "`1`" + ` to ` + "`9`" + `.

## 4. Change something

Press ` + "`+`" + ` or ` + "`-`" + `: the threshold moves, and what follows from it runs again, nothing else.

## 5. Copy

Press ` + "`y`" + `.
`

// docSet is a canned doc set; its name is Name@version.
func docSet(name string, pages int, root string, indexed time.Time) library.ListedSet {
	ref, err := doc.ParseRef(name)
	if err != nil {
		panic(err)
	}
	return library.ListedSet{Ref: ref, Pages: pages, Root: root, Indexed: indexed, Fresh: library.Fresh}
}

// Library lists the canned doc sets.
func (b *Backend) Library(context.Context) ([]library.ListedSet, error) {
	at := time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC)
	manual := docSet(manualSet, 26, "/home/ana/.local/share/docent/manual/0123456789abcdef/Docent_Manual@0.1.0", at)
	if b.Shelf.Newcomer && len(b.Shelf.added()) == 0 {
		return []library.ListedSet{manual}, nil
	}
	all := []library.ListedSet{
		manual,
		docSet("harbour@0.9", 112, "/home/ana/docs/harbour", at),
		docSet("lantern@1.10", 4, "/media/usb/lantern", at),
		docSet("lantern@2.1", 5, "/home/ana/docs/lantern", at.Add(time.Hour)),
		docSet("lantern@1.9", 3, "/home/ana/docs/lantern-old\x1b[31m", time.Time{}),
		docSet("灯笼@latest", 1, "/home/ana/文档/灯笼", at),
	}
	all[1].Fresh, all[1].Changes = library.Stale, &library.Changes{New: 2, Changed: 1}
	all[2].Fresh = library.Missing
	all[4].Failed = 1
	for _, name := range b.Shelf.added() {
		if !slices.ContainsFunc(all, func(s library.ListedSet) bool { return s.Ref.String() == name }) {
			all = append(all, docSet(name, 7, "/home/ana/docs", at))
		}
	}
	removed := b.Shelf.removed()
	return slices.DeleteFunc(all, func(s library.ListedSet) bool { return slices.Contains(removed, s.Ref.String()) }), nil
}

// PagesOf are the canned pages of a doc set, and some in folders.
func (b *Backend) PagesOf(_ context.Context, docSet string) ([]library.PageState, error) {
	if b.PageErr != nil {
		return nil, b.PageErr
	}
	var out []library.PageState
	for _, p := range pages {
		if p.set == docSet {
			out = append(out, library.PageState{Path: p.path, Title: p.title})
		}
	}
	if docSet == "harbour@0.9" {
		for i := range 114 { // two of them are no pages
			p := library.PageState{Path: fmt.Sprintf("content/en/piers/%c/berth-%03d.md", 'a'+rune(i%4), i),
				Title: fmt.Sprintf("Berth %d", i)}
			switch i {
			case 4:
				p.State = library.PageChanged
			case 8:
				p.State = library.PageGone
			case 12:
				p.State, p.Reason = library.PageFailed, "PASSWORD_PROTECTED: it is protected by a password; save it without one"
			case 113:
				p.State, p.Document, p.Lane = library.PageWaiting, "6909c448-4640-41da-bd58-c84df2a5da29", "heavy"
			}
			out = append(out, p)
		}
	}
	return out, nil
}

// Retry reads a file.
func (b *Backend) Retry(_ context.Context, document string, _ func(tui.WorkProgress)) (string, error) {
	return "read " + document, nil
}

// CancelFile cancels a file.
func (b *Backend) CancelFile(_ context.Context, document string) error { return nil }

// Folders are canned folders.
func (b *Backend) Folders(_ context.Context, typed string) ([]string, error) {
	var out []string
	for _, f := range []string{"docs/", "docs/guides/", "docs/reference/", "downloads/", "文档/"} {
		if strings.HasPrefix(f, typed) && f != typed && strings.Count(strings.TrimPrefix(f, typed), "/") == 1 {
			out = append(out, f)
		}
	}
	return out, nil
}

// Propose gives one doc set, several for a folder named many, a source for an address.
func (b *Backend) Propose(_ context.Context, path string) ([]tui.Proposed, error) {
	switch strings.Trim(path, "/") {
	case "nothing":
		return nil, errors.New("no page was found in nothing (Markdown: .md, .markdown, .mdx)")
	case "lamp.example/a.git":
		return []tui.Proposed{{Source: path}}, nil
	case "many":
		return []tui.Proposed{{Name: "a", Version: "1", Pages: 3}, {Name: "b", Version: "2", Pages: 1}}, nil
	}
	return []tui.Proposed{{Name: "docs", Version: "latest", Pages: 7}}, nil
}

// Likely are the folders of the shelf.
func (b *Backend) Likely(context.Context) ([]tui.LikelyFolder, error) { return b.Shelf.Folder, nil }

func (b *Backend) waitForWork(ctx context.Context, set string, progress func(tui.WorkProgress)) error {
	progress(tui.WorkProgress{Set: set, Nth: 1, Of: 1, Stage: "reading pages", Done: 3, Total: 7, Elapsed: 1500 * time.Millisecond})
	if b.Shelf.Work == nil {
		return ctx.Err()
	}
	select {
	case <-b.Shelf.Work:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Add adds to the shelf. It refuses the names that a library refuses.
func (b *Backend) Add(ctx context.Context, req tui.AddRequest, progress func(tui.WorkProgress)) (string, error) {
	name := "docs@latest"
	if req.Name != "" {
		name = req.Name + "@" + req.Version
	}
	if _, err := doc.ParseRef(name); err != nil {
		return "", err
	}
	if err := b.waitForWork(ctx, name, progress); err != nil {
		return "nothing was added", err
	}
	if b.Shelf.AddErr != nil {
		return "", b.Shelf.AddErr
	}
	b.Shelf.add(name)
	return "added " + name + ": 7 pages (7 added)", nil
}

// Update says what it updated.
func (b *Backend) Update(ctx context.Context, docSets []string, progress func(tui.WorkProgress)) (string, error) {
	what := strings.Join(docSets, ", ")
	if what == "" {
		what = "all doc sets"
	}
	if err := b.waitForWork(ctx, what, progress); err != nil {
		return what + " as before", err
	}
	b.Shelf.add(docSets...)
	return what + ": nothing changed", nil
}

// Mend is as updating.
func (b *Backend) Mend(ctx context.Context, progress func(tui.WorkProgress)) (string, error) {
	return b.Update(ctx, b.Shelf.Behind, progress)
}

// Remove removes from the shelf.
func (b *Backend) Remove(_ context.Context, docSet string) error {
	b.Shelf.mu.Lock()
	defer b.Shelf.mu.Unlock()
	b.Shelf.Removed = append(b.Shelf.Removed, docSet)
	return nil
}
