package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docent/pipeline/source"
)

// repo is a repository made for a test.
type repo struct {
	t   *testing.T
	dir string
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := &repo{t, filepath.Join(t.TempDir(), "lantern")}
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	r.git("init", "-q", "-b", "main")
	r.git("config", "uploadpack.allowFilter", "true")
	r.git("config", "uploadpack.allowAnySHA1InWant", "true")
	return r
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), "git", append([]string{"-C", r.dir, "-c", "user.name=A Keeper", "-c", "user.email=keeper@example.org",
		"-c", "protocol.file.allow=always"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *repo) write(files map[string]string) *repo {
	r.t.Helper()
	for name, text := range files {
		file := filepath.Join(r.dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			r.t.Fatal(err)
		}
	}
	return r
}

func (r *repo) commit(tag string) string {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "a change")
	if tag != "" {
		r.git("tag", "-a", tag, "-m", tag)
	}
	return r.git("rev-parse", "HEAD")
}

func (r *repo) want() source.Want {
	return source.Want{Kind: source.KindGit, Address: "file://" + filepath.ToSlash(r.dir)}
}

func lantern(t *testing.T) *repo {
	r := newRepo(t)
	r.write(map[string]string{
		"LICENSE": "MIT License\n\nPermission is granted.\n", "README.md": "# Lantern\n", "src/main.go": "package main\n",
		"docs/index.md": "# Lantern\n\nIt gives light.\n", "docs/wick.md": "# The wick\n\nTrim it.\n", "docs/oil.md": "# Oil\n\nFill it.\n",
		"docs/wick.png": "a picture",
	})
	r.commit("v1.0.0")
	r.write(map[string]string{"docs/wick.md": "# The wick\n\nTrim it each evening.\n"}).commit("v1.1.0")
	r.write(map[string]string{"docs/storm.md": "# Storms\n\nClose the shutters.\n"}).commit("v2.0.0-rc.1")
	r.write(map[string]string{"docs/fog.md": "# Fog\n"}).commit("")
	return r
}

func fetch(t *testing.T, w source.Want, before *source.Before) (source.Fetched, string, error) {
	t.Helper()
	into := t.TempDir()
	f := &Fetcher{Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }}
	out, err := f.Fetch(t.Context(), w, into, before, nil)
	return out, into, err
}

