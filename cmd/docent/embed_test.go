package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/llm/llmtest"
)

// embedHome is a home whose model server is behind a proxy.
type embedHome struct {
	runner
	one   *commandProcess // of the commands that end before the next one
	t     *testing.T
	proxy *llmtest.Proxy
	all   int // texts of a new fleet of fleetPages
}

// newEmbedHome copies a prepared home.
func newEmbedHome(t *testing.T, prepared, name string, proxy *llmtest.Proxy) *embedHome {
	home := filepath.Join(t.TempDir(), name)
	copyHome(t, home, prepared)
	r := runner{home: home, env: []string{"OLLAMA_HOST=" + proxy.URL}}
	return &embedHome{t: t, proxy: proxy, runner: r, one: r.inOneProcess(t)}
}

// sent returns the texts that were sent to the model since the last call, without
// the text of the model check.
func (h *embedHome) sent() []string {
	return slices.DeleteFunc(h.proxy.TakeTexts(), func(text string) bool { return strings.HasPrefix(text, "A liveness probe restarts") })
}

// start starts the program and returns buffers of its two outputs.
func (h *embedHome) start(args ...string) (cmd *exec.Cmd, out, errs *bytes.Buffer) {
	h.t.Helper()
	cmd = h.command(h.t, "", args...)
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, errs
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	return cmd, out, errs
}

// run runs the program, requires its exit code and returns both outputs.
func (h *embedHome) run(code int, args ...string) string {
	h.t.Helper()
	out, errs := h.one.require(h.t, code, args...)
	return out + errs
}

func (h *embedHome) says(out string, patterns ...string) {
	h.t.Helper()
	checkOutput(h.t, out, patterns...)
}

// vectors describes the vectors of a doc set, as docent sets reports them.
func (h *embedHome) vectors(set string) (v struct {
	Model               string
	Dimension, Passages int
	Complete            bool
}) {
	h.t.Helper()
	out, _ := h.one.require(h.t, 0, "sets", "--json", "--set", set)
	var answer struct {
		Sets []struct{ Vectors json.RawMessage }
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || len(answer.Sets) != 1 {
		h.t.Fatalf("%v: %s", err, out)
	}
	if raw := answer.Sets[0].Vectors; raw != nil {
		if err := json.Unmarshal(raw, &v); err != nil {
			h.t.Fatal(err)
		}
	}
	return v
}

// The vectors of a model, with a real server and real processes.
func TestVectorsByAModel(t *testing.T) {
	t.Parallel()
	s := llmtest.Ollama(t)
	// To the program, the same model under another name is another model.
	resp, err := http.Post(s.URL+"/api/copy", "application/json", strings.NewReader(`{"source": "tiny-embed", "destination": "young-embed"}`))
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp, err)
	}
	resp.Body.Close()
	prepared := preparedHome(t)
	all := newEmbedHome(t, prepared, "counting", llmtest.NewProxy(t, s.URL)).countTexts(newFleet(t, fleetPages))
	run := func(name string, test func(t *testing.T, h *embedHome, f ships)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newEmbedHome(t, prepared, "home", llmtest.NewProxy(t, s.URL))
			h.all = all
			test(t, h, newFleet(t, fleetPages))
		})
	}
	run("the life of a doc set", testEmbedLife)
	run("killed", testEmbedKilled)
	run("interrupted", testEmbedInterrupted)
	run("two at once", testEmbedTwoAtOnce)
	run("the server goes away", testEmbedServerAway)
	run("another model", testEmbedAnotherModel)
	run("bad input", testEmbedBadInput)
	run("the route of the pages", testEmbedRoute)
}

// fleetPages is a number of pages whose passages fill a little more than one batch.
const fleetPages = 12

