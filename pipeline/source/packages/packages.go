// Package packages fetches the documentation that packages bring: those of npm, Go, PyPI,
// Cargo, RubyGems, Composer, Maven and Debian, and the manual and info pages of this system.
//
// The ecosystem's own client fetches the package, so that the registry, the proxy and the
// credentials are the user's: no address of a registry stands here. Clients are started
// without a shell, with names that can be no flag, in a folder of their own. No code of a
// package is run: npm and composer run no scripts of it, and of PyPI only wheels are taken.
//
// Kept are documentation folders, README, changelog and licence, and for Go, Rust, TypeScript,
// Ruby and PHP the files whose comments document the public names. Where the package's own
// metadata names its documentation or its repository, that is offered as better.
//
// The package refuses to resolve dependencies, to install anything, and to know what the
// formats of the kept files mean.
package packages

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docent/pipeline/source"
	"docent/pipeline/source/ecosystem"
	"docent/pipeline/source/unpack"
)

// Fetcher fetches packages; it is a source.Fetcher. The zero value is ready.
type Fetcher struct {
	// Environ is the environment of the clients, nil: that of this process.
	Environ []string
	// Look finds a client's program by its name, nil: exec.LookPath.
	Look func(name string) (string, error)
	// Folders are where manual and info pages are looked for if no client says; nil: the
	// places of the system.
	Folders []string
}

// Limits of a package. The largest of npm's with documentation have some 10 000 files.
const (
	mostFiles = 50_000
	mostBytes = 500 << 20
)

// request is one fetch.
type request struct {
	*Fetcher
	want      source.Want
	ecosystem string
	name      string
	into      string // where the kept files go
	work      string // a folder that is removed afterwards
	say       func(source.Progress)
	said      string // what the last client wrote to standard error
	failed    []source.Failure
	files     int   // that were copied
	bytes     int64 // of them
}

// Fetch writes the documentation of a package below a folder.
func (f *Fetcher) Fetch(ctx context.Context, want source.Want, into string, before *source.Before,
	say func(source.Progress)) (source.Fetched, error) {
	kind, name, ok := strings.Cut(want.Address, ":")
	r := &request{Fetcher: f, want: want, ecosystem: kind, name: name, into: into, say: say}
	if say == nil {
		r.say = func(source.Progress) {}
	}
	fetchers := map[string]func(context.Context) (source.Fetched, error){
		ecosystem.Npm: r.fetchNpm, ecosystem.Go: r.fetchGo, ecosystem.PyPI: r.fetchPyPI, ecosystem.Cargo: r.fetchCargo,
		ecosystem.Gem: r.fetchGem, ecosystem.Composer: r.fetchComposer, ecosystem.Maven: r.fetchMaven,
		ecosystem.Deb: r.fetchDeb, ecosystem.Man: r.fetchMan, ecosystem.Info: r.fetchInfo,
	}
	fetch := fetchers[kind]
	if !ok || fetch == nil {
		return source.Fetched{}, r.failure("packages of this kind cannot be fetched",
			"name one of npm, go, pypi, cargo, gem, composer, maven, deb, man or info", nil)
	}
	if err := r.checkNames(); err != nil {
		return source.Fetched{}, err
	}
	if err := unpack.ClearFolder(into); err != nil {
		return source.Fetched{}, err
	}
	work, err := os.MkdirTemp("", "docent-package-")
	if err != nil {
		return source.Fetched{}, err
	}
	defer os.RemoveAll(work)
	r.work = work
	out, err := fetch(ctx)
	if err != nil {
		return source.Fetched{}, err
	}
	return r.finish(out, before)
}

// checkNames checks the package's name and version: they become arguments of programs.
func (r *request) checkNames() error {
	all := r.ecosystem == ecosystem.Man || r.ecosystem == ecosystem.Info // without a name: all of the system
	if err := ecosystem.CheckName(r.ecosystem, r.name); err != nil && !(all && r.name == "") {
		return r.failure(err.Error(), "look at its name", nil)
	}
	if err := ecosystem.CheckVersion(r.ecosystem, r.want.Version); err != nil {
		return r.failure(err.Error(), "name a version such as 1.2.3, or none", nil)
	}
	return nil
}

