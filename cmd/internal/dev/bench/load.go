//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"docent/cmd/internal/dev/served"
)

// load holds the flags of measuring the server, its home and its questions.
type load struct {
	connections                         string
	requests, uploaded, beside, clients int

	bin, home string
	questions []string
	faults    int
}

func (l *load) flags() {
	flag.StringVar(&l.connections, "connections", "1,16,128", "load: connections at a time, separated by commas")
	flag.IntVar(&l.requests, "requests", 2000, "load: requests of each row")
	flag.IntVar(&l.uploaded, "uploaded", 200, "load: MB that are uploaded during requests; 0: none")
	flag.IntVar(&l.beside, "beside", 10_000, "load: requests during the uploads")
	flag.IntVar(&l.clients, "clients", 0, "load: clients that connect at the same time and stay; 0: none")
}

// loadQueries are the questions that the server is asked.
const loadQueries = "k8s-faq-dev"

// measureLoad asks docent serve over loopback and prints requests a second, latencies,
// processor time a request and the server's peak memory; then the same during uploads, and
// with more clients than the server takes. Client and server share the processors:
// processor time depends least on that. An answer that is neither 200 nor 429 is a fault.
func (b *bench) measureLoad(ctx context.Context) (err error) {
	l := &b.load
	l.bin = b.bin
	home, remove, err := b.openHome(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	l.home = home
	if l.questions, err = b.readQuestions(loadQueries); err != nil {
		return err
	}
	var counts []int
	for text := range strings.SplitSeq(l.connections, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("-connections %q", l.connections)
		}
		counts = append(counts, n)
	}
	for _, path := range []string{"/api/docs/search", "/api/ask"} {
		if err := l.path(ctx, path, counts); err != nil {
			return err
		}
	}
	if l.uploaded > 0 {
		if err := l.besideUploads(ctx); err != nil {
			return err
		}
	}
	if l.clients > 0 {
		if err := l.crowd(ctx); err != nil {
			return err
		}
	}
	if l.faults > 0 {
		return fmt.Errorf("%d answers were neither 200 nor 429", l.faults)
	}
	return nil
}

// path asks one operation of a fresh server with each number of connections in turn.
func (l *load) path(ctx context.Context, path string, counts []int) (err error) {
	began := time.Now()
	s, err := served.Start(ctx, l.bin, l.home, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	first := l.ask(ctx, s, path, 1, 1)
	fmt.Printf("%-18s from the start of the process to the first answer: %d ms\n", path, time.Since(began).Milliseconds())
	l.note(first)
	l.ask(ctx, s, path, 2, 20) // the first questions open the index
	for _, n := range counts {
		before := s.Used()
		r := l.ask(ctx, s, path, n, l.requests)
		fmt.Printf("%-18s %4d connections: %s; processors %.1f ms a request; memory at its peak %d MB\n", path, n, r,
			1000*(s.Used().CPU-before.CPU)/float64(max(1, r.answered)), s.Used().PeakRSS>>20)
		l.note(r)
	}
	return nil
}

// note counts the faults of a row.
func (l *load) note(r *result) {
	l.faults += r.faults
	if r.fault != "" {
		fmt.Println("  ", r.fault)
	}
}

// result is the outcome of a row of requests.
type result struct {
	took     time.Duration
	times    durations // of those that were answered, ascending
	answered int
	busy     int // 429
	faults   int
	fault    string // the first one
}

func (r *result) String() string {
	if r.answered == 0 {
		return fmt.Sprintf("no answer, %d busy, %d faults", r.busy, r.faults)
	}
	at := r.times.ms
	return fmt.Sprintf("%.0f requests/s, p50 %.1f ms, p99 %.1f ms, longest %.0f ms, %d busy",
		float64(r.answered)/r.took.Seconds(), at(.5), at(.99), at(1), r.busy)
}

// client is an HTTP client with so many connections.
func client(n int) *http.Client {
	return &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: n, MaxConnsPerHost: n,
		DisableCompression: true}}
}

// ask sends requests over n connections, each the next question when its last one was
// answered.
func (l *load) ask(ctx context.Context, s *served.Server, path string, n, requests int) *result {
	c := client(n)
	defer c.CloseIdleConnections()
	r := &result{}
	var next atomic.Int64
	var mu sync.Mutex
	var all sync.WaitGroup
	began := time.Now()
	for range n {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= requests {
					return
				}
				body, _ := json.Marshal(map[string]string{"query": l.questions[i%len(l.questions)]}) // a text can be encoded
				at := time.Now()
				status, why := post(ctx, c, s.URL+path, "application/json", bytes.NewReader(body))
				r.count(&mu, status, why, time.Since(at))
			}
		})
	}
	all.Wait()
	r.took = time.Since(began)
	slices.Sort(r.times)
	return r
}

