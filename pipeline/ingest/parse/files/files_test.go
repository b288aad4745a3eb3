package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/files"
	"docent/store/doc"
)

func folder(t *testing.T, names ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range names {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("of "+name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A page below the folder of a repository takes the text of pages from all of it.
func TestTheRepositoryAround(t *testing.T) {
	t.Parallel()
	top := folder(t, "outside.rst", "repo/.git/config", "repo/CHANGES.rst", "repo/LICENSE", "repo/Makefile", "repo/keys.yml", "repo/.hidden/a.rst", "repo/a/docs/index.rst")
	f := files.InFolder(filepath.Join(top, "repo", "a", "docs"), nil)
	for _, name := range []string{"../../CHANGES.rst", "../../LICENSE"} {
		if o, err := f.Open(name); err != nil || string(o.Data) != "of repo/"+strings.TrimPrefix(name, "../../") || !f.Reaches(name) {
			t.Errorf("%s: %q, %v", name, o.Data, err)
		}
	}
	for _, name := range []string{"../../../outside.rst", "../../keys.yml", "../../Makefile", "../../.hidden/a.rst", "../../.git/config"} {
		if o, err := f.Open(name); err == nil || strings.Contains(err.Error(), top) {
			t.Errorf("%s: %q, %v", name, o.Data, err)
		}
	}
	must(t, os.RemoveAll(filepath.Join(top, "repo", ".git")))
	if o, err := files.InFolder(filepath.Join(top, "repo", "a", "docs"), nil).Open("../../CHANGES.rst"); err == nil {
		t.Errorf("without a repository: %q", o.Data)
	}
}

// A home folder that is a repository, of settings for example, is no project.
func TestTheHomeIsNoProject(t *testing.T) {
	t.Parallel()
	home := folder(t, ".git/config", ".profile", "notes.md", "docs/index.md")
	if o, err := files.InFolder(filepath.Join(home, "docs"), nil).Open("../notes.md"); err == nil {
		t.Errorf("%q", o.Data)
	}
}

// Only regular files inside the folder are read.
func TestOpen(t *testing.T) {
	t.Parallel()
	outside := folder(t, "secret.txt")
	root := folder(t, "a.txt", "sub/b.txt", ".env", ".git/config")
	must(t, os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(root, "link.txt")))
	must(t, os.Symlink(outside, filepath.Join(root, "out")))
	must(t, os.Symlink("a.txt", filepath.Join(root, "inner.txt")))
	must(t, os.WriteFile(filepath.Join(root, "huge.txt"), nil, 0o644))
	must(t, os.Truncate(filepath.Join(root, "huge.txt"), parse.MaxFile+1))
	f := files.InFolder(root, nil)
	must(t, os.WriteFile(filepath.Join(root, "sub", ".asciidoctorconfig"), []byte("of sub/.asciidoctorconfig"), 0o644))
	for _, name := range []string{"a.txt", "sub/b.txt", "sub/.asciidoctorconfig"} { // the last sets attributes for editors
		if o, err := f.Open(name); err != nil || string(o.Data) != "of "+name || o.ModTime == 0 {
			t.Errorf("%s: %q, %v", name, o.Data, err)
		}
	}
	for name, want := range map[string]string{"none.txt": "no such file", "link.txt": "no regular file", "inner.txt": "no regular file", "out/secret.txt": "escapes", "sub": "no regular file",
		"../" + filepath.Base(outside) + "/secret.txt": "outside", "/etc/passwd": "escapes", ".env": "hidden", ".git/config": "hidden", "sub/../.env": "outside", "huge.txt": "64 MB"} {
		if o, err := f.Open(name); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), root) {
			t.Errorf("%s: %q, %v; want an error with %q and without the folder", name, o.Data, err, want)
		}
	}
	if _, err := f.Open("none.txt"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A link of a folder may lead out of the doc set and in again, as those between the titles and the parts
// of a manual do. What lies behind one that leads out is no file of the doc set, and a page that asked
// for it is as fresh as before.
func TestLinksThatLeadBack(t *testing.T) {
	t.Parallel()
	top := folder(t, "docs/parts/a.txt", "docs/titles/b.txt", "docs/.hidden/c.txt", "others/d.txt")
	root := filepath.Join(top, "docs")
	for link, to := range map[string]string{"parts": "../../docs/parts", "hidden": "../../docs/.hidden", "others": "../../others"} {
		must(t, os.Symlink(to, filepath.Join(root, "titles", link)))
	}
	f := files.InFolder(root, nil)
	if o, err := f.Open("titles/parts/a.txt"); err != nil || string(o.Data) != "of docs/parts/a.txt" {
		t.Errorf("%q, %v", o.Data, err)
	}
	for _, name := range []string{"titles/hidden/c.txt", "titles/others/d.txt", "titles/parts/none.txt"} {
		if o, err := f.Open(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q, %v", name, o.Data, err)
		}
	}
	looks := files.Looks{Folder: f}
	if !looks.Same([]doc.Use{{Path: "titles/others/d.txt"}, {Path: "titles/parts/none.txt"}}) {
		t.Error("a page that used a file behind a link that leads out has changed")
	}
	if looks.Same([]doc.Use{{Path: "titles/parts/a.txt"}}) {
		t.Error("a page that did not find a file that is there now has not changed")
	}
}

// A page that depends on what all maps hold has one use for them, whose time and size are those of all.
func TestContentsOfAllFiles(t *testing.T) {
	t.Parallel()
	root := folder(t, "a.map", "b.map", "c.txt")
	pages := []string{"a.map", "b.map", "c.txt"}
	now := func() *files.Folder {
		return files.InFolder(root, func() []string { return pages }).Remember(&files.Memo{})
	}
	use := now().Contents(".map")
	if !use.Contents || use.SHA256 == "" || use.Bytes == 0 || use.Path != "" || !slices.Equal(use.Endings, []string{".map"}) {
		t.Fatalf("%+v", use)
	}
	looks := func() bool { return (&files.Looks{Folder: now()}).Same([]doc.Use{use}) }
	if present, ok := parse.Present([]doc.Use{use}, now()); !ok || !reflect.DeepEqual(present, []doc.Use{use}) || !looks() {
		t.Errorf("nothing changed: %+v", present)
	}
	must(t, os.WriteFile(filepath.Join(root, "c.txt"), []byte("another text"), 0o644))
	if _, ok := parse.Present([]doc.Use{use}, now()); !ok || !looks() {
		t.Error("a file of another kind changed")
	}
	later := time.Now().Add(time.Hour)
	must(t, os.Chtimes(filepath.Join(root, "b.map"), later, later))
	if present, ok := parse.Present([]doc.Use{use}, now()); !ok || looks() || present[0].ModTime == use.ModTime || present[0].SHA256 != use.SHA256 {
		t.Errorf("another time: %+v, %v", present, ok)
	}
	must(t, os.WriteFile(filepath.Join(root, "b.map"), []byte("another map"), 0o644))
	if _, ok := parse.Present([]doc.Use{use}, now()); ok || looks() {
		t.Error("another content is the same")
	}
	use = now().Contents(".map")
	pages = pages[1:]
	if _, ok := parse.Present([]doc.Use{use}, now()); ok || looks() {
		t.Error("a map less is the same")
	}
}

func TestHeadAndList(t *testing.T) {
	t.Parallel()
	root := folder(t, "a.txt")
	must(t, os.WriteFile(filepath.Join(root, "long.txt"), []byte(strings.Repeat("x", 10_000)), 0o644))
	must(t, os.WriteFile(filepath.Join(root, "empty.txt"), nil, 0o644))
	for name, want := range map[string]int{"a.txt": 8, "long.txt": parse.HeadBytes, "empty.txt": 0} {
		if head, err := files.HeadReader(root, name)(); err != nil || len(head) != want {
			t.Errorf("%s: %d bytes, %v; want %d", name, len(head), err, want)
		}
	}
	asked := 0
	f := files.InFolder(root, func() []string { asked++; return []string{"a.map", "b.txt", "c/D.MAP"} })
	for range 2 {
		if got := strings.Join(f.List(".map", ".x"), " "); got != "a.map c/D.MAP" {
			t.Errorf("listed are %s", got)
		}
	}
	if asked != 1 || files.InFolder(root, nil).List(".map") != nil {
		t.Errorf("the pages were asked for %d times", asked)
	}
}

// What a page used is compared by size and time.
func TestLooks(t *testing.T) {
	t.Parallel()
	root := folder(t, "a.txt")
	at := time.Unix(1_000_000, 0)
	must(t, os.Chtimes(filepath.Join(root, "a.txt"), at, at))
	pages := []string{"a.map"}
	f := files.InFolder(root, func() []string { return pages })
	uses, ok := parse.Present([]doc.Use{{Path: "none.txt"}}, f)
	if !ok || len(uses) != 1 {
		t.Fatalf("%v, %v", uses, ok)
	}
	a := doc.Use{Path: "a.txt", SHA256: "x", Bytes: 8, ModTime: at.UnixNano()}
	for name, tt := range map[string]struct {
		uses []doc.Use
		want bool
	}{
		"nothing": {nil, true}, "the same": {[]doc.Use{a, uses[0]}, true},
		"another time": {[]doc.Use{{Path: "a.txt", SHA256: "x", Bytes: 8, ModTime: 1}}, false},
		"another size": {[]doc.Use{{Path: "a.txt", SHA256: "x", Bytes: 9, ModTime: at.UnixNano()}}, false},
		"gone":         {[]doc.Use{{Path: "b.txt", SHA256: "x", Bytes: 8, ModTime: at.UnixNano()}}, false},
		"there now":    {[]doc.Use{{Path: "a.txt"}}, false},
		"another list": {[]doc.Use{{Endings: []string{".map"}, SHA256: "x"}}, false},
	} {
		looks := files.Looks{Folder: f}
		for range 2 {
			if got := looks.Same(tt.uses); got != tt.want {
				t.Errorf("%s: the same: %v", name, got)
			}
		}
	}
}