// failure is an error about this package.
func (r *request) failure(reason, do string, err error) error {
	name := r.want.Address
	if r.want.Version != "" {
		name += "@" + r.want.Version
	}
	return &source.Error{Source: name, Reason: reason, Do: do, Err: err}
}

// finish completes the description of a package by the files in the folder.
func (r *request) finish(out source.Fetched, before *source.Before) (source.Fetched, error) {
	files, bytes, digest, err := digestOf(r.into)
	switch {
	case err != nil:
		return source.Fetched{}, err
	case files == 0:
		return source.Fetched{}, r.failure("the package has no documentation: no README, no folder with pages, no comments that are read",
			r.adviseOn(out.Better), &NoDocumentationError{Better: out.Better})
	}
	if before != nil && before.Digest == digest && before.Version == out.Version {
		return source.Fetched{}, source.ErrUnchanged
	}
	out.Source, out.Kind, out.Digest = ecosystem.Address(r.ecosystem, r.name, r.want.Version), source.KindPackage, digest
	out.Files, out.Bytes, out.Fetched = files, bytes, time.Time{}
	if out.Name == "" {
		out.Name = setName(r.name)
	}
	if out.Release == "" {
		out.Release = out.Version
	}
	if r.want.Licence != "" {
		out.Licence = r.want.Licence
	}
	out.Root, out.URLBase, out.Failed = ".", r.want.URLBase, append(out.Failed, r.failed...)
	return out, nil
}

// ErrNoDocumentation means that a package was fetched and has none.
var ErrNoDocumentation = errors.New("the package has no documentation")

// NoDocumentationError is ErrNoDocumentation with the sources that the package names.
type NoDocumentationError struct{ Better []string }

func (*NoDocumentationError) Error() string { return ErrNoDocumentation.Error() }

func (*NoDocumentationError) Unwrap() error { return ErrNoDocumentation }

// adviseOn says what to add in the place of a package without documentation.
func (r *request) adviseOn(better []string) string {
	if len(better) > 0 {
		return "add " + strings.Join(better, " or ") + ", which the package names"
	}
	return "add its repository or its site"
}

// setName is a package's name as a doc set can have it: "@types/node" is types-node.
func setName(name string) string {
	return strings.Trim(strings.NewReplacer("@", "", "/", "-", ":", "-").Replace(name), "-.")
}

// digestOf counts the files of a folder and sums them up: names and contents, in order.
func digestOf(dir string) (files int, bytes int64, digest string, err error) {
	sum := sha256.New()
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files, bytes = files+1, bytes+int64(len(content))
		own := sha256.Sum256(content)
		fmt.Fprintf(sum, "%x %s\n", own, filepath.ToSlash(rel))
		return nil
	})
	return files, bytes, "sha256:" + hex.EncodeToString(sum.Sum(nil)), err
}

// limits are those of the request for unpacking.
func (r *request) limits() unpack.Limits {
	l := unpack.Limits{Files: mostFiles, Bytes: mostBytes}
	if r.want.AtMost.Files > 0 {
		l.Files = r.want.AtMost.Files
	}
	if r.want.AtMost.Bytes > 0 {
		l.Bytes = r.want.AtMost.Bytes
	}
	return l
}

// options unpack what keep keeps, without the folders in front.
func (r *request) options(strip int, keep func(name string) bool) unpack.Options {
	return unpack.Options{Limits: r.limits(), Strip: strip, Keep: keep, Say: func(files int, bytes int64) {
		r.say(source.Progress{Text: "unpacking", Done: files, Bytes: bytes})
	}}
}

// addLeftOut keeps what unpacking left out as parts that could not be had.
func (r *request) addLeftOut(result unpack.Result) {
	for _, l := range result.LeftOut {
		r.failed = append(r.failed, source.Failure{What: l.Name, Reason: l.Reason})
	}
	if more := result.Refused - len(result.LeftOut); more > 0 {
		r.failed = append(r.failed, source.Failure{What: fmt.Sprintf("%d more files", more), Reason: "for the same reasons"})
	}
}

