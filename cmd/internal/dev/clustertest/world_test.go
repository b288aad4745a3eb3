package clustertest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/cmd/internal/dev/campaign/fleet"
	"docent/cmd/internal/dev/served"
	"docent/store/postgrestest"
	"docent/store/weaviate/weaviatetest"
)

// form is the environment variable that has the tests run: short or long.
const form = "DOCENT_TEST_PROCESSES"

// deadline bounds every command and every wait for a state. On a machine that others use too, an update
// of a second took more than two minutes.
const deadline = 5 * time.Minute

// world is what the tests share: the program and the servers.
type world struct {
	bin      string
	weaviate *weaviatetest.Cluster
	postgres *postgrestest.Server
	rnd      *rand.Rand
	kills    int // of workers
	long     bool
	names    *sync.Map // of the teams: two of one name would share a catalog
}

func TestProcesses(t *testing.T) {
	chosen := os.Getenv(form)
	if chosen == "" {
		t.Skip("make test-cluster runs it, with " + form)
	}
	began := time.Now()
	w := &world{kills: 12, names: &sync.Map{}, rnd: rand.New(rand.NewPCG(29, 1))}
	if chosen == "long" {
		w.kills, w.long = 50, true
	}
	w.weaviate = weaviatetest.Start(t, 3)
	w.postgres = postgrestest.StartOwn(t)
	w.bin = filepath.Join(t.TempDir(), "docent")
	if out, err := exec.Command("go", "build", "-o", w.bin, "docent/cmd/docent").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("the servers run and the program is built after %v", time.Since(began).Round(time.Second))
	t.Run("serving", w.testServing)
	t.Run("killed workers", w.testKilledWorkers)
	t.Run("updates", w.testUpdates)
	t.Run("lost locks", w.testLostLocks)
	t.Run("doc sets", w.testSets)
	t.Run("paused processes", w.testPaused)
	t.Run("tokens", w.testTokens)
	t.Run("shared secrets", w.testSharedSecrets)
	t.Run("folders of their own", w.testApart)
	t.Run("faults", w.testFaults)
	t.Run("stalled nodes", w.testStalled)
	for name, test := range map[string]func(*world, *testing.T){
		"a restored catalog": (*world).testRestored,
		"a migration":        (*world).testMigration,
		"two versions":       (*world).testVersions,
		"a partition":        (*world).testPartition,
		"a full disk":        (*world).testFullDisk,
	} {
		own := *w
		own.rnd = rand.New(rand.NewPCG(29, uint64(len(name))))
		t.Run(name, func(t *testing.T) {
			t.Parallel() // they wait a lot, and neither kill shared nodes nor start the database again
			test(&own, t)
		})
	}
}

// team is a home that several processes use.
type team struct {
	*world
	home, index, catalog string
}

func (w *world) newTeam(t *testing.T, name string) *team {
	t.Helper()
	if _, taken := w.names.LoadOrStore(name, true); taken {
		t.Fatalf("two teams are called %s", name)
	}
	m := &team{world: w, home: filepath.Join(t.TempDir(), "home")}
	m.index = w.weaviate.URL(name, 3)
	m.catalog = w.postgres.Address(name) + "&sslmode=disable"
	m.configure(t, m.home, "docent.toml", m.index, m.catalog)
	return m
}

// configure writes a configuration, and gives its path.
func (m *team) configure(t *testing.T, dir, name, index, catalog string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	text := fmt.Sprintf("[store]\nindex = %q\ncatalog = %q\n", index, catalog)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// done is a command that ended.
type done struct {
	args     []string
	out, err string
	code     int // -1: it was killed
}

func (d done) String() string {
	return fmt.Sprintf("docent %s: exit code %d: %s", strings.Join(d.args, " "), d.code,
		cmp.Or(strings.TrimSpace(d.err), strings.TrimSpace(d.out)))
}

var environment = []string{"OLLAMA_HOST=127.0.0.1:9", "NO_COLOR=1", "PGPASSWORD=", "WEAVIATE_API_KEY="}

func (m *team) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, m.bin, args...)
	cmd.Env = append(append(os.Environ(), "DOCENT_HOME="+m.home), environment...)
	return cmd
}

// docent runs the program.
func (m *team) docent(t *testing.T, args ...string) done {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	return finish(t, m.command(ctx, args...))
}