func testEmbedLife(t *testing.T, h *embedHome, f ships) {
	// A page with one passage that is longer than the model's context.
	long := "# Long\n\n" + strings.Repeat("The keeper trims the wick of each lamp at dusk. ", 40) + "\n"
	if err := os.WriteFile(filepath.Join(f.Dir, "long.md"), []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	h.says(h.run(0, "add", f.Dir), `^Fleet@1: 13 pages \(13 added\)$`, `^Fleet@1: vectors of \d+ passages by ollama:tiny-embed, \d+ made now$`)
	texts := h.sent()
	v := h.vectors("Fleet")
	if v.Model != "ollama:tiny-embed" || v.Dimension != 64 || !v.Complete || v.Passages < 51 || len(texts) < v.Passages {
		t.Errorf("%+v, %d texts were sent", v, len(texts))
	}
	h.says(h.run(0, "sets"), `^DOC SET +.*FRESHNESS +VECTORS +FOLDER$`, `^Fleet@1 .* fresh +ollama:tiny-embed +/`, `^Docent_Manual\S+ .* fresh +built-in `)
	h.says(h.run(0, "status"), `^vectors +of 1 doc set by ollama:tiny-embed \(64 dimensions\)$`)
	h.says(h.run(0, "doctor"), `^ok     model vectors Fleet@1: \d+ passages by ollama:tiny-embed, 64 dimensions$`,
		`^ok     model vectors Docent_Manual\S+: none yet by ollama:tiny-embed; `, `^0 faults$`)
	h.sent()

	// After one page changed, only its texts are sent.
	f.write(t, 3)
	h.says(h.run(0, "update", "Fleet"), `^Fleet@1: vectors of \d+ passages`)
	texts = h.sent()
	if len(texts) == 0 || len(texts) > 9 || !strings.Contains(texts[0], f.Marks[3]) {
		t.Errorf("%d texts were sent for one page: %q", len(texts), texts)
	}
	if out := h.run(0, "update", "Fleet"); strings.Contains(out, "vectors") {
		t.Errorf("nothing changed: %s", out)
	}
	h.run(0, "update", "--rebuild", "Fleet")
	if texts := h.sent(); len(texts) > 0 {
		t.Errorf("%d texts were sent for a rebuild", len(texts))
	}

	// Without a model no vectors are made, and the existing ones are kept.
	f.write(t, 4)
	h.run(0, "update", "--engine", "builtin", "Fleet")
	if v := h.vectors("Fleet"); v.Complete || v.Model != "ollama:tiny-embed" {
		t.Errorf("after an update without a model: %+v", v)
	}
	h.says(h.run(0, "doctor", "--engine", "builtin"), `^ok     model vectors Fleet@1: .*; 1 page has none yet$`, `^       docent update Fleet@1$`)
	h.says(h.run(1, "doctor", "--engine", "ollama"), `^FAULT  model vectors Fleet@1: `)
	if texts := h.sent(); len(texts) > 6 { // doctor's own
		t.Errorf("%d texts were sent", len(texts))
	}

	// A damaged cache is renamed, and only the vectors of changed pages are made.
	cache := filepath.Join(h.home, "vectors.db")
	if err := os.WriteFile(cache, bytes.Repeat([]byte("no database "), 2000), 0o600); err != nil {
		t.Fatal(err)
	}
	h.says(h.run(0, "update", "Fleet"), `^docent: \S+vectors\.db, where vectors of models are kept, was damaged; it lies beside as vectors\.db\.damaged`)
	if texts := h.sent(); len(texts) == 0 || len(texts) > 9 || !h.vectors("Fleet").Complete {
		t.Errorf("%d texts were sent", len(texts))
	}
	if _, err := os.Stat(cache + ".damaged"); err != nil {
		t.Error(err)
	}

	// Another version shares the vectors of unchanged pages. After both are removed,
	// the vectors are removed too.
	h.run(0, "add", "--version", "2", "--name", "Fleet", f.Dir)
	h.run(0, "rm", "Fleet@1")
	if left, err := filepath.Glob(filepath.Join(h.home, "index", "*.model")); err != nil || len(left) != 1 {
		t.Errorf("left are %q, %v", left, err)
	}
	h.sent()
	h.run(0, "update", "--rebuild", "Fleet")
	if texts := h.sent(); len(texts) > 0 {
		t.Errorf("%d texts were sent after the other version was removed", len(texts))
	}
	was, err := os.Stat(cache)
	if err != nil {
		t.Fatal(err)
	}
	h.run(0, "rm", "Fleet")
	now, err := os.Stat(cache)
	left, gerr := filepath.Glob(filepath.Join(h.home, "index", "*.*"))
	left = slices.DeleteFunc(left, func(path string) bool { return strings.HasPrefix(filepath.Base(path), "1.") }) // the manual's
	if err := errors.Join(err, gerr); err != nil || now.Size() >= was.Size() || len(left) != 0 {
		t.Errorf("the cache has %d bytes, had %d; left are %q; %v", now.Size(), was.Size(), left, err)
	}
}

// countTexts returns the number of texts of a fleet by indexing it. All of them must be different.
// New fleets of as many pages have the same texts.
func (h *embedHome) countTexts(f ships) int {
	h.t.Helper()
	h.run(0, "add", f.Dir)
	texts := h.sent()
	slices.Sort(texts)
	if n := len(slices.Compact(slices.Clone(texts))); n != len(texts) {
		h.t.Errorf("of %d texts %d are different", len(texts), n)
	}
	return len(texts)
}

// startUntil starts the program and waits for its nth embedding request, which the
// proxy holds. release aborts that request.
func (h *embedHome) startUntil(call int, args ...string) (cmd *exec.Cmd, out, errs *bytes.Buffer, release func()) {
	h.t.Helper()
	reached, released := make(chan bool), make(chan bool)
	h.proxy.Intercept(func(n int) bool {
		if n != call {
			return true
		}
		close(reached)
		<-released
		return false
	})
	release = sync.OnceFunc(func() { close(released) })
	h.t.Cleanup(release)
	cmd, out, errs = h.start(args...)
	select {
	case <-reached:
	case <-time.After(30 * time.Second):
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		h.t.Fatalf("docent %q does not embed: %s%s", args, out, errs)
	}
	return cmd, out, errs, release
}

func testEmbedKilled(t *testing.T, h *embedHome, f ships) {
	cmd, _, _, release := h.startUntil(3, "add", f.Dir)
	// The pages are searchable before their vectors are made.
	h.says(h.run(0, "search", "--engine", "builtin", "flagship"), `ship-000\.md`)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	release()
	h.proxy.Intercept(nil)
	before := h.sent()
	if h.vectors("Fleet").Model != "" || len(before) != 50 {
		t.Errorf("%d texts were done, %+v", len(before), h.vectors("Fleet"))
	}
	h.run(0, "update", "Fleet")
	after := h.sent()
	if v := h.vectors("Fleet"); !v.Complete || len(before)+len(after) != h.all {
		t.Errorf("%d and %d of %d texts were sent, %+v", len(before), len(after), h.all, v)
	}
	h.says(h.run(0, "doctor"), `^0 faults$`)
}

func testEmbedInterrupted(t *testing.T, h *embedHome, f ships) {
	cmd, out, errs, release := h.startUntil(3, "add", f.Dir)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	release()
	h.proxy.Intercept(nil)
	if cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("exit code %d", cmd.ProcessState.ExitCode())
	}
	h.says(out.String(), `^Fleet@1: 12 pages \(12 added\)$`)
	h.says(errs.String(), `^docent: the vectors by a model are not complete; docent update goes on where it was$`, `^docent: interrupted: Fleet@1 was added$`)
	before := h.sent()
	h.run(0, "update", "Fleet")
	if after := h.sent(); len(before)+len(after) != h.all {
		t.Errorf("%d and %d of %d texts were sent", len(before), len(after), h.all)
	}
}

