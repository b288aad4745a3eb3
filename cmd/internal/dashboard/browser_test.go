package dashboard_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"docent/cmd/internal/app"
	"docent/cmd/internal/dashboard"
	"docent/cmd/internal/httpapi"
	"docent/pipeline/service"
	"docent/pipeline/service/intake"
)

// manual is the doc set of this test; one page of it is hostile.
var manual = fstest.MapFS{
	"lamps.md":   {Data: []byte("# Lamps\n\nA lamp burns oil. See [glass](glass.md#cleaning).\n\n## Trimming the wick\n\nTrim the wick once a week with sharp scissors.\n\n| tool | use |\n| --- | --- |\n| `scissors` | to trim the wick |\n\n## Filling\n\nFill the lamp with whale oil, never to the brim.\n\n```sh\nlamp --fill oil --never-to-the-brim --with-a-very-long-line-that-does-not-fit-on-a-small-screen\n```\n")},
	"glass.md":   {Data: []byte("# Glass\n\n## Cleaning\n\nClean the glass with vinegar. The `--soot` flag removes soot.\n\n## Packing\n\n" + strings.Repeat("Pack the glass in straw.\n\n", 60))},
	"data.json":  {Data: []byte("{\"wicks\": [1, 2, 3], \"lamps\": {\"brass\": 4}}")}, // no documentation, and no fault
	"hostile.md": {Data: []byte("# Hostile <img src=x onerror=window.hacked=1>\n\n<script>window.hacked=2</script><img src=\"https://evil.example/a.png\" onerror=\"window.hacked=3\"><svg onload=\"window.hacked=4\"></svg>\n\n<a href=\"javascript:window.hacked=5\" id=\"main\">a link that runs</a> [another](javascript:window.hacked=6) <iframe src=\"https://evil.example/\"></iframe>\n\n</section></article></main><p class=\"toast\" style=\"position:fixed\">broken out</p>\n\n![far](https://evil.example/b.png) [good](https://example.org/a)\n\n## The hostile wick of the barnacle\n\nThe barnacle wick <style>body{display:none}</style> burns <b onclick=window.hacked=7>badly</b>.\n")},
}

// program finds what the test needs. Where it is missing, the test is skipped, or fails
// if the list in the environment variable DOCENT_TEST_REQUIRE has "browser": .ci/run
// sets it.
func program(t *testing.T, what, remedy string, find func() (string, error)) string {
	t.Helper()
	path, err := find()
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("DOCENT_TEST_REQUIRE"), ","), "browser") {
			t.Fatalf("DOCENT_TEST_REQUIRE asks for tests with a browser: %s: %v", what, err)
		}
		t.Skipf("%s is not installed: %s", what, remedy)
	}
	return path
}

// modules is the folder with the packages of npm: what DOCENT_TEST_BROWSER names, or one
// in the user's cache, where make browser puts them.
func modules() (string, error) {
	dir := os.Getenv("DOCENT_TEST_BROWSER")
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(cache, "docent-test-browser")
	}
	for _, name := range []string{"playwright-core", "axe-core"} {
		if _, err := os.Stat(filepath.Join(dir, "node_modules", name, "package.json")); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// oldestNode is the first major version of node that playwright-core runs on; the Makefile
// has it too.
const oldestNode = 20

// newNode finds a node that is new enough: the system's, or one that make browser put
// among the packages.
func newNode() (string, error) {
	var candidates []string
	if path, err := exec.LookPath("node"); err == nil {
		candidates = append(candidates, path)
	}
	if dir, err := modules(); err == nil {
		fetched, err := filepath.Glob(filepath.Join(dir, "node_modules", "node-linux-*", "bin", "node"))
		if err != nil {
			return "", err
		}
		candidates = append(candidates, fetched...)
	}
	return firstNewNode(candidates)
}

// firstNewNode gives the first of some programs that is a node of oldestNode or newer.
func firstNewNode(candidates []string) (string, error) {
	failed := fmt.Errorf("no node %d or newer was found", oldestNode)
	for _, path := range candidates {
		out, err := exec.Command(path, "--version").Output()
		if err != nil {
			failed = fmt.Errorf("%w; %s: %w", failed, path, err)
			continue
		}
		version := strings.TrimSpace(string(out))
		major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
		if n, err := strconv.Atoi(major); err == nil && n >= oldestNode {
			return path, nil
		}
		failed = fmt.Errorf("%w; %s is %s", failed, path, version)
	}
	return "", failed
}

// The node of Debian 12 is 18, with which the driver ended in a syntax error, after
// everything had been installed.
func TestAnOldNodeIsPassedOver(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-ins for node are shell scripts")
	}
	standIn := func(name, version string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\necho "+version+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	old, odd, fetched := standIn("old", "v18.20.4"), standIn("odd", "unknown"), standIn("fetched", "v22.23.3")
	missing := filepath.Join(t.TempDir(), "missing")
	if got, err := firstNewNode([]string{missing, old, odd, fetched}); err != nil || got != fetched {
		t.Errorf("found %q, %v; want %q", got, err, fetched)
	}
	if got, err := firstNewNode([]string{old, odd}); err == nil || !strings.Contains(err.Error(), "v18.20.4") {
		t.Errorf("found %q, %v; want an error that names the old version", got, err)
	}
}

func anyOf(names ...string) func() (string, error) {
	return func() (string, error) {
		for _, name := range names {
			if path, err := exec.LookPath(name); err == nil {
				return path, nil
			}
		}
		return "", fmt.Errorf("none of %s is there", strings.Join(names, ", "))
	}
}

// lines is a log of several goroutines.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// siteToFetch is a site that the server may fetch from. The page /held/ does not answer until it is
// no longer waited for; /waiting says how many wait for it.
func siteToFetch() http.Handler {
	var waiting atomic.Int32
	mux := http.NewServeMux()
	mux.Handle("/guide/", http.FileServerFS(fstest.MapFS{
		"guide/index.html":   {Data: []byte("<title>Guide</title><h1>Guide</h1><p>All about <a href=\"anchors.html\">anchors</a>.</p>")},
		"guide/anchors.html": {Data: []byte("<title>Anchors</title><h1>Anchors</h1><p>An anchor of iron holds the boat in any wind.</p>")},
	}))
	mux.HandleFunc("/held/{$}", func(_ http.ResponseWriter, r *http.Request) {
		waiting.Add(1)
		<-r.Context().Done()
		waiting.Add(-1)
	})
	mux.HandleFunc("/waiting", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, waiting.Load()) })
	return mux
}

