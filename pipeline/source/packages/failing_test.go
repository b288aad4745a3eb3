package packages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docent/pipeline/source"
	"docent/pipeline/source/unpack"
)

// The clients of these tests are this test's own program, which misbehaves as clients do
// when a registry, a disk or a package is bad. Clients that are well are the real ones.

const fakeMode = "DOCENT_TEST_FAKE_CLIENT"

func TestMain(m *testing.M) {
	if mode := os.Getenv(fakeMode); mode != "" {
		actAsClient(mode)
		return
	}
	os.Exit(m.Run())
}

// actAsClient is the client.
func actAsClient(mode string) {
	destination := "."
	if at := slices.Index(os.Args, "--pack-destination"); at > 0 {
		destination = os.Args[at+1]
	}
	switch mode {
	case "junk":
		fmt.Print("<html>")
	case "nothing":
	case "fail":
		fmt.Fprint(os.Stderr, "npm warn old\nnpm error code E500\nnpm error \x1b[31mthe registry is \x1b]0;x\x07tired\n")
		os.Exit(1)
	case "flood":
		line := strings.Repeat("x", 1<<16)
		for range 2 * mostOutput >> 16 {
			fmt.Print(line)
		}
	case "hang":
		time.Sleep(time.Minute)
	case "outside":
		fmt.Print(`[{"version": "1", "filename": "../../etc/passwd"}]`)
	case "archive":
		fmt.Print(`[{"version": "1.0.0", "filename": "a.tgz"}]`)
		raw, err := os.ReadFile(os.Getenv("DOCENT_TEST_ARCHIVE"))
		if err != nil {
			panic(err)
		}
		if err := os.WriteFile(filepath.Join(destination, "a.tgz"), raw, 0o644); err != nil {
			panic(err)
		}
	}
}

// fake is a fetcher whose clients misbehave.
func fake(t *testing.T, mode string, more ...string) *Fetcher {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &Fetcher{Look: func(string) (string, error) { return self, nil }, Environ: append(environ(more...), fakeMode+"="+mode)}
}

// The reason of an error may be in the line behind the one that begins it.
func TestReasonsOfClients(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"ERROR:  Could not find a valid gem 'oil' (>= 0), here is why:\n          Unable to download data from https://gems.example.org/ - no such name\n": "Unable to download data from https://gems.example.org/ - no such name",
		"npm error code E404\nnpm error 404 oil@9 was not found\n": "404 oil@9 was not found",
		"ERROR: Could not find it:\n":                              "Could not find it:",
		"":                                                         "exit status 1",
	} {
		if got := reasonOf(said, "exit status 1"); got != want {
			t.Errorf("of %q: %q, want %q", said, got, want)
		}
	}
}

func TestClientsThatFail(t *testing.T) {
	t.Parallel()
	all := []string{"npm:oil", "go:example.org/oil", "pypi:oil", "cargo:oil", "deb:oil"}
	for _, mode := range []string{"junk", "nothing", "fail", "outside", "flood"} {
		for _, address := range all {
			if mode == "flood" && address != all[0] {
				continue // the bound is the same for all
			}
			_, files, err := fetch(t, fake(t, mode), address, nil)
			e, ok := errors.AsType[*source.Error](err)
			if !ok || e.Source != address || e.Reason == "" || e.Do == "" || len(files) > 0 {
				t.Errorf("%s, %s: %v, %d files", mode, address, err, len(files))
				continue
			}
			if strings.ContainsAny(e.Error(), "\x1b\x07\n") || len(e.Error()) > 500 {
				t.Errorf("%s, %s: %q", mode, address, e.Error())
			}
			if mode == "fail" && !strings.Contains(e.Reason, "E500") && !strings.Contains(e.Reason, "tired") {
				t.Errorf("%s: %v", address, e)
			}
		}
	}
}

