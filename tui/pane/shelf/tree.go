package shelf

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"docent/pipeline/service/library"
	"docent/store/doc"
	"docent/tui/titles"
)

// Page is one page of a doc set, or a file that is not one.
type Page = library.PageState

// isIndexed reports whether a page is in the index: such pages are counted.
func isIndexed(p Page) bool { return p.State != library.PageFailed && p.State != library.PageWaiting }

// noPageText says why a file is no page, "" where that is not known.
func noPageText(p Page) string {
	if p.State == library.PageWaiting && p.Lane != "" {
		return strings.TrimSuffix(p.Lane+" lane: "+p.Reason, ": ")
	}
	return p.Reason
}

// canBeRead reports whether the reader can open a page; otherwise it says what to do.
func canBeRead(p Page) (bool, string) {
	switch p.State {
	case library.PageGone:
		return false, "the page's file is gone: u brings the doc set up to date"
	case library.PageFailed:
		if p.Document != "" {
			return false, "it is no page: " + p.Reason + "; t tries again"
		}
		return false, "it is no page: " + p.Reason
	case library.PageWaiting:
		why := strings.TrimSuffix(": "+p.Reason, ": ")
		if p.Document != "" {
			return false, "it waits for a worker" + why + "; t reads it now, C cancels it"
		}
		return false, "it waits for docent worker" + why
	}
	return true, ""
}

// listedPages are the pages that the tree shows. New files cannot be read yet, and those that
// are left out never; the list of doc sets says how many are new.
func listedPages(pages []Page) []Page {
	out := make([]Page, 0, len(pages))
	for _, p := range pages {
		if p.State == library.PageNew || p.State == library.PageLeftOut {
			continue
		}
		p.Title = cmp.Or(p.Title, p.Path)
		out = append(out, p)
	}
	return out
}

// Tree is a doc set's pages as a tree of folders. It is immutable.
type Tree struct {
	pages []Page
	nodes []node
	count int      // pages that are in the index
	keys  []string // of the pages: title and path in small letters, for finding
}

// node is a folder or a page. The nodes of a folder follow it, up to end.
type node struct {
	name  string // of a folder, joined with those above that hold nothing else
	depth int
	page  int // -1: a folder
	index int // of a folder: the page that it is, -1 if none
	end   int // behind the last node in it
	count int // pages in it
	up    int // the folder that holds it, -1 if none
}

// folder is a folder while NewTree makes the tree.
type folder struct {
	name    string
	folders map[string]*folder
	pages   []int
	count   int
	index   int // its index page, -1 if none
}

// indexes are the names of the pages that stand for their folders.
var indexes = []string{"index", "_index", "readme"}

func isIndexFile(file string) bool {
	base := strings.ToLower(path.Base(file))
	return slices.Contains(indexes, strings.TrimSuffix(base, path.Ext(base)))
}

// settleIndexPages finds the index page of each folder. A folder with nothing else becomes
// that page.
func (t *Tree) settleIndexPages(f *folder) {
	f.index = -1
	for name, sub := range f.folders {
		if t.settleIndexPages(sub); len(sub.folders) == 0 && len(sub.pages) == 0 && sub.index >= 0 {
			f.pages = append(f.pages, sub.index)
			delete(f.folders, name)
		}
	}
	at := -1
	for i, p := range f.pages {
		if path.Base(path.Dir(t.pages[p].Path)) != cmp.Or(f.name, ".") || !isIndexFile(t.pages[p].Path) {
			continue
		}
		if at >= 0 {
			return // two of them: neither is the folder
		}
		at = i
	}
	if at >= 0 {
		f.index = f.pages[at]
		f.pages = slices.Delete(f.pages, at, at+1)
	}
}

// NewTree makes the tree of pages. Its time grows with their number: call it in a
// command.
func NewTree(pages []Page) *Tree {
	pages = listedPages(pages)
	t := &Tree{pages: pages, nodes: make([]node, 0, len(pages)+len(pages)/4), keys: make([]string, len(pages))}
	root := &folder{}
	for i, p := range pages {
		t.keys[i] = strings.ToLower(p.Title + "\n" + p.Path)
		dir := path.Dir(p.Path)
		if path.Base(p.Path) == doc.ContentFile {
			dir = path.Dir(dir) // the folder is the page
		}
		one := 0
		if isIndexed(p) {
			one = 1
		}
		at := root
		at.count += one
		if dir != "." && dir != "/" {
			for part := range strings.SplitSeq(dir, "/") {
				next := at.folders[part]
				if next == nil {
					next = &folder{name: part}
					if at.folders == nil {
						at.folders = map[string]*folder{}
					}
					at.folders[part] = next
				}
				at = next
				at.count += one
			}
		}
		at.pages = append(at.pages, i)
	}
	t.count = root.count
	t.settleIndexPages(root)
	if root.index >= 0 { // the doc set's own page comes first
		t.nodes = append(t.nodes, node{page: root.index, index: -1, end: 1, up: -1})
	}
	t.appendFolder(root, 0, -1)
	return t
}