func (r *result) count(mu *sync.Mutex, status int, why string, took time.Duration) {
	mu.Lock()
	defer mu.Unlock()
	switch status {
	case http.StatusOK, http.StatusCreated:
		r.answered++
		r.times = append(r.times, took)
	case http.StatusTooManyRequests:
		r.busy++
	default:
		if r.faults++; r.fault == "" {
			r.fault = fmt.Sprintf("%d %.300s", status, why)
		}
	}
}

// post sends a request and reads the whole answer; why is the answer of an error.
func post(ctx context.Context, c *http.Client, url, kind string, body io.Reader) (status int, why string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
	if err != nil {
		return 0, err.Error()
	}
	req.Header.Set("Content-Type", kind)
	res, err := c.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer res.Body.Close()
	if res.StatusCode/100 == 2 {
		if _, err = io.Copy(io.Discard, res.Body); err != nil {
			return 0, err.Error()
		}
		return res.StatusCode, ""
	}
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err.Error()
	}
	return res.StatusCode, string(raw)
}

// uploadBytes is the size of a file that is handed in.
const uploadBytes = 10 << 20

// besideUploads asks while files are handed in.
func (l *load) besideUploads(ctx context.Context) (err error) {
	s, err := served.Start(ctx, l.bin, l.home, nil, "--workers", "0")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	l.ask(ctx, s, "/api/docs/search", 2, 20)
	before, files := s.Used(), &result{}
	var mu sync.Mutex
	var uploads sync.WaitGroup
	began := time.Now()
	uploads.Go(func() {
		c := client(1)
		defer c.CloseIdleConnections()
		text := strings.Repeat("A lantern burns oil, and its wick is trimmed once a week. ", uploadBytes/58)
		for i := range max(1, l.uploaded<<20/uploadBytes) {
			var b bytes.Buffer
			w := multipart.NewWriter(&b)
			part, err := w.CreateFormFile("file", fmt.Sprintf("lantern-%d.md", i))
			if err == nil {
				_, err = fmt.Fprintf(part, "# Lantern %d %d\n\n%s", i, began.UnixNano(), text) // none is there already
			}
			if err == nil {
				err = w.Close()
			}
			if err != nil {
				return
			}
			at := time.Now()
			status, why := post(ctx, c, s.URL+"/api/documents", w.FormDataContentType(), &b)
			files.count(&mu, status, why, time.Since(at))
		}
	})
	r := l.ask(ctx, s, "/api/docs/search", 16, l.beside)
	uploads.Wait()
	files.took = time.Since(began)
	slices.Sort(files.times)
	fmt.Printf("%-18s   16 connections while %d MB are uploaded (%d files): %s; processors %.0f s; memory at its peak %d MB\n",
		"/api/docs/search", l.uploaded, files.answered, r, s.Used().CPU-before.CPU, s.Used().PeakRSS>>20)
	l.note(r)
	l.note(files)
	return nil
}

// crowd has many clients connect at the same time and stay, each with half of a request,
// and sends requests at the same time: connections that the server does not accept wait
// in the system's queue.
func (l *load) crowd(ctx context.Context) (err error) {
	s, err := served.Start(ctx, l.bin, l.home, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	l.ask(ctx, s, "/api/docs/search", 2, 20)
	var mu sync.Mutex
	var open []net.Conn
	refused := 0
	defer func() {
		for _, c := range open {
			err = errors.Join(err, c.Close())
		}
	}()
	turns := make(chan struct{}, 200)
	var all sync.WaitGroup
	began := time.Now()
	for range l.clients {
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			c, err := net.DialTimeout("tcp", strings.TrimPrefix(s.URL, "http://"), 10*time.Second)
			if err == nil {
				_, err = io.WriteString(c, "POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: "+
					"application/json\r\nContent-Length: 100\r\n")
			}
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				refused++
				return
			}
			open = append(open, c)
		})
	}
	all.Wait()
	fmt.Printf("%d clients connected in %.1f s, %d could not; memory %d MB\n",
		len(open), time.Since(began).Seconds(), refused, s.Used().RSS>>20)
	// Headers have ten seconds to arrive: then the server closes those it took, and takes
	// others.
	at := time.Now()
	r := l.ask(ctx, s, "/api/docs/search", 4, 100)
	fmt.Printf("beside them: %s; all within %.1f s; memory at its peak %d MB\n", r, time.Since(at).Seconds(), s.Used().PeakRSS>>20)
	l.note(r)
	return nil
}
