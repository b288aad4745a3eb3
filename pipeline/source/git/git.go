// Package git fetches the documentation of a repository with the program git, so that its
// credentials and proxies hold: one commit, and the files of one folder of it.
//
// It refuses to run anything that a repository brings: hooks, filters, submodules and
// transports that are commands.
package git

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docent/pipeline/source"
	"docent/store/doc"
)

// Fetcher fetches repositories. Its zero value uses the git of the PATH.
type Fetcher struct {
	Program string   // "": git
	Environ []string // of the program; nil: this process's
	Now     func() time.Time

	part int // files that are fetched at once; 0: partOfFiles
}

// Limits of a repository's documentation where a Want says none.
const (
	mostFiles = 100_000
	mostBytes = 2 << 30
)

// Fetch implements source.Fetcher.
func (f *Fetcher) Fetch(ctx context.Context, want source.Want, into string, before *source.Before,
	say func(source.Progress)) (source.Fetched, error) {
	if say == nil {
		say = func(source.Progress) {}
	}
	r := repository{program: cmp.Or(f.Program, "git"), environ: f.Environ, dir: into, want: want, say: say,
		part: cmp.Or(f.part, partOfFiles)}
	if err := r.checkAddress(); err != nil {
		return source.Fetched{}, err
	}
	say(source.Progress{Text: "asking " + hostOf(want.Address)})
	head, err := r.resolve(ctx)
	if err != nil {
		return source.Fetched{}, err
	}
	if before != nil && before.Commit != "" && before.Commit == head.commit {
		return source.Fetched{}, source.ErrUnchanged
	}
	chosen := r.want
	out, err := f.bring(ctx, &r, head, before)
	if r.goesOn && mayBeDamage(err) {
		if err := os.RemoveAll(filepath.Join(into, ".git")); err != nil {
			return source.Fetched{}, err
		}
		r.want = chosen
		return f.bring(ctx, &r, head, before)
	}
	return out, err
}

// bring fetches a commit and checks its documentation out.
func (f *Fetcher) bring(ctx context.Context, r *repository, head ref, before *source.Before) (source.Fetched, error) {
	want, into := r.want, r.dir
	if err := r.prepare(ctx, before); err != nil {
		return source.Fetched{}, err
	}
	if err := r.fetch(ctx, head); err != nil {
		return source.Fetched{}, err
	}
	out := source.Fetched{Origin: source.Origin{Kind: source.KindGit, URL: want.Address, Ref: head.name, Licence: want.Licence},
		Name: cmp.Or(want.Name, nameOf(want.Address)), Release: head.release()}
	var err error
	if out.Commit, err = r.output(ctx, "rev-parse", "FETCH_HEAD"); err != nil {
		return out, err
	}
	if before != nil && strings.HasPrefix(head.full, "refs/tags/") && before.Ref == head.name && before.Commit != out.Commit {
		out.Note = fmt.Sprintf("the tag %s was moved: it is at another commit than at the last fetch", head.name)
	}
	files, err := r.list(ctx)
	if err != nil {
		return out, err
	}
	if before != nil && r.want.Path == "" && slices.ContainsFunc(files, func(f file) bool { return inFolder(f.path, before.Path) }) {
		r.want.Path = cmp.Or(before.Path, ".") // it lies where it lay
	}
	if out.Path, out.Others, err = r.chooseFolder(files); err != nil {
		return out, err
	}
	out.Failed = submodules(files, out.Path)
	if err := r.fetchFiles(ctx, files, out.Path); err != nil {
		return out, err
	}
	if err := r.checkOut(ctx, out.Path); err != nil {
		return out, err
	}
	out.Root = cmp.Or(out.Path, ".")
	out.Version = cmp.Or(r.exact, out.Release)
	if f.Now != nil {
		out.Fetched = f.Now().UTC()
	}
	out.URLBase, out.FileBase = r.want.URLBase, source.BlobURL(want.Address, out.Commit, out.Path)
	out.Licence = cmp.Or(out.Licence, licenceIn(into))
	return out, r.settle(&out)
}

// repository is one fetch.
type repository struct {
	program string
	environ []string
	dir     string
	want    source.Want
	exact   string // the version that was picked
	say     func(source.Progress)
	part    int
	goesOn  bool // an interrupted fetch left a part of it
}

// failure is an error about the repository.
func (r *repository) failure(reason, do string, err error) error {
	return &source.Error{Source: r.want.Address, Reason: reason, Do: do, Err: err}
}