// appendFolder appends the nodes in a folder: folders first, then pages, each by
// name.
func (t *Tree) appendFolder(f *folder, depth, up int) {
	names := make([]string, 0, len(f.folders))
	for name := range f.folders {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		sub := f.folders[name]
		for len(sub.pages) == 0 && len(sub.folders) == 1 && sub.index < 0 { // folders that only hold one folder are joined to one line
			for _, only := range sub.folders {
				name += "/" + only.name
				sub = only
			}
		}
		at := len(t.nodes)
		if sub.index >= 0 {
			name = t.pages[sub.index].Title
		}
		t.nodes = append(t.nodes, node{name: name, depth: depth, page: -1, index: sub.index, count: sub.count, up: up})
		t.appendFolder(sub, depth+1, at)
		t.nodes[at].end = len(t.nodes)
	}
	slices.SortStableFunc(f.pages, func(a, b int) int { return cmp.Compare(t.pages[a].Path, t.pages[b].Path) })
	for _, p := range f.pages {
		t.nodes = append(t.nodes, node{depth: depth, page: p, index: -1, end: len(t.nodes) + 1, up: up})
	}
}

// Pages is how many pages there are. Files that failed or wait are none.
func (t *Tree) Pages() int { return t.count }

// visibleNodes are the nodes outside of folded folders.
func (t *Tree) visibleNodes(open map[int]bool) []int {
	var rows []int
	for i := 0; i < len(t.nodes); {
		rows = append(rows, i)
		if t.nodes[i].page < 0 && !open[i] {
			i = t.nodes[i].end
		} else {
			i++
		}
	}
	return rows
}

// loneFolders are the only folders at the top, one in the other.
func (t *Tree) loneFolders() []int {
	var out []int
	from, to := 0, len(t.nodes)
	if to > 0 && t.nodes[0].page >= 0 && to > 1 {
		from = 1 // behind the doc set's own page
	}
	for from < to && t.nodes[from].page < 0 && t.nodes[from].end == to {
		out = append(out, from)
		from++
	}
	return out
}

// pageIndex is the page that a node is, -1 for a folder without one.
func (n node) pageIndex() int {
	if n.page >= 0 {
		return n.page
	}
	return n.index
}

// findPages gives the nodes of the pages whose titles or paths have all words of a text. In
// named each word begins one of the page's, and pages whose titles have them all come first. In
// loose some word stands within another one; where no page has all words, loose has the pages
// with their letters in that order.
func (t *Tree) findPages(text string) (named, loose []int) {
	words := titles.WordsOf(text)
	if len(words) == 0 {
		return nil, nil
	}
	hasAll := func(key string, has func(key, word string) bool) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !has(key, w) })
	}
	var inPath []int
	for i, n := range t.nodes {
		if n.pageIndex() < 0 {
			continue
		}
		key := t.keys[n.pageIndex()]
		title, _, _ := strings.Cut(key, "\n")
		switch {
		case hasAll(title, titles.BeginsWord):
			named = append(named, i)
		case hasAll(key, titles.BeginsWord):
			inPath = append(inPath, i)
		case hasAll(key, strings.Contains):
			loose = append(loose, i)
		}
	}
	if named = append(named, inPath...); len(named)+len(loose) == 0 {
		loose = t.scatteredPages(strings.Join(words, ""))
	}
	return named, loose
}

// scatteredPages gives the nodes of the pages whose titles or paths have letters in their
// order.
func (t *Tree) scatteredPages(letters string) []int {
	var rows []int
	for i, n := range t.nodes {
		if n.pageIndex() >= 0 && hasInOrder(t.keys[n.pageIndex()], letters) {
			rows = append(rows, i)
		}
	}
	return rows
}

// hasInOrder reports whether a text has letters in their order, with others between them.
func hasInOrder(text, letters string) bool {
	for _, r := range letters {
		i := strings.IndexRune(text, r)
		if i < 0 {
			return false
		}
		text = text[i+utf8.RuneLen(r):]
	}
	return true
}
