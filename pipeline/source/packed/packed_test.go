package packed

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"docent/pipeline/source"
	"docent/pipeline/source/unpack"
)

// lamps are two doc sets.
func lamps() []Content {
	text := func(s string) File { return File{Data: []byte(s)} }
	return []Content{
		{Set: Set{Name: "Wick", Version: "2", Root: ".", Index: "form 1"}, Pages: map[string]File{"a.md": text("# A\n"), "deep/b.md": text("# B\n")},
			Index: map[string]File{"words": text("derived")}},
		{Set: Set{Name: "Oil", Version: "1", Root: "docs", Origin: &source.Origin{Source: "https://example.org/oil.git", Commit: "1234", Licence: "CC0"}},
			Pages: map[string]File{"docs/oil.md": text(strings.Repeat("Fill it.\n", 4000)), "src/oil.c": text("int oil;\n")}},
	}
}

func write(t *testing.T, sets []Content) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := Write(t.Context(), &b, sets); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func save(t *testing.T, raw []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "lamps"+Ending)
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// fetch fetches a doc set of a package, and lists its files.
func fetch(t *testing.T, f *Fetcher, file, ref string, before *source.Before) (source.Fetched, []string, error) {
	t.Helper()
	into := t.TempDir()
	got, err := f.Fetch(t.Context(), source.Want{Kind: source.KindPacked, Address: file, Path: ref}, into, before, nil)
	var names []string
	_ = filepath.WalkDir(into, func(p string, d os.DirEntry, _ error) error {
		if !d.IsDir() {
			rel, _ := filepath.Rel(into, p)
			names = append(names, filepath.ToSlash(rel))
		}
		return nil
	})
	return got, names, err
}

// The same content gives the same bytes, in any order, and comes out as it went in.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	sets := lamps()
	raw := write(t, sets)
	slices.Reverse(sets)
	if !bytes.Equal(raw, write(t, sets)) {
		t.Error("the same doc sets in another order gave other bytes")
	}
	file := save(t, raw)
	got, names, err := fetch(t, &Fetcher{}, file, "", nil)
	if err != nil || fmt.Sprint(names) != "[docs/oil.md src/oil.c]" || got.Name != "Oil" || got.Release != "1" || got.Root != "docs" ||
		fmt.Sprint(got.Others) != "[Wick@2]" || got.From == nil || got.From.Commit != "1234" || got.Licence != "CC0" || got.Files != 2 {
		t.Errorf("the first: %v, %+v, %v", names, got, err)
	}
	for form, want := range map[string]string{"form 1": "[.docent-index/words a.md deep/b.md]", "form 2": "[a.md deep/b.md]"} {
		got, names, err := fetch(t, &Fetcher{Index: form}, file, "Wick@2", nil)
		if err != nil || fmt.Sprint(names) != want || (got.Note == "") != (form == "form 1") || len(got.Others) > 0 {
			t.Errorf("with %s: %v, %+v, %v", form, names, got, err)
		}
	}
	if _, _, err := fetch(t, &Fetcher{}, file, "", &source.Before{Origin: got.Origin}); !errors.Is(err, source.ErrUnchanged) {
		t.Errorf("the same again: %v", err)
	}
	if _, _, err := fetch(t, &Fetcher{}, file+"x", "", &source.Before{Origin: got.Origin}); !errors.Is(err, source.ErrUnchanged) {
		t.Errorf("where the file is gone: %v", err)
	}
	if _, _, err := fetch(t, &Fetcher{}, file, "Fog@1", nil); err == nil || !strings.Contains(err.Error(), "no doc set Fog@1") {
		t.Errorf("another doc set: %v", err)
	}
}

// entry is a file of an archive.
type entry struct {
	tar.Header
	text string
}

