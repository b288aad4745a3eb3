package packing_test

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/packing"
	"docent/pipeline/service/servicetest"
	"docent/pipeline/service/sourcing"
	"docent/pipeline/source"
	"docent/pipeline/source/packed"
	"docent/store"
	"docent/store/embedded"
)

// form is what packages of this program have.
func form() string { return packing.IndexForm(embedded.Indexes{}) }

// open opens a home that fetches packages of a form.
func open(t *testing.T, form string) *servicetest.Home {
	t.Helper()
	return servicetest.Open(t, servicetest.Options{Sources: sourcing.Options{
		Now:      func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) },
		Fetchers: map[string]source.Fetcher{source.KindPacked: &packed.Fetcher{Index: form}},
	}})
}

// lantern are pages of several formats; one includes a file, and one is converted.
func lantern() map[string]string {
	files := map[string]string{
		"wick.md":       "# The wick\n\nTrim the wick each evening, see [oil](guide/oil.md#filling).\n\n## Height\n\nTwo fingers.\n",
		"guide/oil.md":  "# Oil\n\n## Filling\n\nFill the tank twice.\n\n{{#include tank.txt}}\n",
		"guide/fog.rst": "Fog\n===\n\nRing the fog bell at ``--fog-limit``.\n",
		"docent.toml":   "[repository]\ndomain = \"tech_docs\"\n",
	}
	for i := range 30 {
		files[fmt.Sprintf("watch/%02d.md", i)] = fmt.Sprintf("# Watch %d\n\nKeeper %d notes the weather and the lamps in the log.\n", i, i)
	}
	return files
}

func pack(t *testing.T, h *servicetest.Home, req packing.Request) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := h.Packing.Pack(t.Context(), req, &b, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// add adds a package, and gives its notes.
func add(t *testing.T, h *servicetest.Home, raw []byte, req sourcing.AddRequest) (sourcing.Added, []string, error) {
	t.Helper()
	var notes []string
	req.Source = filepath.Join(t.TempDir(), "lamps.docent")
	if err := os.WriteFile(req.Source, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := h.Sourcing.Add(t.Context(), req, home.Watch{Note: func(format string, args ...any) {
		notes = append(notes, fmt.Sprintf(format, args...))
	}})
	return out, notes, err
}

// found are the pages of a doc set that have a word, with their titles.
func found(t *testing.T, h *servicetest.Home, set, word string) string {
	t.Helper()
	index, err := h.Home.Indexes.OpenIndex(t.Context(), h.Set(set).ID)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer index.Close()
	keys, err := index.(store.Postings).Keys(t.Context())
	if err != nil {
		t.Error(err)
	}
	evidence, err := index.Evidence(t.Context(), []string{word}, keys)
	if err != nil {
		t.Error(err)
	}
	var titles []string
	for i, e := range evidence {
		if !slices.ContainsFunc(e.Occurrences, func(o store.Occurrence) bool { return o != (store.Occurrence{}) }) {
			continue
		}
		docs, err := h.Home.Corpus.Catalog.ByID(t.Context(), []int64{keys[i].Doc})
		if err != nil || docs[keys[i].Doc] == nil {
			t.Errorf("passage %v has no page: %v", keys[i], err)
			continue
		}
		titles = append(titles, docs[keys[i].Doc].Path)
	}
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(titles))), " ")
}