func testEmbedTwoAtOnce(t *testing.T, h *embedHome, f ships) {
	h.run(0, "add", "--engine", "builtin", f.Dir)
	h.sent()
	var commands []*exec.Cmd
	var said []*bytes.Buffer
	for range 2 {
		cmd, _, errs := h.start("update", "Fleet")
		commands, said = append(commands, cmd), append(said, errs)
	}
	for i, cmd := range commands {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, said[i])
		}
	}
	if texts := h.sent(); len(texts) != h.all || !h.vectors("Fleet").Complete {
		t.Errorf("%d texts were sent, there are %d; %q", len(texts), h.all, fmt.Sprint(said))
	}
}

func testEmbedServerAway(t *testing.T, h *embedHome, f ships) {
	h.proxy.Intercept(func(n int) bool { return n < 3 })
	out := h.run(0, "add", f.Dir)
	h.says(out, `^Fleet@1: 12 pages \(12 added\)$`, `^docent: Fleet@1 answers by its words and built-in vectors: the vectors of Fleet@1: Ollama at \S+ broke off.*; the vectors by a model are not complete; docent update goes on where it was$`)
	if strings.Count(out, "docent: ") != 1 {
		t.Errorf("it is said more than once: %s", out)
	}
	before := h.sent()
	// With --engine ollama the failure is an error.
	h.proxy.Intercept(func(int) bool { return false })
	h.says(h.run(3, "update", "--engine", "ollama", "Fleet"), `^Fleet@1: 12 pages, nothing changed$`, `^docent: the vectors of Fleet@1: Ollama at `)
	h.proxy.Intercept(nil)
	h.sent()
	h.run(0, "update", "--engine", "ollama", "Fleet")
	if after := h.sent(); len(before)+len(after) != h.all || !h.vectors("Fleet").Complete {
		t.Errorf("%d and %d of %d texts were sent", len(before), len(after), h.all)
	}
	// Without --engine a missing server is not mentioned.
	h.proxy.Close()
	if out := h.run(0, "update", "Fleet"); out != "Fleet@1: 12 pages, nothing changed\n" {
		t.Errorf("without a server: %q", out)
	}
	h.says(h.run(3, "update", "--engine", "ollama", "Fleet"), `^docent: Ollama at \S+ is not reachable`)
}