// checkAddress refuses addresses that git would take for an option or for a command.
func (r *repository) checkAddress() error {
	a := r.want.Address
	switch {
	case strings.HasPrefix(a, "-"), strings.Contains(a, "://-"):
		return r.failure("neither an address nor its host can begin with a dash", "give the address of a repository", nil)
	case strings.Contains(a, "::"):
		return r.failure("an address with :: names a command", "give an address that begins with https:// or ssh://", nil)
	case strings.ContainsFunc(a, func(c rune) bool { return c < ' ' || c == 0x7f }):
		return r.failure("the address has control characters", "give the address of a repository", nil)
	}
	for _, ref := range []string{r.want.Ref, r.want.Version} {
		if strings.HasPrefix(ref, "-") || strings.ContainsAny(ref, " \t\n~^:?*[\\") || strings.Contains(ref, "..") {
			return r.failure(fmt.Sprintf("%q is no name of a branch, tag or commit", ref), "name one of the repository", nil)
		}
	}
	if p := r.want.Path; p != "" && (!fs.ValidPath(strings.Trim(p, "/")) || strings.ContainsAny(p, "\n\x00")) {
		return r.failure(fmt.Sprintf("%q is no folder inside a repository", p), "give it with slashes, as in docs/en", nil)
	}
	return nil
}

// prepare makes the repository's own folder, or goes on with that of an interrupted fetch. Of a
// fetch before, its objects are used again.
func (r *repository) prepare(ctx context.Context, before *source.Before) error {
	old, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	r.goesOn = r.resumeFetch(ctx)
	for _, e := range old {
		if r.goesOn && e.Name() == ".git" {
			continue
		}
		if err := os.RemoveAll(filepath.Join(r.dir, e.Name())); err != nil {
			return err
		}
	}
	if r.goesOn {
		return nil
	}
	if _, err := r.output(ctx, "init", "-q"); err != nil {
		return err
	}
	if before != nil {
		linkObjects(filepath.Join(before.Folder, ".git"), filepath.Join(r.dir, ".git"))
	}
	_, err = r.output(ctx, "remote", "add", "origin", r.want.Address)
	return err
}

// mostPacks is from how many packs on a repository is fetched anew: each update adds some.
const mostPacks = 40

// linkObjects gives a new repository the objects of another, as far as that succeeds: those
// that are missing are fetched.
func linkObjects(from, to string) {
	packs, err := os.ReadDir(filepath.Join(from, "objects", "pack"))
	if err != nil || len(packs) > mostPacks {
		return
	}
	for _, p := range packs {
		_ = os.Link(filepath.Join(from, "objects", "pack", p.Name()), filepath.Join(to, "objects", "pack", p.Name()))
	}
	for _, name := range []string{"shallow", "info/" + more} {
		if raw, err := os.ReadFile(filepath.Join(from, filepath.FromSlash(name))); err == nil {
			_ = os.MkdirAll(filepath.Dir(filepath.Join(to, filepath.FromSlash(name))), 0o700)
			_ = os.WriteFile(filepath.Join(to, filepath.FromSlash(name)), raw, 0o600)
		}
	}
}

// fetch brings a commit and its folders, but no file.
func (r *repository) fetch(ctx context.Context, head ref) error {
	_, err := r.watched(ctx, "fetch", "-q", "--progress", "--depth=1", "--filter=blob:none", "--no-tags", "--no-recurse-submodules",
		"--no-write-commit-graph", "origin", head.wanted())
	return err
}

// checkOut writes the files of a folder, and those above it that say what it is.
func (r *repository) checkOut(ctx context.Context, folder string) error {
	info := filepath.Join(r.dir, ".git", "info")
	if err := os.MkdirAll(info, 0o700); err != nil {
		return err
	}
	included, err := os.ReadFile(filepath.Join(info, more))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	patterns := sparsePatterns(folder, r.want.LeaveOut) + string(included)
	if err := os.WriteFile(filepath.Join(info, "sparse-checkout"), []byte(patterns), 0o600); err != nil {
		return err
	}
	for _, s := range [][2]string{{"core.sparseCheckout", "true"}, {"core.sparseCheckoutCone", "false"}} {
		if _, err := r.output(ctx, "config", s[0], s[1]); err != nil {
			return err
		}
	}
	r.say(source.Progress{Text: "fetching the files of " + cmp.Or(folder, "the repository")})
	_, err = r.watched(ctx, "checkout", "-q", "--progress", "--detach", "FETCH_HEAD")
	return err
}

// more is the file of patterns of the files that Complete brought: an update brings it at once.
const more = "docent-more"

// mostMore is how many files Complete brings at once.
const mostMore = 5000

