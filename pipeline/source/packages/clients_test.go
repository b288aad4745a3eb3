package packages

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/source"
)

// The clients are the real ones. What they read are registries of our own: a server on
// loopback, or a folder.

// client is the path of a program, or skips the test.
func client(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed here", name)
	}
	return path
}

// environ is this process's environment with some variables set.
func environ(more ...string) []string { return append(os.Environ(), more...) }

// fetch fetches a package and lists the kept files.
func fetch(t *testing.T, f *Fetcher, address string, before *source.Before) (source.Fetched, map[string]string, error) {
	t.Helper()
	want, ok := source.Parse(address)
	if !ok {
		t.Fatalf("%s is no source", address)
	}
	into := t.TempDir()
	got, err := f.Fetch(context.Background(), want, into, before, nil)
	files := map[string]string{}
	walked := filepath.WalkDir(into, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		rel, _ := filepath.Rel(into, path)
		files[filepath.ToSlash(rel)] = string(raw)
		return err
	})
	if walked != nil {
		t.Fatal(walked)
	}
	return got, files, err
}

// names are the names of files, in order.
func names(files map[string]string) string {
	out := []string{}
	for name := range files {
		out = append(out, name)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// tarball is a packed tar archive of files.
func tarball(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, name := range strings.Fields(names(files)) {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name])), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, files[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// npmRegistry serves one package at two versions.
func npmRegistry(t *testing.T) *Fetcher {
	t.Helper()
	archive := func(version, more string) []byte {
		return tarball(t, map[string]string{
			"package/package.json": `{"name": "@lantern/oil", "version": "` + version + `", "license": "MIT", "homepage": "https://oil.example.org/docs",
				"repository": {"type": "git", "url": "git+https://git.example.org/lantern/oil.git"}, "scripts": {"preinstall": "exit 1"}}`,
			"package/README.md": "# Oil\n\nBurns for " + version + " hours.\n" + more, "package/docs/fill.md": "# Fill\n", "package/docs/lamp.png": "x",
			"package/index.js": "module.exports = 1\n", "package/types/index.d.ts": "/** Fills the lamp. */\nexport function fill(): void\n",
			"package/node_modules/wick/README.md": "# Wick\n", "package/test/README.md": "# Tests\n", "package/LICENSE": "MIT\n"})
	}
	archives := map[string][]byte{"1.0.0": archive("1.0.0", ""), "2.1.0": archive("2.1.0", "\x1b[31m")}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/@lantern/oil" {
			raw, ok := archives[strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/archive/"), ".tgz")]
			if !ok {
				http.NotFound(w, r)
				return
			}
			_, _ = w.Write(raw)
			return
		}
		versions := map[string]any{}
		for v, raw := range archives {
			sum := sha512.Sum512(raw)
			versions[v] = map[string]any{"name": "@lantern/oil", "version": v, "dist": map[string]any{
				"tarball": "http://" + r.Host + "/archive/" + v + ".tgz", "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"name": "@lantern/oil", "dist-tags": map[string]string{"latest": "2.1.0"}, "versions": versions})
	}))
	t.Cleanup(server.Close)
	home := t.TempDir()
	return &Fetcher{Environ: environ("npm_config_registry="+server.URL, "npm_config_cache="+filepath.Join(home, "cache"),
		"npm_config_userconfig="+filepath.Join(home, "npmrc"), "npm_config_fetch_retries=0")}
}

func TestNpm(t *testing.T) {
	t.Parallel()
	client(t, "npm")
	f := npmRegistry(t)
	got, files, err := fetch(t, f, "npm:@lantern/oil", nil)
	if err != nil {
		t.Fatal(err)
	}
	if names(files) != "LICENSE README.md docs/fill.md types/index.d.ts" {
		t.Errorf("kept are %s", names(files))
	}
	if got.Name != "lantern-oil" || got.Version != "2.1.0" || got.Release != "2.1.0" || got.Licence != "MIT" || got.Domain != "code" ||
		got.Files != 4 || got.Kind != source.KindPackage || !strings.HasPrefix(got.ETag, "sha512-") {
		t.Errorf("%+v", got)
	}
	if fmt.Sprint(got.Better) != "[https://oil.example.org/docs https://git.example.org/lantern/oil.git]" {
		t.Errorf("better are %q", got.Better)
	}
	if _, _, err := fetch(t, f, "npm:@lantern/oil", &source.Before{Origin: got.Origin}); !errors.Is(err, source.ErrUnchanged) {
		t.Errorf("the same again: %v", err)
	}
	old, files, err := fetch(t, f, "npm:@lantern/oil@1", &source.Before{Origin: got.Origin})
	if err != nil || old.Version != "1.0.0" || !strings.Contains(files["README.md"], "1.0.0 hours") || old.Digest == got.Digest {
		t.Errorf("version 1: %+v %v", old, err)
	}
	for address, reason := range map[string]string{"npm:no-lantern": "404", "npm:@lantern/oil@3": "No matching version"} {
		var e *source.Error
		if _, _, err := fetch(t, f, address, nil); !errors.As(err, &e) || !strings.Contains(e.Reason, reason) || e.Do == "" {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestGo(t *testing.T) {
	t.Parallel()
	client(t, "go")
	proxy := t.TempDir()
	dir := filepath.Join(proxy, "git.example.org", "lantern", "oil", "v2", "@v")
	prefix := "git.example.org/lantern/oil/v2@v2.0.1/"
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for _, file := range [][2]string{{"go.mod", "module git.example.org/lantern/oil/v2\n"}, {"oil.go", "// Package oil burns.\npackage oil\n"},
		{"oil_test.go", "package oil\n"}, {"internal/pump/pump.go", "package pump\n"}, {"README.md", "# Oil\n"}, {"docs/fill.md", "# Fill\n"}, {"docs/gen_test.go", "package docs\n"},
		{"lamp/lamp.go", "package lamp\n"}, {"LICENSE", "MIT\n"}} {
		part, err := w.Create(prefix + file[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(part, file[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	writeFiles(t, dir, map[string]string{"list": "v2.0.1\n", "v2.0.1.mod": "module git.example.org/lantern/oil/v2\n", "v2.0.1.zip": archive.String(),
		"v2.0.1.info": `{"Version": "v2.0.1", "Time": "2024-01-02T03:04:05Z", "Origin": {"VCS": "git", "URL": "https://git.example.org/lantern/oil",
			"Ref": "refs/tags/v2.0.1", "Hash": "0123456789abcdef"}}`})
	cache := t.TempDir()
	t.Cleanup(func() { _ = exec.Command("chmod", "-R", "u+w", cache).Run() }) // go makes its cache unwritable
	f := &Fetcher{Environ: environ("GOPROXY=file://"+filepath.ToSlash(proxy), "GOMODCACHE="+cache, "GONOSUMDB=*", "GONOSUMCHECK=1", "GOFLAGS=", "GOTOOLCHAIN=local",
		"GONOPROXY=", "GOPRIVATE=", "GOSUMDB=off")}
	for _, address := range []string{"go:git.example.org/lantern/oil/v2", "go:git.example.org/lantern/oil/v2@2.0.1", "go:git.example.org/lantern/oil/v2@v2.0.1"} {
		got, files, err := fetch(t, f, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if names(files) != "LICENSE README.md docs/fill.md lamp/lamp.go oil.go" {
			t.Errorf("kept are %s", names(files))
		}
		if got.Name != "oil" || got.Version != "v2.0.1" || got.Release != "2.0.1" || got.Domain != "code" || got.Commit != "0123456789abcdef" || got.Ref != "v2.0.1" ||
			fmt.Sprint(got.Better) != "[https://git.example.org/lantern/oil]" {
			t.Errorf("%+v", got)
		}
	}
	var e *source.Error
	if _, _, err := fetch(t, f, "go:git.example.org/lantern/none", nil); !errors.As(err, &e) || !strings.Contains(e.Reason, "none") {
		t.Errorf("a module that is missing: %v", err)
	}
}

func TestPyPI(t *testing.T) {
	t.Parallel()
	pip := client(t, "pip")
	if out, err := exec.Command(pip, "--version").CombinedOutput(); err != nil {
		t.Skipf("pip does not run here: %s", out)
	}
	wheels := t.TempDir()
	for _, version := range []string{"2.0.0", "2.1.3"} {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		info := "Oil_Lamp-" + version + ".dist-info/"
		for _, file := range [][2]string{{"oil_lamp/__init__.py", ""}, {"oil_lamp/docs/fill.rst", "Fill\n====\n"}, {"oil_lamp/tests/README.md", "# Tests\n"},
			{info + "METADATA", "Metadata-Version: 2.1\nName: Oil_Lamp\nVersion: " + version + "\nLicense: MIT\nProject-URL: Source, https://git.example.org/oil\n" +
				"Project-URL: Documentation, https://oil.example.org/docs\nProject-URL: Chat, https://chat.example.org\n" +
				"Description-Content-Type: text/markdown; charset=UTF-8\n\n# Oil lamp\n\nBurns.\n"},
			{info + "WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}, {info + "RECORD", ""},
			{info + "licenses/LICENSE", "MIT\n"}} {
			part, err := w.Create(file[0])
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(part, file[1]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		writeFiles(t, wheels, map[string]string{"Oil_Lamp-" + version + "-py3-none-any.whl": b.String()})
	}
	f := &Fetcher{Environ: environ("PIP_NO_INDEX=1", "PIP_FIND_LINKS="+wheels, "PIP_CONFIG_FILE="+os.DevNull, "PIP_NO_CACHE_DIR=1")}
	got, files, err := fetch(t, f, "pypi:oil-lamp@2.1", nil)
	if err != nil {
		t.Fatal(err)
	}
	if names(files) != "Oil_Lamp-2.1.3.dist-info/licenses/LICENSE README.md oil_lamp/docs/fill.rst" || files["README.md"] != "# Oil lamp\n\nBurns.\n" {
		t.Errorf("kept are %s: %q", names(files), files["README.md"])
	}
	if got.Name != "Oil_Lamp" || got.Version != "2.1.3" || got.Licence != "MIT" ||
		fmt.Sprint(got.Better) != "[https://oil.example.org/docs https://git.example.org/oil]" {
		t.Errorf("%+v", got)
	}
	var e *source.Error
	if _, _, err := fetch(t, f, "pypi:oil-lamp@3.0.0", nil); !errors.As(err, &e) || !strings.Contains(e.Reason, "satisfies") && !strings.Contains(e.Reason, "No matching") {
		t.Errorf("a version that is missing: %v", err)
	}
}

func TestCargo(t *testing.T) {
	t.Parallel()
	cargo := client(t, "cargo")
	if out, err := exec.Command(cargo, "--version").CombinedOutput(); err != nil {
		t.Skipf("cargo does not run here: %s", out)
	}
	registry, home := t.TempDir(), t.TempDir()
	crate := tarball(t, map[string]string{
		"oil-lamp-1.4.2/Cargo.toml": "[package]\nname = \"oil-lamp\"\nversion = \"1.4.2\"\nedition = \"2021\"\nlicense = \"MIT OR Apache-2.0\"\n" +
			"documentation = \"https://oil.example.org/docs\"\nrepository = \"https://git.example.org/oil\"\n",
		"oil-lamp-1.4.2/src/lib.rs": "//! Burns.\n", "oil-lamp-1.4.2/README.md": "# Oil\n", "oil-lamp-1.4.2/tests/it.rs": "", "oil-lamp-1.4.2/docs/fill.md": "# Fill\n"})
	sum := sha256.Sum256(crate)
	writeFiles(t, registry, map[string]string{"oil-lamp-1.4.2.crate": string(crate), "index/oi/l-/oil-lamp": fmt.Sprintf(
		`{"name":"oil-lamp","vers":"1.4.2","deps":[],"cksum":"%x","features":{},"yanked":false}`+"\n", sum)})
	writeFiles(t, home, map[string]string{"config.toml": "[source.crates-io]\nreplace-with = \"here\"\n[source.here]\nlocal-registry = " +
		fmt.Sprintf("%q", filepath.ToSlash(registry)) + "\n"})
	f := &Fetcher{Environ: environ("CARGO_HOME=" + home)}
	for _, address := range []string{"cargo:oil-lamp", "cargo:oil-lamp@1", "cargo:oil-lamp@1.4.2"} {
		got, files, err := fetch(t, f, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if names(files) != "README.md docs/fill.md src/lib.rs" {
			t.Errorf("kept are %s", names(files))
		}
		if got.Name != "oil-lamp" || got.Version != "1.4.2" || got.Licence != "MIT OR Apache-2.0" || got.Domain != "code" ||
			fmt.Sprint(got.Better) != "[https://oil.example.org/docs https://git.example.org/oil]" {
			t.Errorf("%+v", got)
		}
	}
	var e *source.Error
	if _, _, err := fetch(t, f, "cargo:no-lamp", nil); !errors.As(err, &e) || !strings.Contains(e.Reason, "no-lamp") {
		t.Errorf("a crate that is missing: %v", err)
	}
}

// aptRepository makes a package and a repository of it, and returns the fetcher that apt
// reads it by.
func aptRepository(t *testing.T) *Fetcher {
	t.Helper()
	client(t, "apt-get")
	build := client(t, "dpkg-deb")
	dir := t.TempDir()
	control := "Package: oil-doc\nVersion: 1:1.4-2\nArchitecture: all\nMaintainer: x <x@example.org>\nHomepage: https://oil.example.org/docs\nDescription: oil\n"
	writeFiles(t, dir, map[string]string{"tree/DEBIAN/control": control, "tree/usr/share/doc/oil-doc/fill.html": "<h1>Fill</h1>", "tree/usr/share/doc/oil-doc/lamp.png": "x",
		"tree/usr/share/doc/oil-doc/copyright": "Format: x\n\nFiles: *\nLicense: GPL-2+\n", "tree/usr/share/man/man1/oil.1": ".TH OIL 1\n",
		"tree/usr/share/man/de/man1/oil.1": ".TH OEL 1\n", "tree/usr/bin/oil": "x", "tree/usr/share/info/oil.info": "oil", "tree/usr/share/oil/data": "x"})
	if err := os.Symlink("fill.html", filepath.Join(dir, "tree/usr/share/doc/oil-doc/index.html")); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(build, "--build", "--root-owner-group", filepath.Join(dir, "tree"), filepath.Join(dir, "oil-doc.deb")).CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "oil-doc.deb"))
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "apt.conf")
	writeFiles(t, dir, map[string]string{"Packages": control + fmt.Sprintf("Filename: ./oil-doc.deb\nSize: %d\nSHA256: %x\n", len(raw), sha256.Sum256(raw)),
		"sources.list": "deb [trusted=yes] file:" + dir + " ./\n", "status": "", "state/lists/partial/x": "", "cache/archives/partial/x": "",
		"apt.conf": fmt.Sprintf("Dir::State %[1]q;\nDir::State::status %[2]q;\nDir::Cache %[3]q;\nDir::Etc::sourcelist %[4]q;\nDir::Etc::sourceparts \"-\";\n"+
			"Dir::Etc::preferences \"-\";\nDir::Etc::preferencesparts \"-\";\nAPT::Sandbox::User \"root\";\n",
			filepath.Join(dir, "state"), filepath.Join(dir, "status"), filepath.Join(dir, "cache"), filepath.Join(dir, "sources.list"))})
	update := exec.Command("apt-get", "update")
	update.Env = environ("APT_CONFIG=" + config)
	if out, err := update.CombinedOutput(); err != nil {
		t.Skipf("apt reads no repository in a folder here: %s", out)
	}
	return &Fetcher{Environ: update.Env}
}

func TestDebian(t *testing.T) {
	t.Parallel()
	f := aptRepository(t)
	got, files, err := fetch(t, f, "deb:oil-doc", nil)
	if err != nil {
		t.Fatal(err)
	}
	if names(files) != "doc/oil-doc/copyright doc/oil-doc/fill.html info/oil.info man/man1/oil.1" {
		t.Errorf("kept are %s", names(files))
	}
	if got.Name != "oil-doc" || got.Version != "1:1.4-2" || got.Release != "1.4" || got.Licence != "GPL-2+" || got.Domain != "" ||
		fmt.Sprint(got.Better) != "[https://oil.example.org/docs]" {
		t.Errorf("%+v", got)
	}
	if len(got.Failed) != 1 || !strings.Contains(got.Failed[0].What, "index.html") {
		t.Errorf("left out are %v", got.Failed)
	}
	if _, _, err := fetch(t, f, "deb:oil-doc@1:1.4-2", nil); err != nil {
		t.Error(err)
	}
	var e *source.Error
	if _, _, err := fetch(t, f, "deb:no-oil", nil); !errors.As(err, &e) || !strings.Contains(e.Reason, "Unable to locate package") {
		t.Errorf("a package that is missing: %v", err)
	}
}

func TestPagesOfTheSystem(t *testing.T) {
	t.Parallel()
	one, two := t.TempDir(), t.TempDir()
	writeFiles(t, one, map[string]string{"man1/oil.1": "first", "man1/oil-fill.1.gz": "x", "man5/oil.conf.5": "x", "man1/wick.1": "x", "de/man1/oil.1": "x", "cat1/oil.1": "x",
		"man1/[.1": "x", "oil.info": "x", "oil.info-1.gz": "x", "dir": "x"})
	writeFiles(t, two, map[string]string{"man1/oil.1": "second", "man8/oild.8": "x"})
	if err := os.Symlink("oil.1", filepath.Join(one, "man1/oil-link.1")); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	f := &Fetcher{Folders: []string{one, two, filepath.Join(one, "none")}}
	for address, want := range map[string]string{
		"man:oil*": "man1/oil-fill.1.gz man1/oil.1 man5/oil.conf.5 man8/oild.8", "man:wick": "man1/wick.1", "man:[": "",
		"man:": "man1/[.1 man1/oil-fill.1.gz man1/oil.1 man1/wick.1 man5/oil.conf.5 man8/oild.8", "info:oil": "oil.info oil.info-1.gz", "info:": "oil.info oil.info-1.gz",
	} {
		got, files, err := fetch(t, f, address, nil)
		if want == "" {
			if err == nil {
				t.Errorf("%s: %s", address, names(files))
			}
			continue
		}
		if err != nil || names(files) != want || strings.Contains(address, "oil*") && files["man1/oil.1"] != "first" {
			t.Errorf("%s: %s, want %s; %v", address, names(files), want, err)
		}
		if got.Name == "" || strings.ContainsAny(got.Name, "*[") {
			t.Errorf("%s is called %q", address, got.Name)
		}
	}
	if _, _, err := fetch(t, f, "man:nothing-of-the-kind", nil); !errors.Is(err, ErrNoDocumentation) {
		t.Errorf("%v", err)
	}
}

// man of this system tells where its pages are.
func TestManOfThisSystem(t *testing.T) {
	t.Parallel()
	client(t, "man")
	got, files, err := fetch(t, &Fetcher{}, "man:man", nil)
	if errors.Is(err, ErrNoDocumentation) {
		t.Skip("this system has no page about man")
	}
	if err != nil || !strings.Contains(names(files), "man1/man.1") || got.Name != "man-man" {
		t.Errorf("%s %+v %v", names(files), got, err)
	}
}

// The registries themselves, where they can be reached.
func TestRegistries(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it asks registries")
	}
	for _, c := range []struct {
		address, kept string
		reachable     []string
	}{
		{"npm:is-number@7.0.0", "LICENSE README.md", []string{"npm", "view", "is-number@7.0.0", "version", "--fetch-retries=0"}},
		{"go:github.com/google/uuid@v1.6.0", "README.md", []string{"go", "list", "-m", "github.com/google/uuid@v1.6.0"}},
		{"deb:hostname", "man/man1/hostname.1.gz", []string{"apt-get", "download", "hostname"}},
	} {
		t.Run(c.address, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(client(t, c.reachable[0]), c.reachable[1:]...)
			cmd.Dir = t.TempDir()
			cmd.Env = environ("GOWORK=off", "GOFLAGS=-mod=mod")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Skipf("%s cannot reach its registry: %s", c.reachable[0], out)
			}
			got, files, err := fetch(t, &Fetcher{}, c.address, nil)
			if err != nil || !strings.Contains(names(files), c.kept) || got.Version == "" {
				t.Errorf("%s: %+v %v", names(files), got, err)
			}
		})
	}
}