func testEmbedAnotherModel(t *testing.T, h *embedHome, f ships) {
	h.run(0, "add", f.Dir)
	h.sent()
	cmd, _, errs, release := h.startUntil(3, "update", "--embed-model", "young-embed", "Fleet")
	if v := h.vectors("Fleet"); v.Model != "ollama:tiny-embed" || !v.Complete {
		t.Errorf("in between: %+v", v)
	}
	h.says(h.run(0, "doctor", "--embed-model", "young-embed"), `^ok     model vectors Fleet@1: .* by ollama:tiny-embed, 64 dimensions; they serve until those by ollama:young-embed are made$`)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	release()
	h.proxy.Intercept(nil)
	h.run(0, "update", "--embed-model", "young-embed", "Fleet")
	if v := h.vectors("Fleet"); v.Model != "ollama:young-embed" || !v.Complete {
		t.Errorf("then: %+v, %s", v, errs)
	}
}

func testEmbedBadInput(t *testing.T, h *embedHome, f ships) {
	// A chat model.
	out := h.run(0, "add", "--embed-model", "tiny-chat", f.Dir)
	h.says(out, `^docent: Fleet@1 answers by its words and built-in vectors: the model "tiny-chat:latest" of Ollama at \S+ cannot embed; choose another in docent.toml; docent models lists them$`)
	h.says(h.run(3, "update", "--engine", "ollama", "--embed-model", "tiny-chat", "Fleet"), `cannot embed`)
	// A missing model.
	h.says(h.run(0, "update", "--embed-model", "nobody", "Fleet"), `has no model "nobody"; to get it: docent models pull nobody`)
	// A profile whose dimension is not the model's.
	config := "[embeddings.profiles.wide]\nmodel = \"tiny-embed\"\ndimension = 1024\n[embeddings.routes.tech_docs]\nprofile = \"wide\"\n"
	if err := os.WriteFile(filepath.Join(h.home, "docent.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	h.says(h.run(0, "update", "Fleet"), `tiny-embed:latest has vectors of 64 dimensions, embeddings\.profiles\.wide\.dimension is 1024`)
	if v := h.vectors("Fleet"); v.Model != "" {
		t.Errorf("%+v", v)
	}
	// A doc set with empty pages only.
	empty := filepath.Join(t.TempDir(), "Empty@1")
	if err := errors.Join(os.Remove(filepath.Join(h.home, "docent.toml")), os.MkdirAll(empty, 0o700), os.WriteFile(filepath.Join(empty, "blank.md"), []byte(" \n\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	h.run(0, "add", empty)
}

// The route that most pages of a doc set take says by whose profile its vectors are made,
// also where it is not called like the doc set's domain.
func testEmbedRoute(t *testing.T, h *embedHome, f ships) {
	config := "[routing.slice_type_to_route]\ntech_manual = \"handbook\"\n[embeddings.profiles.young]\nmodel = \"young-embed\"\n[embeddings.routes.handbook]\nprofile = \"young\"\n"
	api := filepath.Join(f.Dir, "api")
	if err := errors.Join(os.MkdirAll(h.home, 0o700), os.WriteFile(filepath.Join(h.home, "docent.toml"), []byte(config), 0o600), os.MkdirAll(api, 0o700),
		os.WriteFile(filepath.Join(api, "berths.md"), []byte("# Berths\n\nThe calls of the berths' interface.\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	h.says(h.run(0, "add", f.Dir), `^Fleet@1: vectors of \d+ passages by ollama:young-embed, \d+ made now$`)
	h.says(h.run(0, "doctor"), `model vectors Fleet@1: .*; 1 page is of routes with another profile`)
}
