package clustered_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/pipeline"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/clustered"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/store/address"
	"docent/store/weaviate/recent"
	"docent/store/weaviate/weaviatetest"
)

// trips passes requests on to an engine. Each takes a while, so that those which are sent at the same time overlap: a
// request that begins when another one has ended waited for it.
type trips struct {
	engine string // its address, and that of its gRPC interface
	remote string
	calls  http.Client // of HTTP/2 without TLS
	mu     sync.Mutex
	round  int // a question
	ended  int // the longest row of requests of this round that ended
	rows   []string
}

const wayThere = 60 * time.Millisecond

func (p *trips) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	round, place := p.round, p.ended+1
	p.mu.Unlock()
	time.Sleep(wayThere)
	body, err := io.ReadAll(r.Body)
	var answer *http.Response
	if err == nil {
		var on *http.Request
		to, by := p.engine, http.DefaultClient
		if r.Header.Get("Content-Type") == "application/grpc" {
			to, by = p.remote, &p.calls
		}
		if on, err = http.NewRequestWithContext(r.Context(), r.Method, "http://"+to+r.URL.RequestURI(), bytes.NewReader(body)); err == nil {
			on.Header = r.Header
			answer, err = by.Do(on)
		}
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	p.mu.Lock()
	if round == p.round { // else it was sent ahead
		p.ended = max(p.ended, place)
		p.rows = append(p.rows, fmt.Sprintf("%d: %s %s %.120s", place, r.Method, r.URL.Path, body))
	}
	p.mu.Unlock()
	maps.Copy(w.Header(), answer.Header)
	w.WriteHeader(answer.StatusCode)
	if _, werr := w.Write(text); err != nil || werr != nil {
		panic(http.ErrAbortHandler)
	}
	for name, values := range answer.Trailer {
		w.Header()[http.TrailerPrefix+name] = values
	}
}

// longest gives the length of the longest row of requests that waited for each other since the last call, and all of them.
func (p *trips) longest() (n int, all string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, all = p.ended, strings.Join(p.rows, "\n")
	p.round, p.ended, p.rows = p.round+1, 0, nil
	return n, all
}

// manyPages writes pages of sections that share words with each other, as those of a manual do.
func manyPages(t *testing.T, dir string) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 9))
	words := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "%s%s ", []string{"lan", "tro", "mer", "kil", "sob"}[random.IntN(5)], []string{"tern", "pole", "wick", "glass", "flame", "oil"}[random.IntN(6)])
		}
		return b.String()
	}
	for i := range 80 {
		text := fmt.Sprintf("# Part %d of the %s\n\n%s\n\n", i, words(1), words(80))
		for s := range 5 {
			text += fmt.Sprintf("## Care %d of %s\n\n%s.\n\n", s, words(2), words(80))
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("p%d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A question waits at most four times for the engine: for the passages with its words, for those with the words that the
// best of them share, for those near in meaning, and for what is missing of any of them. What a process knows already it
// does not ask for. The first question after a pause waits once more.
func testRoundTrips(t *testing.T, c *weaviatetest.Cluster) {
	for _, name := range []string{"GraphQL", "gRPC"} {
		t.Run(name, func(t *testing.T) { countRoundTrips(t, c, name) })
	}
}

func countRoundTrips(t *testing.T, c *weaviatetest.Cluster, name string) {
	t.Helper()
	proxy := &trips{engine: c.Addresses(), remote: c.GRPC()}
	plain := new(http.Protocols)
	plain.SetUnencryptedHTTP2(true)
	proxy.calls.Transport = &http.Transport{Protocols: plain}
	defer proxy.calls.CloseIdleConnections()
	server := httptest.NewUnstartedServer(proxy)
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	text := "weaviate://" + host + "/trips" + name
	if name == "gRPC" {
		text += "?grpc=" + host
	}
	at, err := address.ParseWeaviate(text)
	if err != nil {
		t.Fatal(err)
	}
	m := &team{places: clustered.Places{Index: at}, shelf: &shelf{}}
	dir, docs := filepath.Join(t.TempDir(), "home"), filepath.Join(t.TempDir(), "Lantern")
	if err := os.MkdirAll(docs, 0o700); err != nil {
		t.Fatal(err)
	}
	manyPages(t, docs)
	x := m.open(t, dir)
	plan, err := library.Discover(t.Context(), library.AddRequest{Paths: []string{docs}}, x.Home.Parsers, home.Watch{})
	if err == nil {
		_, err = x.Library.Add(t.Context(), plan, home.Watch{})
	}
	if err != nil {
		t.Fatal(err)
	}
	// Another process: it knows no passages.
	x = m.open(t, dir)
	fewest, requests := 99, ""
	for i, question := range []string{"lantern glass flame", "how is the tropole of merwick kept", "kiloil and sobflame care", "why does lanwick need troglass",
		"clean the mertern after sobpole"} {
		found, err := x.Answers.Search(t.Context(), answers.SearchRequest{Request: pipeline.Request{Question: question, DocSets: []string{"Lantern"}}}, nil)
		if err != nil || len(found.Page.Results) == 0 {
			t.Fatalf("%s: %d results, %v", question, len(found.Page.Results), err)
		}
		n, all := proxy.longest()
		t.Logf("%s: %d", question, n)
		if i > 0 && n < fewest { // the first one opens the indexes; a busy machine sends late what others send at once
			fewest, requests = n, all
		}
	}
	// After a pause the states of the doc sets are read first.
	later := 99
	for _, question := range []string{"oil of the solwick", "what does the mertern lanwick", "kilpole after troflame"} {
		time.Sleep(2 * recent.Usable)
		proxy.longest()
		if _, err := x.Answers.Search(t.Context(), answers.SearchRequest{Request: pipeline.Request{Question: question,
			DocSets: []string{"Lantern"}}}, nil); err != nil {
			t.Fatal(err)
		}
		n, _ := proxy.longest()
		later = min(later, n)
	}
	if later > 5 {
		t.Errorf("after a pause, a question waits %d times for the engine", later)
	}
	if fewest > 4 {
		t.Errorf("a question waits %d times for the engine:\n%s", fewest, requests)
	}
}
