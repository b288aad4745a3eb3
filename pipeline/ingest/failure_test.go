package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown"
	"docent/store"
	"docent/store/doc"
)

// faultyParser reads Markdown, and fails on pages that say so.
type faultyParser struct {
	markdown.Parser
	version int           // added to the version
	never   *testing.T    // must not be called, where not nil
	parsed  *atomic.Int64 // counts calls, where not nil
}

func (p faultyParser) Info() parse.Info {
	info := p.Parser.Info()
	info.Version += p.version
	return info
}

func (p faultyParser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	if p.never != nil {
		p.never.Errorf("%s is parsed", opt.Path)
	}
	if p.parsed != nil {
		p.parsed.Add(1)
	}
	switch text := string(src); {
	case strings.Contains(text, "PANIC"):
		var none []int
		none[len(text)]++
	case strings.Contains(text, "BAD"):
		return doc.Document{}, errors.New("line 3:\n\tno such\x1b[31m element")
	}
	d, err := p.Parser.Parse(ctx, src, opt)
	d.Parser += p.version
	return d, err
}

// with is an ingester with this parser.
func with(t *testing.T, h *corpustest.Home, p faultyParser) *ingest.Ingester {
	t.Helper()
	in := h.Ingester()
	in.Parsers = &parse.Registry{}
	if err := in.Parsers.Register(p); err != nil {
		t.Fatal(err)
	}
	return in
}

