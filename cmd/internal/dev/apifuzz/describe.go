package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// fuzz is a run.
type fuzz struct {
	url, token, secret string
	each, workers      int
	seed               uint64

	ops     []*operation
	schemas map[string]any // of the description, by name
	seen    values         // good values for parameters

	mu     sync.Mutex
	sent   int
	failed int
	faults []string // the first ones
}

// operation is a method on a path, as it is described.
type operation struct {
	method, path string
	params       []parameter
	bodies       map[string]any // schemas by content type
	answers      map[int]map[string]*jsonschema.Resolved

	mu     sync.Mutex
	status map[int]int
}

type parameter struct {
	Name, In string
	Schema   map[string]any
}

// counts says how often each status came.
func (op *operation) counts() string {
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(op.status)) {
		parts = append(parts, fmt.Sprintf("%d: %d", status, op.status[status]))
	}
	return strings.Join(parts, "  ")
}

// read reads the description.
func (f *fuzz) read(ctx context.Context) error {
	raw, err := f.get(ctx, "/openapi.json")
	if err != nil {
		return err
	}
	var d struct {
		Components struct{ Schemas map[string]any }
		Paths      map[string]map[string]struct {
			Parameters  []parameter
			RequestBody *struct {
				Content map[string]struct{ Schema any }
			}
			Responses map[string]struct {
				Content map[string]struct{ Schema any }
			}
		}
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		return fmt.Errorf("the description: %w", err)
	}
	f.schemas = d.Components.Schemas
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(d.Paths[path])) {
			given := d.Paths[path][method]
			op := &operation{method: strings.ToUpper(method), path: path, params: given.Parameters, bodies: map[string]any{},
				answers: map[int]map[string]*jsonschema.Resolved{}, status: map[int]int{}}
			if given.RequestBody != nil {
				for kind, c := range given.RequestBody.Content {
					op.bodies[kind] = c.Schema
				}
			}
			for text, res := range given.Responses {
				var status int
				if _, err := fmt.Sscan(text, &status); err != nil {
					return fmt.Errorf("%s %s: the status %q", method, path, text)
				}
				op.answers[status] = map[string]*jsonschema.Resolved{}
				for kind, c := range res.Content {
					if op.answers[status][kind], err = f.resolve(c.Schema); err != nil {
						return fmt.Errorf("%s %s %s: %w", method, path, text, err)
					}
				}
			}
			f.ops = append(f.ops, op)
		}
	}
	if len(f.ops) == 0 {
		return fmt.Errorf("%s describes no operation", f.url)
	}
	return f.seen.read(ctx, f)
}

// resolve makes a schema of the description one that values are checked against.
func (f *fuzz) resolve(schema any) (*jsonschema.Resolved, error) {
	if schema == nil {
		return nil, nil
	}
	raw, err := json.Marshal(map[string]any{"$defs": f.schemas, "allOf": []any{schema}})
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(bytes.ReplaceAll(raw, []byte("#/components/schemas/"), []byte("#/$defs/")), &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
}

// get reads something that must be there.
func (f *fuzz) get(ctx context.Context, path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.url+path, nil)
	if err != nil {
		return nil, err
	}
	if f.token != "" {
		req.Header.Set("Authorization", "Bearer "+f.token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %d %.200s", path, res.StatusCode, raw)
	}
	return raw, err
}

// streamed is how long a stream of events is listened to.
const streamed = 200 * time.Millisecond

// send sends a request of an operation and checks the answer.
func (f *fuzz) send(ctx context.Context, op *operation, r request) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, op.method, f.url+r.target, strings.NewReader(r.body))
	if err != nil {
		return // an address that cannot be written
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	if token := cmp.Or(map[string]string{"/internal/callback": f.secret}[op.path], f.token); token != "" &&
		r.header["Authorization"] == "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultTransport.RoundTrip(req) // no redirect is followed
	if err != nil {
		f.fault(op, r, "no answer: "+err.Error())
		return
	}
	defer res.Body.Close()
	stream := strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream")
	if stream { // one of changes does not end by itself
		defer time.AfterFunc(streamed, cancel).Stop()
	}
	raw, err := io.ReadAll(res.Body)
	f.mu.Lock()
	f.sent++
	f.mu.Unlock()
	op.mu.Lock()
	op.status[res.StatusCode]++
	op.mu.Unlock()
	if err != nil && !stream {
		f.fault(op, r, "the answer breaks off: "+err.Error())
		return
	}
	if why := op.wrong(res, raw, r); why != "" {
		f.fault(op, r, fmt.Sprintf("%d: %s: %.300s", res.StatusCode, why, raw))
	}
}

// wrong returns the fault of an answer, or "".
func (op *operation) wrong(res *http.Response, raw []byte, r request) string {
	if r.elsewhere && (res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusMethodNotAllowed ||
		res.StatusCode == http.StatusTemporaryRedirect || res.StatusCode == http.StatusMovedPermanently) {
		return "" // its path is no path of the operation
	}
	if res.StatusCode == http.StatusInternalServerError {
		return "an internal error"
	}
	kinds, ok := op.answers[res.StatusCode]
	if !ok && !r.elsewhere {
		return "the status is not described"
	}
	kind, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";")
	schema, ok := kinds[kind]
	if !ok && !r.elsewhere {
		return "the content " + kind + " is not described"
	}
	if kind != "application/json" || schema == nil || r.elsewhere {
		return ""
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err.Error()
	}
	if err := schema.Validate(v); err != nil {
		return err.Error()
	}
	return ""
}

func (f *fuzz) fault(op *operation, r request, why string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	const shown = 20
	if f.failed++; f.failed <= shown {
		f.faults = append(f.faults, fmt.Sprintf("%s %.300s\n  %v %.400s\n  %s", op.method, r.target, r.header, r.body, why))
	}
}