// unpacked is an error of unpacking as one about the package.
func (r *request) unpacked(result unpack.Result, err error) error {
	r.addLeftOut(result)
	if errors.Is(err, unpack.ErrDamaged) || errors.Is(err, unpack.ErrTooLarge) || errors.Is(err, unpack.ErrNotArchive) {
		return r.failure(err.Error(), "fetch another version of it", err)
	}
	return err
}

// clients are the programs that fetch packages of an ecosystem, the first that is there.
var clients = map[string][]string{ecosystem.Npm: {"npm"}, ecosystem.Go: {"go"}, ecosystem.PyPI: {"pip", "pip3"}, ecosystem.Cargo: {"cargo"},
	ecosystem.Gem: {"gem"}, ecosystem.Composer: {"composer"}, ecosystem.Maven: {"mvn"}, ecosystem.Deb: {"apt-get"}}

// Missing is the client of an ecosystem if it is not installed, else "".
func (f *Fetcher) Missing(kind string) string {
	look := f.Look
	if look == nil {
		look = exec.LookPath
	}
	programs := clients[kind]
	for _, name := range programs {
		if _, err := look(name); err == nil {
			return ""
		}
	}
	if len(programs) == 0 {
		return ""
	}
	return programs[0]
}

// findClient finds a client.
func (r *request) findClient(name string) (string, error) {
	look := r.Look
	if look == nil {
		look = exec.LookPath
	}
	path, err := look(name)
	if err != nil {
		return "", r.failure(name+" is not installed here", "install it, or add the package's repository", err)
	}
	return filepath.Abs(path)
}

// betterSources are the addresses that a package names, each once. Those that are not of
// the web are left out.
func betterSources(addresses ...string) []string {
	var out []string
	for _, a := range addresses {
		a = webAddress(strings.TrimSpace(a))
		const most = 500
		if !strings.HasPrefix(a, "https://") && !strings.HasPrefix(a, "http://") || len(a) > most ||
			strings.ContainsFunc(a, func(c rune) bool { return c <= ' ' || c == 0x7f || c == '"' || c == '\\' }) {
			continue
		}
		if _, ok := source.Parse(a); ok && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// webAddress is an address as browsers take it. Metadata has those of git too:
// git+ssh://git@github.com/org/repo.git, git@github.com:org/repo.
func webAddress(a string) string {
	for _, prefix := range []string{"git+", "scm:", "git:"} {
		if rest, ok := strings.CutPrefix(a, prefix); ok && !strings.HasPrefix(rest, "//") {
			a = rest
		}
	}
	if rest, ok := strings.CutPrefix(a, "git@"); ok && !strings.Contains(rest, "://") {
		return "https://" + strings.Replace(rest, ":", "/", 1)
	}
	for _, prefix := range []string{"ssh://git@", "git://", "git@", "https://www.github.com/",
		"http://www.github.com/", "http://github.com/"} {
		if rest, ok := strings.CutPrefix(a, prefix); ok {
			if strings.Contains(prefix, "github.com") {
				rest = "github.com/" + rest
			}
			return "https://" + rest
		}
	}
	if want, ok := source.Parse(a); ok && want.Kind == source.KindGit && !strings.Contains(a, ":") {
		return "https://" + a // without its scheme
	}
	return a
}

// folderAt is the address of a folder of a repository's newest state, as its host shows it.
// That of a host that is not known, and of no folder, is the repository's.
func folderAt(repository, folder string) string {
	folder = path.Clean(strings.Trim(folder, "/"))
	want, ok := source.Parse(webAddress(repository))
	if host, _, found := strings.Cut(strings.TrimPrefix(want.Address, "https://"), "/"); !ok || !found || host != "github.com" ||
		want.Path != "" || folder == "." || !filepath.IsLocal(folder) {
		return repository
	}
	return want.Address + "/tree/HEAD/" + folder
}
