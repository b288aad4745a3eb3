package packages

import (
	"archive/zip"
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"docent/pipeline/source"
)

// gemSource is a source of gems on loopback with one gem, which the real client built.
func gemSource(t *testing.T) *Fetcher {
	t.Helper()
	gem := client(t, "gem")
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"work/oil.gemspec": `Gem::Specification.new do |s|
  s.name, s.version, s.summary, s.authors, s.license = "oil", "2.1.0", "Oil for lamps", ["Ada"], "MIT"
  s.homepage = "https://oil.example.org/"
  s.metadata = { "documentation_uri" => "https://oil.example.org/docs", "source_code_uri" => "https://git.example.org/oil.git" }
  s.files = Dir["**/*"].select { |f| File.file?(f) && !f.end_with?(".gem", ".gemspec") }
end
`,
		"work/README.md": "# Oil\n\nBurns.\n", "work/docs/fill.md": "# Fill\n", "work/lib/oil.rb": "# Fills the lamp.\ndef fill; end\n",
		"work/test/README.md": "# Tests\n", "work/bin/oil": "exit 1\n"})
	run := func(in string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), gem, args...)
		cmd.Dir = filepath.Join(dir, in)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("gem %s: %v: %s", args[0], err, out)
		}
	}
	run("work", "build", "oil.gemspec")
	if err := os.MkdirAll(filepath.Join(dir, "served", "gems"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "work", "oil-2.1.0.gem"), filepath.Join(dir, "served", "gems", "oil-2.1.0.gem")); err != nil {
		t.Fatal(err)
	}
	run("served", "generate_index", "--directory", ".")
	server := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(dir, "served"))))
	t.Cleanup(server.Close)
	writeFiles(t, dir, map[string]string{"gemrc": ":sources:\n- " + server.URL + "/\n"})
	return &Fetcher{Environ: environ("GEMRC="+filepath.Join(dir, "gemrc"), "HOME="+dir)}
}

func TestGem(t *testing.T) {
	t.Parallel()
	f := gemSource(t)
	for _, address := range []string{"gem:oil@2.1.0", "gem:oil@2", "gem:oil"} {
		got, files, err := fetch(t, f, address, nil)
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
		if names(files) != "README.md docs/fill.md lib/oil.rb" || got.Version != "2.1.0" || got.Licence != "MIT" || got.Domain != "code" ||
			strings.Join(got.Better, " ") != "https://oil.example.org/docs https://git.example.org/oil.git https://oil.example.org/" {
			t.Errorf("%s: %s, %+v", address, names(files), got)
		}
	}
	if _, _, err := fetch(t, f, "gem:wick", nil); err == nil || !strings.Contains(err.Error(), "Could not find a valid gem") {
		t.Errorf("a gem that is not there: %v", err)
	}
}

// standIn is a program in the place of a client that is not installed where tests run, or that
// needs plugins of a registry: it gets the client's arguments.
func standIn(t *testing.T, name, script string) *Fetcher {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\nset -e\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return &Fetcher{Look: func(asked string) (string, error) {
		if asked != name {
			return "", exec.ErrNotFound
		}
		return path, nil
	}}
}

const composerStandIn = `
case "$1" in
create-project)
  case "$*" in *--no-scripts*--no-plugins*"-- lantern/oil package 2.1.*") ;; *) echo "unexpected: $*" >&2; exit 1 ;; esac
  mkdir -p package/src package/docs package/tests
  echo '{"name": "lantern/oil", "license": ["MIT"], "support": {"docs": "https://oil.example.org/docs"}, "homepage": 5}' >package/composer.json
  echo '# Oil' >package/README.md; echo '# Fill' >package/docs/fill.md; echo '# T' >package/tests/README.md
  printf '<?php\n/** Fills the lamp. */\nfunction fill() {}\n' >package/src/Oil.php ;;
show) echo '{"versions": ["v2.1.7"], "source": {"url": "https://git.example.org/oil.git"}}' ;;
esac
`

func TestComposer(t *testing.T) {
	t.Parallel()
	got, files, err := fetch(t, standIn(t, "composer", composerStandIn), "composer:lantern/oil@2.1", nil)
	if err != nil {
		t.Fatal(err)
	}
	if names(files) != "README.md docs/fill.md src/Oil.php" || got.Version != "2.1.7" || got.Licence != "MIT" || got.Name != "lantern-oil" ||
		strings.Join(got.Better, " ") != "https://oil.example.org/docs https://git.example.org/oil.git" {
		t.Errorf("%s, %+v", names(files), got)
	}
}

// mavenStandIn copies the file of $ARTIFACTS that is called as the wanted form.
const mavenStandIn = `
for a in "$@"; do
  case "$a" in -Dartifact=*) form=${a#-Dartifact=org.lantern:oil:} ;; -DoutputDirectory=*) out=${a#-DoutputDirectory=} ;; esac
done
case "$form" in
2.1.0:pom) echo '<project><url>https://oil.example.org/</url><scm><url>https://git.example.org/oil.git</url></scm><licenses><license><name>Apache-2.0</name></license></licenses></project>' >"$out/oil-2.1.0.pom" ;;
2.1.0:jar:KIND) cp "$ARTIFACT" "$out/oil-2.1.0-KIND.jar" ;;
*) echo "[ERROR] Could not find artifact org.lantern:oil:$form"; exit 1 ;;
esac
`

func TestMaven(t *testing.T) {
	t.Parallel()
	jar := filepath.Join(t.TempDir(), "oil.jar")
	if err := os.WriteFile(jar, zipped(t, map[string]string{"org/lantern/Oil.html": "<h1>Oil</h1>", "org/lantern/class-use/Oil.html": "x", "script.js": "x",
		"overview-tree.html": "x", "org/lantern/Oil.java": "/** Oil. */ public class Oil {}", "META-INF/MANIFEST.MF": "x"}), 0o600); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]string{"javadoc": "org/lantern/Oil.html", "sources": "org/lantern/Oil.java"} {
		f := standIn(t, "mvn", strings.ReplaceAll(mavenStandIn, "KIND", kind))
		f.Environ = environ("ARTIFACT=" + jar)
		got, files, err := fetch(t, f, "maven:org.lantern:oil@2.1.0", nil)
		if err != nil || names(files) != want || got.Version != "2.1.0" || got.Name != "oil" || got.Licence != "Apache-2.0" ||
			strings.Join(got.Better, " ") != "https://git.example.org/oil.git https://oil.example.org/" || (got.Domain == "code") != (kind == "sources") {
			t.Errorf("%s: %v, %s, %+v", kind, err, names(files), got)
		}
		if _, _, err := fetch(t, f, "maven:org.lantern:oil@9", nil); err == nil || !strings.Contains(err.Error(), "Could not find artifact") {
			t.Errorf("a version that is not there: %v", err)
		}
	}
	f := standIn(t, "mvn", strings.ReplaceAll(mavenStandIn, "KIND", "none"))
	_, _, err := fetch(t, f, "maven:org.lantern:oil@2.1.0", nil)
	e, ok := errors.AsType[*source.Error](err)
	if !ok || !errors.Is(err, ErrNoDocumentation) || !strings.Contains(e.Do, "https://git.example.org/oil.git") {
		t.Errorf("neither javadoc nor sources: %v", err)
	}
}

// zipped is a zip archive of files.
func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range strings.Fields(names(files)) {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(files[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