var crash = regexp.MustCompile(`(?m)^(panic:|fatal error:|goroutine \d+ \[)`)

// finish runs a command to its end.
func finish(t *testing.T, cmd *exec.Cmd) done {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the exit code says it
	d := done{args: cmd.Args[1:], out: out.String(), err: errs.String(), code: cmd.ProcessState.ExitCode()}
	if crash.MatchString(d.err) {
		t.Errorf("it broke down: %v", d)
	}
	return d
}

// must runs the program where it has to work.
func (m *team) must(t *testing.T, args ...string) done {
	t.Helper()
	d := m.docent(t, args...)
	if d.code != 0 {
		t.Fatal(d)
	}
	return d
}

// serve starts a server that reads no uploads.
func (m *team) serve(t *testing.T) *served.Server {
	t.Helper()
	s, err := served.Start(t.Context(), m.bin, m.home, environment, "--workers", "0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if crash.MatchString(s.Log()) || t.Failed() {
			t.Errorf("the server says %s", s.Log())
		}
	})
	return s
}

// newFleet writes a doc set.
func (w *world) newFleet(t *testing.T, pages int) *fleet.Fleet {
	t.Helper()
	f, err := fleet.New(filepath.Join(t.TempDir(), "Fleet"), pages, w.rnd)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// eventually waits for a state. is names the difference, "" where it is reached.
func eventually(t *testing.T, is func() string) {
	t.Helper()
	why := ""
	for end := time.Now().Add(deadline); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if why = is(); why == "" {
			return
		}
	}
	t.Fatalf("it does not come about: %s", why)
}

// gate stands between a process and the Weaviate: it tells of requests that change something.
type gate struct {
	server *httptest.Server
	proxy  http.Handler
	mu     sync.Mutex
	seen   int
	at     int  // the number of the request at which something happens
	early  bool // before it, and it does not reach the Weaviate
	act    func()
	closed bool // every request is refused, as if the Weaviate were away
}

func newGate(t *testing.T, node string) *gate {
	t.Helper()
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: node})
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	g := &gate{proxy: proxy}
	g.server = httptest.NewServer(g)
	t.Cleanup(g.server.Close)
	return g
}

// set chooses the request at which act is called; 0: none.
func (g *gate) set(at int, early bool, act func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen, g.at, g.early, g.act = 0, at, early, act
}

// close has the Weaviate be away, and open has it be back.
func (g *gate) close() { g.setClosed(true) }
func (g *gate) open()  { g.setClosed(false) }

func (g *gate) setClosed(closed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = closed
}

// count is how many changing requests were seen.
func (g *gate) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.seen
}

// ServeHTTP is http.Handler's.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	closed := g.closed
	g.mu.Unlock()
	if closed {
		panic(http.ErrAbortHandler) // the connection ends
	}
	// The whole body is read first: where the answer begins before, the server closes the body, and the
	// proxy ends the connection to the node in the middle of the answer.
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // the process was killed
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	change := r.Method != http.MethodGet && !strings.HasSuffix(r.URL.Path, "/graphql")
	var act func()
	early := false
	if change {
		g.mu.Lock()
		if g.seen++; g.seen == g.at {
			act, early = g.act, g.early
		}
		g.mu.Unlock()
	}
	if act != nil && early {
		act()
		panic(http.ErrAbortHandler)
	}
	g.proxy.ServeHTTP(w, r)
	if act != nil {
		act()
	}
}

// address is the gate's as that of the Weaviate of a team.
func (g *gate) address(m *team) string {
	_, behind, _ := strings.Cut(strings.TrimPrefix(overGraphQL(m.index), "weaviate://"), "/")
	return "weaviate://" + strings.TrimPrefix(g.server.URL, "http://") + "/" + behind
}

// readBody gives the body of an answer, or of an error.
func readBody(resp *http.Response, err error) (status int, body string, _ error) {
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(raw), err
}

func textOr(text string, err error) string {
	if err != nil {
		return err.Error()
	}
	return cmp.Or(text, "nothing")
}

// overGraphQL is the address of an index without that of the gRPC interface.
func overGraphQL(index string) string {
	index, _, _ = strings.Cut(index, "&grpc=")
	return index
}