// Complete implements source.Completer.
func (f *Fetcher) Complete(ctx context.Context, want source.Want, folder string, paths []string, say func(source.Progress)) (int, error) {
	if say == nil {
		say = func(source.Progress) {}
	}
	r := repository{program: cmp.Or(f.Program, "git"), environ: f.Environ, dir: folder, want: want, say: say}
	text, err := r.output(ctx, "ls-tree", "-r", "-z", "--full-tree", "HEAD")
	if err != nil {
		return 0, err
	}
	var add []string
	for _, file := range parseTree(text) {
		if strings.HasPrefix(file.mode, "100") && slices.Contains(paths, file.path) && len(add) < mostMore {
			if _, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(file.path))); err != nil {
				add = append(add, "/"+escapePattern(file.path)+"\n")
			}
		}
	}
	if len(add) == 0 {
		return 0, nil
	}
	info := filepath.Join(folder, ".git", "info")
	for _, name := range []string{more, "sparse-checkout"} {
		raw, err := os.ReadFile(filepath.Join(info, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
		if err := os.WriteFile(filepath.Join(info, name), append(raw, strings.Join(add, "")...), 0o600); err != nil {
			return 0, err
		}
	}
	say(source.Progress{Text: "fetching what its pages include"})
	_, err = r.watched(ctx, "read-tree", "-m", "-u", "HEAD")
	return len(add), err
}

// settle looks at the checked-out files: it counts, removes links that lead out, and names
// files whose content lies elsewhere.
func (r *repository) settle(out *source.Fetched) error {
	limits := r.want.AtMost
	limits.Files, limits.Bytes = cmp.Or(limits.Files, mostFiles), cmp.Or(limits.Bytes, mostBytes)
	real, err := filepath.EvalSymlinks(r.dir)
	if err != nil {
		return err
	}
	sum := sha256.New()
	err = filepath.WalkDir(r.dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(file, r.dir), string(filepath.Separator)))
		if d.IsDir() {
			if name == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		if d.Type()&fs.ModeSymlink != 0 {
			if to, err := filepath.EvalSymlinks(file); err == nil && strings.HasPrefix(to, real+string(filepath.Separator)) {
				return nil
			}
			out.Failed = append(out.Failed, source.Failure{What: name, Reason: "a link that leads out of what was fetched"})
			return os.Remove(file)
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		if isPointer(file, st.Size()) {
			out.Failed = append(out.Failed, source.Failure{What: name, Reason: "its content lies in Git LFS, and is not fetched"})
			return os.Remove(file)
		}
		out.Files++
		out.Bytes += st.Size()
		if out.Files > limits.Files || out.Bytes > limits.Bytes {
			return r.failure(fmt.Sprintf("its documentation has more than %d files or %d MB", limits.Files, limits.Bytes>>20),
				"name a smaller folder of it", nil)
		}
		fmt.Fprintf(sum, "%s\x00%d\x00", name, st.Size())
		return nil
	})
	if err != nil {
		return err
	}
	if out.Files == 0 {
		return r.failure(fmt.Sprintf("there is no file in %s", cmp.Or(out.Path, "it")), "name another folder of it", nil)
	}
	sum.Write([]byte(out.Commit))
	out.Digest = "sha256:" + hex.EncodeToString(sum.Sum(nil))
	slices.SortFunc(out.Failed, func(a, b source.Failure) int { return strings.Compare(a.What, b.What) })
	return nil
}

// pointer begins a file whose content lies in Git LFS.
const pointer = "version https://git-lfs.github.com/spec/"

func isPointer(file string, size int64) bool {
	if size > 1024 || size < int64(len(pointer)) {
		return false
	}
	raw, err := os.ReadFile(file)
	return err == nil && strings.HasPrefix(string(raw), pointer)
}

// hostOf is the host of an address, for people.
func hostOf(address string) string {
	rest := address
	if _, after, ok := strings.Cut(rest, "://"); ok {
		rest = after
	}
	if i := strings.LastIndexByte(rest[:cmp.Or(strings.IndexByte(rest+"/", '/'), len(rest))], '@'); i >= 0 {
		rest = rest[i+1:]
	}
	if i := strings.IndexAny(rest, "/:"); i > 0 {
		return rest[:i]
	}
	return address
}

// nameOf is what a doc set of a repository is called: as the repository, without what its
// owners add to say that it is documentation.
func nameOf(address string) string {
	name := strings.TrimSuffix(strings.TrimRight(address, "/"), ".git")
	owner := ""
	if i := strings.LastIndexAny(name, "/:"); i >= 0 {
		owner, name = name[:i], name[i+1:]
	}
	if doc.IsGenericName(name) {
		if o := path.Base(strings.ReplaceAll(owner, ":", "/")); o != "." && o != "/" && !strings.Contains(o, "@") {
			name = o
		}
	}
	for _, end := range []string{".github.io", ".github.com"} {
		name = strings.TrimSuffix(name, end)
	}
	return cleanName(name)
}

// cleanName replaces what a doc set's name cannot have.
func cleanName(name string) string {
	name = doc.CleanName(name)
	if doc.CheckName(name) != nil {
		return "repository"
	}
	return name
}

func shorten(line string) string {
	if len(line) > 100 {
		return strings.ToValidUTF8(line[:100], "") + "…"
	}
	return line
}

var errNoGit = errors.New("git is not installed")