// longestVisit bounds the steps in the browser, which take 40 seconds on two free cores.
const longestVisit = 6 * time.Minute

// The page as a person uses it, in a real browser: testdata/browser.mjs has the steps.
// They run against a server with a password and a worker; nothing is loaded from
// elsewhere. With DOCENT_TEST_PICTURES=DIR it takes pictures of every view.
func TestInABrowser(t *testing.T) {
	t.Parallel()
	node := program(t, "node 20 or newer", "apt-get install nodejs, then make browser", newNode)
	npm := program(t, "playwright-core or axe-core", "make browser", modules)
	chromium := program(t, "chromium", "apt-get install chromium", anyOf("chromium", "chromium-browser", "google-chrome"))

	site := httptest.NewServer(siteToFetch())
	defer site.Close()
	configuration := filepath.Join(t.TempDir(), "docent.toml")
	if err := os.WriteFile(configuration, []byte("[sources]\nhosts = [\"127.0.0.1\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	shared, err := app.OpenShared(t.Context(), app.Options{Home: t.TempDir(), Manual: manual, ConfigPath: configuration})
	if err != nil {
		t.Fatal(err)
	}
	page, err := dashboard.Handler()
	if err != nil {
		t.Fatal(err)
	}
	log := &lines{}
	api := httpapi.New(httpapi.Options{Loopback: true, Operations: app.Operations(), Dashboard: page, Log: slog.New(slog.NewTextHandler(log, nil)), Matches: func(p string) bool { return p == "open sesame" },
		Home: func() (*service.Services, func(), error) {
			a, release, err := shared.Use()
			if err != nil {
				return nil, nil, err
			}
			return a.Services, release, nil
		}})
	srv := httptest.NewServer(api.Handler())
	ctx, stop := context.WithCancel(t.Context())
	var working sync.WaitGroup
	working.Go(func() {
		a, release, err := shared.Use()
		if err != nil {
			t.Error(err)
			return
		}
		defer release()
		if err := a.Intake.WorkOnJobs(ctx, intake.WorkRequest{Workers: 1}); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
	})
	defer func() {
		srv.CloseClientConnections()
		srv.Close()
		stop()
		working.Wait()
		if err := shared.Close(); err != nil {
			t.Error(err)
		}
	}()

	// A browser that hangs must not take the time of all other tests.
	running, end := context.WithTimeout(t.Context(), longestVisit)
	defer end()
	cmd := exec.CommandContext(running, node, "testdata/browser.mjs", srv.URL, chromium, npm, site.URL, os.Getenv("DOCENT_TEST_PICTURES"))
	cmd.Env = append(os.Environ(), "NODE_NO_WARNINGS=1")
	cmd.WaitDelay = 10 * time.Second // its children hold the pipe
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR") {
			t.Errorf("the server's log: %s", line)
		}
	}
}