// handmade writes an archive by hand: a manifest and the entries.
func handmade(t *testing.T, m any, entries ...entry) []byte {
	t.Helper()
	raw, ok := m.([]byte)
	if !ok {
		var err error
		if raw, err = json.Marshal(m); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(z)
	for _, e := range append([]entry{{tar.Header{Name: manifestName}, string(raw)}}, entries...) {
		e.Size, e.Mode = int64(len(e.text)), 0o644
		if e.Typeflag != 0 && e.Typeflag != tar.TypeReg {
			e.Size = 0
		}
		if err := w.WriteHeader(&e.Header); err != nil {
			t.Fatal(err)
		}
		if e.Size > 0 {
			if _, err := io.WriteString(w, e.text); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// manifest is one of a doc set Oil@1 with these files of four letters.
func manifest(names ...string) Manifest {
	m := Manifest{Format: format, Sets: []Set{{Name: "Oil", Version: "1"}}}
	for _, n := range names {
		m.Members = append(m.Members, Member{Name: n, Size: 4, SHA256: "5d89a85a6a0e2c2e1d7c0f1a3c2f0f1a"})
		m.Sets[0].Files++
	}
	return m
}

// Each damage is an error that names the damaged part, and nothing outside of the folder is
// written.
func TestHostilePackages(t *testing.T) {
	t.Parallel()
	long := lamps()
	var noise bytes.Buffer // hardly packs
	r := rand.New(rand.NewPCG(1, 2))
	for range 40_000 {
		fmt.Fprintf(&noise, "%016x\n", r.Uint64())
	}
	long[1].Pages["docs/fog.md"] = File{Data: noise.Bytes()}
	half := write(t, long)
	half = half[:len(half)-2000]
	member := func(name, text string) entry { return entry{tar.Header{Name: name}, text} }
	newer := []byte(`{"docent_package":7,"doc_sets":"of another form"}`)
	huge := manifest("Oil@1/pages/a.md")
	huge.Members[0].Size = 1 << 40
	many := manifest()
	for i := range mostMembers + 1 {
		many.Members = append(many.Members, Member{Name: fmt.Sprintf("Oil@1/pages/%d.md", i)})
	}
	bad := manifest()
	bad.Sets[0].Name = "../Oil"
	short := manifest("Oil@1/pages/a.md")
	short.Sets[0].Files = 7
	for name, c := range map[string]struct {
		raw  []byte
		says string
	}{
		"nothing":           {nil, "it is no package"},
		"text":              {[]byte("# Lamps\n"), "it is no package"},
		"a zip":             {[]byte("PK\x03\x04 and more that is none"), "it is no package"},
		"half of it":        {half, "damaged in or behind Oil@1/pages/docs/fog.md"},
		"its beginning":     {half[:20], "at its beginning"},
		"no manifest":       {handmade(t, []byte("lamps")), "its manifest cannot be read"},
		"another manifest":  {handmade(t, []byte(`{"lamps":1}`)), "it is no package"},
		"a newer version":   {handmade(t, newer), "of another version: 7, and this docent reads 1; use the program version"},
		"no doc set":        {handmade(t, Manifest{Format: format}), "0 doc sets"},
		"a huge manifest":   {handmade(t, slices.Concat([]byte(`{"docent_package":1,"x":"`), make([]byte, mostManifest))), "manifest.json has more than"},
		"too many files":    {handmade(t, many), "has 1 doc sets and 100001 files"},
		"a bomb":            {handmade(t, huge), "gives \"Oil@1/pages/a.md\""},
		"a bad name":        {handmade(t, bad), "../Oil"},
		"a path that leads": {handmade(t, manifest("Oil@1/pages/../../../x")), "leaves the folder"},
		"an absolute path":  {handmade(t, manifest("/etc/passwd")), "absolute"},
		"another doc set":   {handmade(t, manifest("Wick@1/pages/a.md")), "which no package has"},
		"docent's own name": {handmade(t, manifest("Oil@1/pages/.docent-index/words")), "which no package has"},
		"a repository's":    {handmade(t, manifest("Oil@1/pages/docs/.GIT/config")), "a repository's own file"},
		"one for Windows":   {handmade(t, manifest("Oil@1/pages/git~1/config")), "a repository's own file"},
		"a wrong count":     {handmade(t, short), "counts 7 files of Oil@1, and names 1"},
		"names by case":     {handmade(t, manifest("Oil@1/pages/A.md", "Oil@1/pages/a.md")), "one file on some systems"},
		"a device": {handmade(t, manifest("Oil@1/pages/a.md"), entry{tar.Header{Name: "Oil@1/pages/a.md", Typeflag: tar.TypeChar}, ""}),
			"special file"},
		"a link": {handmade(t, manifest("Oil@1/pages/a.md"), entry{tar.Header{Name: "Oil@1/pages/a.md", Typeflag: tar.TypeSymlink, Linkname: "/etc"}, ""}),
			"it is a link"},
		"a wrong sum":     {handmade(t, manifest("Oil@1/pages/a.md"), member("Oil@1/pages/a.md", "lamp")), "a.md does not have its checksum"},
		"a longer file":   {handmade(t, manifest("Oil@1/pages/a.md"), member("Oil@1/pages/a.md", "lamps")), "MB"},
		"a missing file":  {handmade(t, manifest("Oil@1/pages/a.md")), "Oil@1/pages/a.md is missing"},
		"an unknown file": {handmade(t, manifest(), member("Oil@1/pages/b.md", "lamp")), "which its manifest does not list"},
	} {
		got, names, err := fetch(t, &Fetcher{}, save(t, c.raw), "", nil)
		if e, ok := errors.AsType[*source.Error](err); !ok || !strings.Contains(err.Error(), c.says) || e.Do == "" {
			t.Errorf("%s: %v, %+v, %v", name, err, got, names)
		}
	}
}

// A flipped byte anywhere is found.
func TestFlippedBytes(t *testing.T) {
	t.Parallel()
	good := write(t, lamps())
	undetected := map[int]bool{}
	for i := range good {
		raw := slices.Clone(good)
		raw[i] ^= 0x20
		file := save(t, raw)
		_, _, err := fetch(t, &Fetcher{Index: "form 1"}, file, "Wick@2", nil)
		if _, ok := errors.AsType[*source.Error](err); err != nil && !ok {
			t.Errorf("byte %d: %v", i, err)
		}
		if err == nil {
			undetected[i] = true
		}
	}
	// The bytes behind the doc set's own files are not read, and a few bits of a frame mean nothing.
	if len(undetected) > len(good)/4 {
		t.Errorf("%d of %d flipped bytes were not found: %v", len(undetected), len(good), slices.Sorted(maps.Keys(undetected)))
	}
}

// A file that changes while it is packed, or that could not be unpacked, is an error of packing.
func TestWhatCannotBePacked(t *testing.T) {
	t.Parallel()
	sets := lamps()
	sets[0].Pages["A.MD"] = File{}
	if _, err := Write(t.Context(), io.Discard, sets); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "could not be unpacked") {
		t.Errorf("names by case: %v", err)
	}
	delete(sets[0].Pages, "A.MD")
	sets[0].Pages["gone.md"] = File{Path: filepath.Join(t.TempDir(), "gone")}
	if _, err := Write(t.Context(), io.Discard, sets); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Write(ctx, io.Discard, lamps()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := unpack.First(ctx, bytes.NewReader(write(t, lamps())), manifestName, mostManifest); !errors.Is(err, context.Canceled) {
		t.Errorf("reading, cancelled: %v", err)
	}
}