func TestClientsThatAreMissing(t *testing.T) {
	t.Parallel()
	f := &Fetcher{Look: func(string) (string, error) { return "", exec.ErrNotFound }}
	for _, address := range []string{"npm:oil", "go:example.org/oil", "pypi:oil", "cargo:oil", "gem:oil", "composer:lantern/oil", "maven:org.lantern:oil", "deb:oil",
		"man:oil", "info:oil"} {
		if _, _, err := fetch(t, f, address, nil); !errors.Is(err, exec.ErrNotFound) || !strings.Contains(err.Error(), "not installed") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestNamesThatTryToBeFlags(t *testing.T) {
	t.Parallel()
	started := func(string) (string, error) {
		t.Error("a client was looked for")
		return "", exec.ErrNotFound
	}
	f := &Fetcher{Look: started}
	for _, want := range []source.Want{{Address: "npm:--registry=http://x"}, {Address: "npm:../x"}, {Address: "npm:git+ssh://x/y"}, {Address: "npm:oil", Version: "--x"},
		{Address: "npm:oil", Version: "file:../x"}, {Address: "go:../x"}, {Address: "go:-x"}, {Address: "pypi:-r/etc/passwd"}, {Address: "pypi:x", Version: "1 --index-url=x"},
		{Address: "cargo:x\"\n[y]"}, {Address: "deb:-x"}, {Address: "deb:x", Version: "1=-y"}, {Address: "man:-x"}, {Address: "man:../../etc"}, {Address: "info:--x"}, {Address: "vcpkg:zlib"}, {Address: "gem:--source=http://x"},
		{Address: "maven:-x:y"}, {Address: "maven:a:b:c"}, {Address: "maven:a:b", Version: "1:jar:x -Dy"}, {Address: "composer:--x"}, {Address: "composer:a/../b"},
		{Address: "npm:"}, {Address: "npm"}, {Address: ""}} {
		_, err := f.Fetch(context.Background(), want, t.TempDir(), nil, nil)
		if e, ok := errors.AsType[*source.Error](err); !ok || e.Reason == "" {
			t.Errorf("%+v: %v", want, err)
		}
	}
}

func TestFetchesEndWithTheirContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	_, err := fake(t, "hang").Fetch(ctx, source.Want{Address: "npm:oil"}, t.TempDir(), nil, nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// A package is as hostile as any archive.
func TestHostilePackages(t *testing.T) {
	t.Parallel()
	write := func(raw []byte) string {
		name := filepath.Join(t.TempDir(), "a.tgz")
		if err := os.WriteFile(name, raw, 0o644); err != nil {
			t.Fatal(err)
		}
		return "DOCENT_TEST_ARCHIVE=" + name
	}
	for what, c := range map[string]struct {
		raw  []byte
		want error
	}{
		"no archive":       {[]byte("<html>"), unpack.ErrNotArchive},
		"a damaged one":    {tarball(t, map[string]string{"package/README.md": strings.Repeat("oil ", 10_000)})[:60], unpack.ErrDamaged},
		"no documentation": {tarball(t, map[string]string{"package/package.json": `{"homepage": "https://oil.example.org"}`, "package/index.js": ""}), ErrNoDocumentation},
	} {
		_, files, err := fetch(t, fake(t, "archive", write(c.raw)), "npm:oil", nil)
		if !errors.Is(err, c.want) || len(files) > 0 {
			t.Errorf("%s: %v, %d files", what, err, len(files))
		}
	}
	// What an interrupted fetch left is not taken for the package's.
	into := t.TempDir()
	writeFiles(t, into, map[string]string{"old/page.md": "old"})
	raw := tarball(t, map[string]string{"package/README.md": "# Oil\n", "package/../../escape.md": "x", "package/docs/README.md": "a", "package/docs/readme.md": "b",
		"package/package.json": `{"license": 7, "homepage": ["x"], "repository": 8}`})
	got, err := fake(t, "archive", write(raw)).Fetch(context.Background(), source.Want{Address: "npm:oil"}, into, nil, func(source.Progress) {})
	if err != nil || got.Files != 2 || len(got.Failed) != 2 || got.Licence != "" || len(got.Better) > 0 {
		t.Errorf("%+v %v", got, err)
	}
	// The limits of a request hold.
	want := source.Want{Address: "npm:oil", AtMost: source.Limits{Files: 1}}
	if _, err := fake(t, "archive", write(raw)).Fetch(context.Background(), want, t.TempDir(), nil, nil); !errors.Is(err, unpack.ErrTooLarge) {
		t.Errorf("%v", err)
	}
}

func TestBetterSources(t *testing.T) {
	t.Parallel()
	got := betterSources("git+https://git.example.org/oil.git", "git://git.example.org/wick.git", "https://oil.example.org/docs", "https://oil.example.org/docs", "javascript:alert(1)",
		"file:///etc/passwd", "ext::sh", "-x", "", "https://x\x1b[31m", "https://a b", "http://oil.example.org", "https://"+strings.Repeat("x", 1000))
	want := []string{"https://git.example.org/oil.git", "https://git.example.org/wick.git", "https://oil.example.org/docs", "http://oil.example.org"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestAddressesOfRepositories(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"git+ssh://git@github.com/lantern/oil.git": "https://github.com/lantern/oil.git", "git@github.com:lantern/oil.git": "https://github.com/lantern/oil.git",
		"ssh://git@git.example.org/oil.git": "https://git.example.org/oil.git", "github.com/lantern/oil": "https://github.com/lantern/oil",
		"http://www.github.com/lantern/oil": "https://github.com/lantern/oil", "scm:git:https://git.example.org/oil.git": "https://git.example.org/oil.git",
		"https://oil.example.org/docs": "https://oil.example.org/docs",
	} {
		if got := betterSources(address); len(got) != 1 || got[0] != want {
			t.Errorf("%s is %q, want %s", address, got, want)
		}
	}
	for about, want := range map[string]string{
		`{"url": "git+https://github.com/lantern/oil.git", "directory": "packages/wick"}`: "https://github.com/lantern/oil/tree/HEAD/packages/wick",
		`{"url": "github:lantern/oil", "directory": "./packages/wick/"}`:                  "https://github.com/lantern/oil/tree/HEAD/packages/wick",
		`{"url": "lantern/oil", "directory": "../../etc"}`:                                "https://github.com/lantern/oil",
		`{"url": "https://git.example.org/oil.git", "directory": "packages/wick"}`:        "https://git.example.org/oil.git",
		`"lantern/oil"`: "https://github.com/lantern/oil",
	} {
		if got := (packageJSON{Repository: json.RawMessage(about)}).repository(); got != want {
			t.Errorf("%s is %s, want %s", about, got, want)
		}
	}
	for module, want := range map[string]string{"github.com/lantern/oil": "https://github.com/lantern/oil", "github.com/lantern/oil/v2": "https://github.com/lantern/oil",
		"github.com/lantern/oil/sdk/wick/v2": "https://github.com/lantern/oil/tree/HEAD/sdk/wick", "oil.example.org/wick": ""} {
		if got := goRepository(module); got != want {
			t.Errorf("%s is in %s, want %s", module, got, want)
		}
	}
}

func TestWhatIsKept(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"README": true, "readme.txt": true, "CHANGELOG.md": true, "LICENSE": true, "docs/a/b.html": true, "docs/site.css": false, "lib/notes.rst": true,
		"src/readme.c": false, "a/b/c/LICENSE": false, "node_modules/x/README.md": false, "test/README.md": false, ".github/README.md": false, "docs/.x/y.md": false, "man/oil.1": true,
		"index.js": false, "COPYING.LESSER": false, "license.html": true, "licenses.go": false} {
		if got := isPage(name); got != want {
			t.Errorf("%s is a page: %v", name, got)
		}
	}
	for name, want := range map[string]bool{"oil.go": true, "a/b.go": true, "oil_test.go": false, "internal/x.go": false, "a/internal/x.go": false, "_x/y.go": false, "README.md": false} {
		if got := isGoDoc(name); got != want {
			t.Errorf("%s documents: %v", name, got)
		}
	}
}