// pages are the files that were fetched, without git's.
func pages(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if err == nil && !d.IsDir() {
			out = append(out, filepath.ToSlash(strings.TrimPrefix(p, dir+string(filepath.Separator))))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The documentation of a repository is found and fetched, and nothing else of it.
func TestFetch(t *testing.T) {
	t.Parallel()
	r := lantern(t)
	out, dir, err := fetch(t, r.want(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := pages(t, dir); !slices.Equal(got, []string{"LICENSE", "docs/fog.md", "docs/index.md", "docs/oil.md", "docs/storm.md", "docs/wick.md"}) {
		t.Errorf("files are %v", got)
	}
	if out.Name != "lantern" || out.Release != "latest" || out.Root != "docs" || out.Commit != r.git("rev-parse", "HEAD") ||
		out.Licence != "MIT" || out.Files != 6 || !strings.HasPrefix(out.Digest, "sha256:") || out.Fetched.Year() != 2026 {
		t.Errorf("fetched is %+v", out)
	}
}

// In a repository of several packages the documentation of the wanted one goes first, and where
// the repository has none, its folder is taken.
func TestPackageOfARepository(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write(map[string]string{"packages/oil/README.md": "# Oil\n", "packages/oil/docs/a.md": "# A\n", "packages/oil/docs/b.md": "# B\n", "packages/oil/docs/c.md": "# C\n",
		"packages/wick/README.md": "# Wick\n", "packages/wick/CHANGES.md": "# Changes\n", "README.md": "# All\n"})
	r.commit("")
	for near, want := range map[string]string{"packages/oil": "packages/oil/docs", "packages/wick": "packages/wick", "packages/gone": ""} {
		w := r.want()
		w.Near, w.Ref = near, "HEAD"
		if out, _, err := fetch(t, w, nil); err != nil || out.Path != want {
			t.Errorf("near %s it is %s, want %s: %v", near, out.Path, want, err)
		}
	}
	r.write(map[string]string{"docs/a.md": "# A\n", "docs/b.md": "# B\n", "docs/c.md": "# C\n"})
	r.commit("")
	for near, want := range map[string]string{"packages/oil": "packages/oil/docs", "packages/wick": "docs"} {
		w := r.want()
		w.Near = near
		if out, _, err := fetch(t, w, nil); err != nil || out.Path != want {
			t.Errorf("near %q it is %q, want %q: %v", near, out.Path, want, err)
		}
	}
}

// A fetch that is interrupted goes on with the parts that came. What it left is used for nothing
// else, and where it is damaged the fetch begins anew.
func TestInterruptedFetchGoesOn(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	all := map[string]string{}
	for i := range 9 {
		all["docs/page"+string(rune('a'+i))+".md"] = "# Page\n\nNumber " + strings.Repeat("x", i) + ".\n"
	}
	r.write(all).commit("")
	f, into := &Fetcher{part: 2}, t.TempDir()
	parts := func(most int) (n int, err error) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		_, err = f.Fetch(ctx, r.want(), into, nil, func(p source.Progress) {
			if p.Text != "fetching files" {
				return
			}
			if n++; n > most {
				cancel()
			}
		})
		return n, err
	}
	if _, err := parts(3); !errors.Is(err, context.Canceled) {
		t.Fatalf("it ended with %v", err)
	}
	// 6 of 9 files came; a killed git leaves its lock.
	if err := os.WriteFile(filepath.Join(into, ".git", "index.lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := parts(9); err != nil || n != 2 {
		t.Errorf("the rest came in %d parts: %v", n, err)
	}
	if got := pages(t, into); len(got) != 9 {
		t.Errorf("files are %v", got)
	}
	// All of it is there, and its files are written again.
	if n, err := parts(9); err != nil || n != 0 || len(pages(t, into)) != 9 {
		t.Errorf("once more %d parts, %v: %v", n, pages(t, into), err)
	}
	packs, err := filepath.Glob(filepath.Join(into, ".git", "objects", "pack", "*.pack"))
	for _, p := range packs {
		err = errors.Join(err, os.Chmod(p, 0o600), os.WriteFile(p, []byte("damaged"), 0o600))
	}
	if err != nil || len(packs) == 0 {
		t.Fatal(packs, err)
	}
	if n, err := parts(9); err != nil || n != 5 || len(pages(t, into)) != 9 {
		t.Errorf("of a damaged repository %d parts, %v: %v", n, pages(t, into), err)
	}
	other := lantern(t)
	if out, err := f.Fetch(t.Context(), other.want(), into, nil, nil); err != nil || out.Commit != other.git("rev-parse", "HEAD") {
		t.Errorf("another repository: %v", err)
	}
}

// A version is the newest tag that has it; one that is not there is an error that names those
// that are.
func TestVersions(t *testing.T) {
	t.Parallel()
	r := lantern(t)
	r.git("branch", "feature/fog")
	for _, c := range []struct{ version, ref, release, tag string }{
		{"1", "", "1.1.0", "v1.1.0"}, {"1.0", "", "1.0.0", "v1.0.0"}, {"v1.1.0", "", "1.1.0", "v1.1.0"}, {"2.0.0-rc.1", "", "2.0.0-rc.1", "v2.0.0-rc.1"},
		{"", "v1.0.0", "1.0.0", "v1.0.0"}, {"", "main", "main", "main"}, {"", "feature/fog", "feature-fog", "feature/fog"},
		{"", r.git("rev-parse", "v1.0.0^{}"), r.git("rev-parse", "v1.0.0^{}")[:12], ""},
	} {
		w := r.want()
		w.Version, w.Ref = c.version, c.ref
		out, _, err := fetch(t, w, nil)
		if err != nil || out.Release != c.release || out.Ref != c.tag {
			t.Errorf("%+v: %v, %q of %q", c, err, out.Release, out.Ref)
		}
	}
	for version, says := range map[string]string{"2": "it has 2.0.0-rc.1", "7": "it has 2.0.0-rc.1, 1.1.0, 1.0.0"} {
		w := r.want()
		w.Version = version
		if _, _, err := fetch(t, w, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("version %s: %v", version, err)
		}
	}
}

// An update of a repository that has not changed costs one question; one that has uses the
// objects that are there.
func TestUpdate(t *testing.T) {
	t.Parallel()
	r := lantern(t)
	out, dir, err := fetch(t, r.want(), nil)
	if err != nil {
		t.Fatal(err)
	}
	before := &source.Before{Origin: out.Origin, Folder: dir}
	if _, _, err := fetch(t, r.want(), before); !errors.Is(err, source.ErrUnchanged) {
		t.Errorf("nothing changed: %v", err)
	}
	r.git("rm", "-q", "docs/fog.md")
	r.write(map[string]string{"docs/oil.md": "# Oil\n\nFill it twice.\n"}).commit("")
	next, to, err := fetch(t, r.want(), before)
	if err != nil || next.Commit == out.Commit || next.Digest == out.Digest {
		t.Fatalf("%v: %+v", err, next)
	}
	raw, _ := os.ReadFile(filepath.Join(to, "docs", "oil.md"))
	if string(raw) != "# Oil\n\nFill it twice.\n" || slices.Contains(pages(t, to), "docs/fog.md") {
		t.Errorf("oil.md is %q, files are %v", raw, pages(t, to))
	}
	// History that was written anew is another state like any other.
	r.git("checkout", "-q", "--orphan", "again")
	r.write(map[string]string{"docs/again.md": "# Again\n"}).commit("")
	r.git("branch", "-M", "main")
	last, to, err := fetch(t, r.want(), &source.Before{Origin: next.Origin, Folder: to})
	if err != nil || !slices.Contains(pages(t, to), "docs/again.md") {
		t.Errorf("%v: %+v", err, last)
	}
}

// A tag says which state a doc set has. One that was moved is followed, and that is said; a branch is
// at another commit each time.
func TestAMovedTagIsSaid(t *testing.T) {
	t.Parallel()
	r := lantern(t)
	for _, ref := range []string{"main", "wick-1"} {
		r.git("tag", "-f", "wick-1")
		want := r.want()
		want.Ref = ref
		out, dir, err := fetch(t, want, nil)
		if err != nil || out.Note != "" {
			t.Fatalf("%v: %q", err, out.Note)
		}
		r.write(map[string]string{"docs/oil.md": "# Oil\n\nFill it for " + ref + ".\n"}).commit("")
		r.git("tag", "-f", "wick-1")
		again, _, err := fetch(t, want, &source.Before{Origin: out.Origin, Folder: dir})
		if err != nil || again.Commit == out.Commit || (again.Note == "the tag wick-1 was moved: it is at another commit than at the last fetch") != (ref == "wick-1") {
			t.Errorf("%s: %v, noted %q", ref, err, again.Note)
		}
	}
}

// Nothing of a repository is run, or leads out: links, hooks, filters,
// submodules; what is missing is named.
func TestHostileRepository(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	secret := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(secret, []byte("# Secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := newRepo(t).write(map[string]string{"a.md": "# A\n"})
	other.commit("")
	r.write(map[string]string{"docs/a.md": "# A\n", "docs/b.md": "# B\n", "docs/c.md": "# C\n",
		"docs/large.pdf": pointer + "v1\noid sha256:0\nsize 1\n", ".gitattributes": "*.md filter=evil\n"})
	for name, to := range map[string]string{"docs/out.md": secret, "docs/up.md": "../../../../etc/passwd", "docs/in.md": "a.md"} {
		if err := os.Symlink(to, filepath.Join(r.dir, filepath.FromSlash(name))); err != nil {
			t.Skip(err)
		}
	}
	r.git("submodule", "add", "-q", "file://"+other.dir, "docs/sub")
	r.commit("")
	w := r.want()
	w.Path = "docs"
	out, dir, err := fetch(t, w, nil)
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, f := range out.Failed {
		named = append(named, f.What)
	}
	if !slices.Equal(named, []string{"docs/large.pdf", "docs/out.md", "docs/sub", "docs/up.md"}) {
		t.Errorf("failed are %+v", out.Failed)
	}
	got := pages(t, dir)
	for _, name := range named {
		if slices.Contains(got, name) {
			t.Errorf("%s is there", name)
		}
	}
	if !slices.Contains(got, "docs/in.md") {
		t.Errorf("a link inside the repository is gone: %v", got)
	}
}

// Addresses and names that git would take for options or commands are refused, and a missing
// repository is said in words.
func TestRefused(t *testing.T) {
	t.Parallel()
	r := lantern(t)
	mark := filepath.Join(t.TempDir(), "mark")
	for _, w := range []source.Want{
		{Address: "--upload-pack=touch " + mark}, {Address: "ext::sh -c touch% " + mark}, {Address: "https://example.org/\x1b]0;a"},
		{Address: r.want().Address, Ref: "--upload-pack=touch"}, {Address: r.want().Address, Version: "-x"}, {Address: r.want().Address, Path: "../.."},
		{Address: r.want().Address, Ref: "no-such"}, {Address: r.want().Address, Path: "no/such"}, {Address: "file:///no/such/repository"},
		{Address: "http://127.0.0.1:1/repo.git"},
	} {
		_, _, err := fetch(t, w, nil)
		if e, ok := errors.AsType[*source.Error](err); !ok || e.Do == "" {
			t.Errorf("%+v: %v", w, err)
		} else if strings.HasPrefix(w.Address, "http://") && (!strings.HasPrefix(e.Reason, unreachable) || strings.Contains(e.Reason, w.Address)) {
			t.Errorf("%s, where nothing listens: %v", w.Address, err)
		}
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a command was run")
	}
	f := &Fetcher{Program: "no-such-git"}
	if _, err := f.Fetch(t.Context(), r.want(), t.TempDir(), nil, nil); !errors.Is(err, errNoGit) {
		t.Errorf("without git: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&Fetcher{}).Fetch(ctx, r.want(), t.TempDir(), nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("of a context that ended: %v", err)
	}
}

// A doc set is called after its repository, or after its owner where the repository is only
// called documentation.
func TestNames(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://github.com/org/lantern": "lantern", "https://github.com/lantern/website": "lantern", "git@example.org:org/lantern.git": "lantern",
		"file:///srv/docs": "srv", "https://github.com/org/lantern.github.io": "lantern", "git@example.org:docs": "docs",
	} {
		if got := nameOf(address); got != want {
			t.Errorf("%s is %q", address, got)
		}
	}
}

// A licence is named by its text, which names others too.
func TestLicenceNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"MIT License\n\nPermission is hereby granted,\nfree of charge": "MIT", "Mozilla Public License Version 2.0\n the GNU General Public License": "MPL-2.0",
		"GNU GENERAL PUBLIC LICENSE\n use the GNU Lesser General Public License instead": "GPL", "Copyright 2010\n\nRedistribution and use in source and binary forms\nNeither the name of": "BSD-3-Clause",
		"Creative Commons Attribution 4.0 International": "CC-BY-4.0", "Ask the keeper.": "",
	} {
		if got := licenceNamed(text); got != want {
			t.Errorf("%q is %q", text, got)
		}
	}
}