// A doc set that was packed is in another home as it was, with its index and vectors; nothing is
// parsed. The updates before it was packed leave no trace in the package.
func TestPackAndAdd(t *testing.T) {
	t.Parallel()
	servicetest.NeedsIndexFiles(t)
	a := open(t, form())
	a.Add("Lantern@2", lantern())
	first := pack(t, a, packing.Request{Sets: []string{"Lantern"}})
	b := open(t, form())
	b.Add("Kelp@1", map[string]string{"kelp.md": "# Kelp\n\nIt floats.\n"})
	out, notes, err := add(t, b, first, sourcing.AddRequest{})
	if err != nil || len(notes) > 0 || out.Sets[0].Set != "Lantern@2" || out.Sets[0].Added != 33 || out.Sets[0].Rebuilt {
		t.Fatalf("%v, %+v, told %q", err, out, notes)
	}
	infos, err := b.Library.Sets(t.Context(), []string{"Lantern"})
	if err != nil || infos.Sets[0].Fresh != library.Fresh || infos.Sets[0].Learned != nil || infos.Sets[0].Pages != 33 {
		t.Errorf("%+v, %v", infos, err)
	}
	for _, word := range []string{"wick", "bell", "log"} {
		if here, there := found(t, a, "Lantern@2", word), found(t, b, "Lantern@2", word); here != there || here == "" {
			t.Errorf("%s is in %q, and was in %q", word, there, here)
		}
	}
	if err := errors.Join(b.Home.Indexes.Verify(t.Context(), b.Set("Lantern").ID),
		b.Home.Indexes.VerifyVectors(t.Context(), b.Set("Lantern").ID, store.LearnedVectors)); err != nil {
		t.Error(err)
	}
	// Packed again, from a home with other numbers, and after updates.
	c := open(t, form())
	c.Add("Lantern@2", map[string]string{"old.md": "# Old\n", "wick.md": "# Old wick\n"})
	c.Delete("Lantern@2", "old.md")
	c.Write("Lantern@2", lantern())
	if _, err := c.Library.Update(t.Context(), library.UpdateRequest{}, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, pack(t, c, packing.Request{Sets: []string{"Lantern"}})) {
		t.Error("the same pages gave another package")
	}
	if rep, err := b.Library.Update(t.Context(), library.UpdateRequest{}, home.Watch{}); err != nil || rep.Sets[1].Touched() {
		t.Errorf("an update after it: %v, %+v", err, rep)
	}
}

