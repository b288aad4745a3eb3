package synonyms

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/question/synonym"
	"docent/pipeline/service/home"
	"docent/pipeline/text/cause"
	"docent/store"
)

// mostLists bounds the lists of one folder.
const mostLists = 50

// lists are the lists of synonyms that were read, by the file; a changed file is read
// again.
type lists struct {
	mu    sync.Mutex
	files map[string]list
	book  *synonym.Book // of the newest files
	of    string        // the stamps of them
}

// list is one file as it was read.
type list struct {
	stamp  string
	groups []synonym.Group
	faults []synonym.Fault
}

// listFile is a list that is to be read: name inside folder, with slashes; shown is what
// messages call it.
type listFile struct {
	folder, name, shown string
}

// Synonyms are the synonyms of the user's lists for a search in doc sets. Unreadable
// files and ignored lines are faults; the rest counts. Each call checks the lists, and
// reads those that changed.
func (svc *Service) Synonyms(ctx context.Context, sets []store.Set) (*synonym.Book, []synonym.Fault) {
	if ctx.Err() != nil {
		return nil, nil
	}
	found, faults := svc.listFiles(sets)
	svc.lists.mu.Lock()
	defer svc.lists.mu.Unlock()
	var stamps strings.Builder
	var groups []synonym.Group
	for _, f := range found {
		l, err := svc.lists.readList(f)
		if err != nil {
			faults = append(faults, synonym.Fault{File: f.shown,
				Message: fmt.Sprintf("it cannot be read: %v; it does not count", cause.WithoutPath(err))})
			continue
		}
		stamps.WriteString(l.stamp)
		groups, faults = append(groups, l.groups...), append(faults, l.faults...)
	}
	if svc.lists.book == nil || svc.lists.of != stamps.String() {
		svc.lists.book, svc.lists.of = synonym.New(groups), stamps.String()
	}
	return svc.lists.book, faults
}

// readList returns a list, from memory if the file has not changed.
func (l *lists) readList(f listFile) (list, error) {
	path := filepath.Join(f.folder, filepath.FromSlash(f.name))
	st, err := os.Lstat(path)
	if err != nil {
		return list{}, err
	}
	stamp := fmt.Sprintf("%s\x00%d\x00%d\x00", path, st.Size(), st.ModTime().UnixNano())
	if have, ok := l.files[path]; ok && have.stamp == stamp {
		return have, nil
	}
	var src []byte
	if st.Size() <= synonym.MaxBytes { // else Parse says so
		if src, err = files.ReadInside(f.folder, f.name); err != nil {
			return list{}, err
		}
	} else {
		src = make([]byte, synonym.MaxBytes+1)
	}
	out := list{stamp: stamp}
	out.groups, out.faults = synonym.ParseList(f.shown, src)
	if l.files == nil {
		l.files = map[string]list{}
	}
	l.files[path] = out
	return out, nil
}

// CheckSynonyms reads all lists in the folder of synonyms of a folder, a home or a doc
// set, and file, one more ("": none), and returns their faults. there reports whether
// there is any list.
func CheckSynonyms(folder, file string) (faults []synonym.Fault, there bool) {
	h := New(&home.Home{Dir: folder, Settings: home.Settings{SynonymFile: file, ConfigPath: filepath.Join(folder, domain.FileName)}})
	found, faults := h.listFiles(nil)
	for _, f := range found {
		l, err := h.lists.readList(f)
		if err != nil {
			l.faults = []synonym.Fault{{File: f.shown,
				Message: fmt.Sprintf("it cannot be read: %v; it does not count", cause.WithoutPath(err))}}
		}
		faults = append(faults, l.faults...)
	}
	return faults, len(found) > 0 || len(faults) > 0
}

// listFiles are the lists that count for doc sets: the home's, the configured one, and
// the doc sets' own.
func (svc *Service) listFiles(sets []store.Set) (found []listFile, faults []synonym.Fault) {
	add := func(root, shown string) {
		names, err := listNames(root)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			faults = append(faults, synonym.Fault{File: shown + synonym.Folder,
				Message: fmt.Sprintf("it cannot be read: %v; its lists do not count", cause.WithoutPath(err))})
		}
		if len(names) > mostLists {
			faults = append(faults, synonym.Fault{File: shown + synonym.Folder,
				Message: fmt.Sprintf("%d lists; only the first %d count: join some", len(names), mostLists)})
			names = names[:mostLists]
		}
		for _, n := range names {
			found = append(found, listFile{root, synonym.Folder + "/" + n, shown + synonym.Folder + "/" + n})
		}
	}
	add(svc.home.Dir, "")
	if name := svc.home.Settings.SynonymFile; name != "" {
		if !filepath.IsAbs(name) {
			name = filepath.Join(cmp.Or(filepath.Dir(svc.home.Settings.ConfigPath), svc.home.Dir), filepath.FromSlash(name))
		}
		f := listFile{filepath.Dir(name), filepath.Base(name), svc.home.Settings.SynonymFile}
		if !slices.ContainsFunc(found, func(o listFile) bool { return filepath.Join(o.folder, filepath.FromSlash(o.name)) == name }) {
			found = append(found, f)
		}
	}
	for _, s := range sets {
		if s.Root != "" && s.Ref != home.UploadsRef() && filepath.Clean(s.Root) != filepath.Clean(svc.home.Dir) {
			add(s.Root, s.Ref.String()+"/")
		}
	}
	return found, faults
}

// listNames are the lists in the folder of synonyms of a folder, by name.
func listNames(root string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(root, synonym.Folder))
	var out []string
	for _, e := range entries {
		if e.Type().IsRegular() && synonym.IsList(e.Name()) {
			out = append(out, e.Name())
		}
	}
	return out, err
}