func update(t *testing.T, in *ingest.Ingester, set store.Set, rebuild bool) ingest.Report {
	t.Helper()
	rep, err := in.Update(context.Background(), set, rebuild, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// failures are what the catalog has recorded, path: reason.
func failures(t *testing.T, h *corpustest.Home, set store.Set) map[string]string {
	t.Helper()
	all, err := h.Catalog.Failures(context.Background(), set.ID)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range all {
		out[f.Path] = f.Stage + ": " + f.Reason
	}
	return out
}

// A parser's error or panic is the failure of one file. The others are indexed, the
// failure is recorded and said at every update, tried again when the file changes,
// and forgotten when the file works or is gone.
func TestFailureOfOneFile(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("A@1", map[string]string{"a.md": "# A\n\nalpha\n", "b.md": "# B\n\nbeta\n", "c.md": "# C\n"})
	in := with(t, h, faultyParser{})
	h.Write(set, map[string]string{"b.md": "# B\n\nBAD\n", "c.md": "# C\n\nPANIC\n", "d.md": "# D\n\ndelta\n"})
	rep := update(t, in, set, false)
	if counts(rep) != [5]int{1, 0, 2, 1, 2} {
		t.Errorf("%+v", rep)
	}
	want := map[string]string{
		"b.md": "parse: line 3: no such [31m element",
		"c.md": "parse: the parser of Markdown (version 20) panicked: runtime error: index out of range [11] with length 0",
	}
	if got := failures(t, h, set); !maps.Equal(got, want) {
		t.Errorf("recorded: %q", got)
	}
	said := []string{
		"b.md: it cannot be indexed (parse: line 3: no such [31m element), left out",
		"c.md: it cannot be indexed (parse: the parser of Markdown (version 20) panicked: runtime error: index out of range [11] with length 0), left out",
	}
	if !slices.Equal(rep.Warnings, said) || len(rep.Failed) != 2 || rep.Failed[0].Path != "b.md" {
		t.Errorf("said: %q, %+v", rep.Warnings, rep.Failed)
	}
	if got := slices.Sorted(maps.Keys(ids(t, h, set))); !slices.Equal(got, []string{"a.md", "d.md"}) {
		t.Errorf("pages are %v", got)
	}

	// Nothing changed: they are not tried again, and said again.
	in = with(t, h, faultyParser{never: t})
	if rep = update(t, in, set, false); counts(rep) != [5]int{0, 0, 0, 2, 2} || !slices.Equal(rep.Warnings, said) || rep.Touched() {
		t.Errorf("%+v", rep)
	}

	// One is mended, one is gone.
	in = with(t, h, faultyParser{})
	h.Write(set, map[string]string{"b.md": "# B\n\nbetter\n"})
	h.Delete(set, "c.md")
	if rep = update(t, in, set, false); counts(rep) != [5]int{1, 0, 0, 2, 3} || len(rep.Failed)+len(rep.Warnings) != 0 {
		t.Errorf("%+v", rep)
	}
	if got := failures(t, h, set); len(got) != 0 {
		t.Errorf("recorded: %q", got)
	}

	// A rebuild tries everything.
	h.Write(set, map[string]string{"b.md": "# B\n\nBAD\n"})
	update(t, in, set, false)
	if rep := h.Update(set, true); len(rep.Failed) != 0 || counts(rep) != [5]int{1, 0, 0, 2, 3} {
		t.Errorf("%+v", rep)
	}
	ids(t, h, set)
}

// Another version of a parser reads all of its pages again, those that failed too.
func TestAnotherVersionOfTheParser(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("A@1", map[string]string{"a.md": "# A\n\nalpha\n", "b.md": "# B\n\nbeta\n"})
	h.Write(set, map[string]string{"b.md": "# B\n\nBAD\n"})
	before := ids(t, h, set)
	update(t, with(t, h, faultyParser{}), set, false)
	var parsed atomic.Int64
	newer := with(t, h, faultyParser{version: 1, parsed: &parsed})
	if rep := update(t, newer, set, false); counts(rep) != [5]int{0, 1, 0, 0, 1} || parsed.Load() != 2 || len(rep.Failed) != 1 {
		t.Errorf("%+v, %d parsed", rep, parsed.Load())
	}
	if now := ids(t, h, set); now["a.md"] == before["a.md"] {
		t.Error("a page with another outline has the id of the old one")
	}
	if rep := update(t, newer, set, false); rep.Touched() || parsed.Load() != 2 {
		t.Errorf("%+v, %d parsed", rep, parsed.Load())
	}
}

// A file that cannot be read is left out and tried again at every update: neither
// its size nor its time says that it can be read again.
func TestUnreadableFile(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("A@1", map[string]string{"a.md": "# A\n", "b.md": "# B\n", "c.md": "# C\n"})
	in := h.Ingester()
	broken := map[string]error{"a.md": fs.ErrPermission, "c.md": &fs.PathError{Op: "read", Path: "/secret/c.md", Err: syscall.EIO}}
	in.SetRead(func(file string) ([]byte, error) {
		if err := broken[filepath.Base(file)]; err != nil {
			return nil, err
		}
		return os.ReadFile(file)
	})
	h.Write(set, map[string]string{"a.md": "# A\n\nother\n", "c.md": "# C\n\nother\n"})
	for range 2 {
		rep := update(t, in, set, false)
		if want := []string{"a.md: may not be read, left out", "c.md: input/output error, left out"}; !slices.Equal(rep.Warnings, want) || rep.Pages != 1 {
			t.Errorf("%+v", rep)
		}
	}
	clear(broken)
	if rep := update(t, in, set, false); counts(rep) != [5]int{2, 0, 0, 1, 3} || len(failures(t, h, set)) != 0 {
		t.Errorf("%+v", rep)
	}
}

// Failures alone, without any page, are published too.
func TestOnlyFailures(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("A@1", map[string]string{"a.md": "# A\n"})
	h.Write(set, map[string]string{"b.md": "BAD"})
	if rep := update(t, with(t, h, faultyParser{}), set, false); rep.Touched() || len(rep.Failed) != 1 {
		t.Errorf("%+v", rep)
	}
	if got := failures(t, h, set); len(got) != 1 {
		t.Errorf("%v", got)
	}
	h.Delete(set, "b.md")
	update(t, with(t, h, faultyParser{}), set, false)
	if got := failures(t, h, set); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ö", 400)
	for text, want := range map[string]string{
		"a\n b\t\tc\x1b[31m\u009bd": "a b c [31m d",
		"bad \xff":                  "bad \uFFFD",
		long:                        long[:300] + "…",
	} {
		if got := ingest.OneLine(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// rotten are indexes whose damage shows only when an update writes.
type rotten struct{ ingest.Indexes }

func (x rotten) UpdateIndex(ctx context.Context, setID int64, fresh bool) (store.IndexUpdate, error) {
	u, err := x.Indexes.UpdateIndex(ctx, setID, fresh)
	if err != nil || fresh {
		return u, err
	}
	return rottenUpdate{u}, nil
}

type rottenUpdate struct{ store.IndexUpdate }

func (u rottenUpdate) Prepare(context.Context) error {
	return fmt.Errorf("merge: %w", store.ErrDamaged)
}

// An update that finds the index damaged while it writes builds it from nothing.
func TestDamageFoundWhileWriting(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("A@1", map[string]string{"a.md": "# A\n", "b.md": "# B\n"})
	h.Write(set, map[string]string{"b.md": "# B\n\nbeta\n", "c.md": "# C\n"})
	in := h.Ingester()
	in.Indexes = rotten{in.Indexes}
	if rep := update(t, in, set, false); counts(rep) != [5]int{1, 1, 0, 1, 3} || !rep.Rebuilt {
		t.Errorf("%+v", rep)
	}
	ids(t, h, set)
}

// lostRight is a right that another process has by now.
type lostRight struct{}

var errLost = errors.New("the lock was lost")

func (lostRight) Check(context.Context) error { return errLost }
func (lostRight) Release() error              { return nil }

// An update whose lock was lost publishes nothing: another process may have updated the doc set
// by then.
func TestALostLockPublishesNothing(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("A@1", map[string]string{"a.md": "# A\n\nalpha\n"})
	before := ids(t, h, set)
	h.Write(set, map[string]string{"a.md": "# A\n\nbeta\n", "b.md": "# B\n\nbeta\n"})
	in := h.Ingester()
	in.LockSet = func(context.Context, store.Set) (store.Held, error) { return lostRight{}, nil }
	if _, err := in.Update(t.Context(), set, false, nil); !errors.Is(err, errLost) {
		t.Errorf("the update says %v", err)
	}
	if now := ids(t, h, set); !maps.Equal(now, before) {
		t.Errorf("the pages are %v, and were %v", now, before)
	}
	if r := h.Update(set, false); counts(r) != [5]int{1, 1, 0, 0, 2} {
		t.Errorf("the next update says %+v", r)
	}
}