// A package replaces an earlier one of the same doc set, unless it has far less.
func TestAPackageReplacesAnother(t *testing.T) {
	t.Parallel()
	a, b := open(t, form()), open(t, form())
	a.Add("Lantern@2", lantern())
	if _, _, err := add(t, b, pack(t, a, packing.Request{Sets: []string{"Lantern"}}), sourcing.AddRequest{}); err != nil {
		t.Fatal(err)
	}
	a.Write("Lantern@2", map[string]string{"wick.md": "# The wick\n\nDouse it at dawn.\n", "rope.md": "# Rope\n\nCoil it.\n"})
	a.Delete("Lantern@2", "guide/fog.rst")
	if _, err := a.Library.Update(t.Context(), library.UpdateRequest{}, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	out, _, err := add(t, b, pack(t, a, packing.Request{Sets: []string{"Lantern"}}), sourcing.AddRequest{})
	if err != nil || out.Sets[0].Added != 1 || out.Sets[0].Changed != 1 || out.Sets[0].Removed != 1 || out.Sets[0].Unchanged != 31 {
		t.Errorf("%v, %+v", err, out.Sets)
	}
	if wick, bell := found(t, b, "Lantern@2", "dawn"), found(t, b, "Lantern@2", "bell"); wick != "wick.md" || bell != "" {
		t.Errorf("found %q and %q", wick, bell)
	}
	for name := range lantern() {
		if strings.HasPrefix(name, "watch/") {
			a.Delete("Lantern@2", name)
		}
	}
	if _, err := a.Library.Update(t.Context(), library.UpdateRequest{}, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	small := pack(t, a, packing.Request{Sets: []string{"Lantern"}})
	if _, _, err := add(t, b, small, sourcing.AddRequest{}); err == nil || !strings.Contains(err.Error(), "what was there stays") {
		t.Errorf("with far less: %v", err)
	}
	if found(t, b, "Lantern@2", "log") == "" {
		t.Error("what was there is gone")
	}
	if out, _, err := add(t, b, small, sourcing.AddRequest{Force: true}); err != nil || out.Sets[0].Removed != 30 {
		t.Errorf("by force: %v, %+v", err, out.Sets)
	}
	a.Add("Kelp@1", map[string]string{"kelp.md": "# Kelp\n"})
	b.Add("Kelp@1", map[string]string{"mine.md": "# Mine\n"})
	if _, ok := errors.AsType[*library.TakenError](last(add(t, b, pack(t, a, packing.Request{Sets: []string{"Kelp"}}), sourcing.AddRequest{}))); !ok {
		t.Error("it took the name of a person's folder")
	}
}

func last(_ sourcing.Added, _ []string, err error) error { return err }

// Several doc sets lie in one package; without an index, and with one of another docent, the pages
// are read.
func TestPackagesWithoutAnIndex(t *testing.T) {
	t.Parallel()
	a := open(t, form())
	a.Add("Lantern@2", lantern())
	a.Add("Kelp@1", map[string]string{"kelp.md": "# Kelp\n\nIt floats.\n"})
	for _, c := range []struct {
		form  string
		req   packing.Request
		notes int
	}{{form(), packing.Request{NoIndex: true}, 0}, {"another", packing.Request{}, 2}} {
		b := open(t, c.form)
		c.req.Sets = []string{"Lantern", "Kelp@1"}
		out, notes, err := add(t, b, pack(t, a, c.req), sourcing.AddRequest{})
		if err != nil || len(notes) != c.notes || len(out.Sets) != 2 || c.notes > 0 && !strings.Contains(notes[0], "it is made again") {
			t.Errorf("%+v: %v, %+v, told %q", c.req, err, out, notes)
		}
		if got := found(t, b, "Kelp@1", "float") + " " + found(t, b, "Lantern@2", "bell"); got != "kelp.md guide/fog.rst" {
			t.Errorf("found %q", got)
		}
	}
}

// rewritten is a package whose files were changed behind its back, with checksums that fit.
func rewritten(t *testing.T, raw []byte, change func(files map[string][]byte)) []byte {
	t.Helper()
	z, err := zstd.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var m packed.Manifest
	content := packed.Content{Pages: map[string]packed.File{}, Index: map[string]packed.File{}}
	files := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		text, rerr := io.ReadAll(r)
		if err = errors.Join(err, rerr); err != nil {
			t.Fatal(err)
		}
		if h.Name == "manifest.json" {
			err = json.Unmarshal(text, &m)
			content.Set = m.Sets[0]
		} else {
			files[strings.TrimPrefix(h.Name, "Lantern@2/")] = text
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	change(files)
	for name, text := range files {
		if inside, ok := strings.CutPrefix(name, "index/"); ok {
			content.Index[inside] = packed.File{Data: text}
		} else {
			content.Pages[strings.TrimPrefix(name, "pages/")] = packed.File{Data: text}
		}
	}
	var b bytes.Buffer
	if _, err := packed.Write(t.Context(), &b, []packed.Content{content}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// An index that does not fit its pages is not taken over: the pages are, and it is made again.
func TestHostileIndexes(t *testing.T) {
	t.Parallel()
	servicetest.NeedsIndexFiles(t)
	a := open(t, form())
	a.Add("Lantern@2", lantern())
	good := pack(t, a, packing.Request{Sets: []string{"Lantern"}})
	const rows = "index/pages.jsonl"
	replace := func(old, with string) func(map[string][]byte) {
		return func(files map[string][]byte) {
			now := bytes.ReplaceAll(files[rows], []byte(old), []byte(with))
			if bytes.Equal(now, files[rows]) {
				t.Errorf("%s is not in the rows", old)
			}
			files[rows] = now
		}
	}
	for name, change := range map[string]func(files map[string][]byte){
		"no rows":           func(files map[string][]byte) { delete(files, rows) },
		"text for rows":     func(files map[string][]byte) { files[rows] = []byte("lamps\n") },
		"a page less":       func(files map[string][]byte) { files[rows] = files[rows][bytes.IndexByte(files[rows], '\n')+1:] },
		"a page twice":      replace(`"watch/01.md"`, `"watch/02.md"`),
		"a path that leads": replace(`"Path":"wick.md"`, `"Path":"../../origin.json"`),
		"a changed page": func(files map[string][]byte) {
			files["pages/wick.md"] = []byte("# Another wick, longer by far than it was\n")
		},
		"a span outside":  replace(`"start_line":1,`, `"start_line":1000000,`),
		"a chunk of none": replace(`"Section":0,`, `"Section":4000,`),
		"no segment":      func(files map[string][]byte) { delete(files, "index/derived/words/segment.zap") },
		"half a segment": func(files map[string][]byte) {
			const name = "index/derived/words/segment.zap"
			files[name] = files[name][:len(files[name])/2]
		},
		"no head": func(files map[string][]byte) { files["index/head.json"] = nil },
	} {
		b := open(t, form())
		b.Add("Kelp@1", map[string]string{"kelp.md": "# Kelp\n\nIt floats.\n"})
		out, notes, err := add(t, b, rewritten(t, good, change), sourcing.AddRequest{})
		if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "the index is made again") || out.Sets[0].Pages != 33 {
			t.Errorf("%s: %v, %+v, told %q", name, err, out, notes)
			continue
		}
		if got := found(t, b, "Lantern@2", "log") + found(t, b, "Kelp@1", "float"); !strings.Contains(got, "watch/29.md") || !strings.Contains(got, "kelp.md") {
			t.Errorf("%s: found %q", name, got)
		}
	}
	// Damaged vectors and a damaged graph are made again without a word: every update looks.
	b := open(t, form())
	_, notes, err := add(t, b, rewritten(t, good, func(files map[string][]byte) {
		files["index/derived/vectors/vectors.bin"] = []byte("lamps")
		files["index/derived/references"] = []byte("lamps")
	}), sourcing.AddRequest{})
	if err != nil || len(notes) > 0 {
		t.Errorf("%v, told %q", err, notes)
	}
	if err := b.Home.Indexes.VerifyVectors(t.Context(), b.Set("Lantern").ID, store.LearnedVectors); err != nil {
		t.Error(err)
	}
}

// Only indexed pages are packed, as they were.
func TestWhatIsPacked(t *testing.T) {
	t.Parallel()
	a := open(t, form())
	a.Add("Lantern@2", lantern())
	a.Write("Lantern@2", map[string]string{"secret.key": "s3cret", "guide/tank.txt": "Forty litres.\n"})
	if _, err := a.Library.Update(t.Context(), library.UpdateRequest{}, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "x.docent")
	if err := os.WriteFile(file, pack(t, a, packing.Request{Sets: []string{"Lantern"}, NoIndex: true}), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := packed.ReadManifest(t.Context(), file)
	names := map[string]bool{}
	for _, f := range m.Members {
		names[f.Name] = true
	}
	if err != nil || names["Lantern@2/pages/secret.key"] || !names["Lantern@2/pages/guide/tank.txt"] || !names["Lantern@2/pages/wick.md"] {
		t.Errorf("%v, %v", slices.Sorted(maps.Keys(names)), err)
	}
	a.Write("Lantern@2", map[string]string{"wick.md": "# Changed\n"})
	_, err = a.Packing.Pack(t.Context(), packing.Request{Sets: []string{"Lantern"}}, io.Discard, home.Watch{})
	if err == nil || !strings.Contains(err.Error(), "1 file of Lantern@2 changed") || !strings.Contains(err.Error(), "wick.md") {
		t.Errorf("a page that changed since: %v", err)
	}
	if _, err := a.Packing.Pack(t.Context(), packing.Request{}, io.Discard, home.Watch{}); err == nil {
		t.Error("no doc set was packed")
	}
	if left, _ := filepath.Glob(filepath.Join(a.Dir, "tmp", "*", "*")); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}

// A process that ends between the pages and their index leaves the index for the next update.
func TestAnInterruptedTakeOver(t *testing.T) {
	t.Parallel()
	a, b := open(t, form()), open(t, form())
	a.Add("Lantern@2", lantern())
	if _, _, err := add(t, b, pack(t, a, packing.Request{Sets: []string{"Lantern"}}), sourcing.AddRequest{}); err != nil {
		t.Fatal(err)
	}
	a.Write("Lantern@2", map[string]string{"wick.md": "# The wick\n\nDouse it at dawn.\n"})
	if _, err := a.Library.Update(t.Context(), library.UpdateRequest{}, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	// As the fetch leaves it: pages and index in place, and nothing of the home changed.
	folder := b.Home.SourceFolder(b.Set("Lantern").Ref)
	for _, e := range unpackedOf(t, pack(t, a, packing.Request{Sets: []string{"Lantern"}})) {
		servicetest.WriteFile(t, filepath.Join(folder, e[0]), e[1])
	}
	rep, err := b.Library.Update(t.Context(), library.UpdateRequest{Sets: []string{"Lantern"}}, home.Watch{})
	if err != nil || rep.Sets[0].Changed != 1 || rep.Sets[0].Rebuilt {
		t.Errorf("%v, %+v", err, rep)
	}
	if got := found(t, b, "Lantern@2", "dawn"); got != "wick.md" {
		t.Errorf("found %q", got)
	}
	if _, err := os.Stat(filepath.Join(folder, "index")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder: %v", err)
	}
}

// unpackedOf are the files of a package of Lantern@2 with their texts.
func unpackedOf(t *testing.T, raw []byte) (out [][2]string) {
	t.Helper()
	rewritten(t, raw, func(files map[string][]byte) {
		for name, text := range files {
			out = append(out, [2]string{name, string(text)})
		}
	})
	return out
}
