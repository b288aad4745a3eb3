package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// values are those that the server has, for parameters.
type values struct {
	sets, pages, documents []string
}

func (v *values) read(ctx context.Context, f *fuzz) error {
	raw, err := f.get(ctx, "/api/docsets")
	if err != nil {
		return err
	}
	var sets struct {
		Sets []struct{ Set string } `json:"sets"`
	}
	if err := json.Unmarshal(raw, &sets); err != nil {
		return err
	}
	for _, s := range sets.Sets {
		v.sets = append(v.sets, s.Set)
	}
	if len(v.sets) == 0 {
		return fmt.Errorf("%s has no doc sets", f.url)
	}
	raw, err = f.get(ctx, "/api/docsets/"+url.PathEscape(v.sets[0])+"/pages?limit=20")
	if err != nil {
		return err
	}
	var pages struct {
		Pages []struct {
			FilePath string `json:"file_path"`
		}
	}
	if err := json.Unmarshal(raw, &pages); err != nil {
		return err
	}
	for _, p := range pages.Pages {
		v.pages = append(v.pages, p.FilePath)
	}
	if raw, err = f.get(ctx, "/api/documents?limit=20"); err != nil {
		return err
	}
	var documents struct{ Documents []struct{ ID string } }
	if err := json.Unmarshal(raw, &documents); err != nil {
		return err
	}
	for _, d := range documents.Documents {
		v.documents = append(v.documents, d.ID)
	}
	return nil
}

// request is one that is sent.
type request struct {
	target    string
	body      string
	header    map[string]string
	elsewhere bool // its path may be that of something else
}

// maker makes requests of an operation.
type maker struct {
	*fuzz
	op  *operation
	rnd *rand.Rand
}

// sendAll sends the requests of all operations, several operations at a time.
func (f *fuzz) sendAll(ctx context.Context) {
	var all sync.WaitGroup
	turns := make(chan struct{}, max(1, f.workers))
	for _, op := range f.ops {
		all.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			h := fnv.New64a()
			_, _ = h.Write([]byte(op.method + op.path)) // it gives no error
			m := maker{f, op, rand.New(rand.NewPCG(f.seed, h.Sum64()))}
			for range f.each {
				f.send(ctx, op, m.request())
			}
		})
	}
	all.Wait()
}

// oneIn is true once in n times.
func (m *maker) oneIn(n int) bool { return m.rnd.IntN(n) == 0 }

func pick[T any](m *maker, from ...T) T { return from[m.rnd.IntN(len(from))] }

func (m *maker) request() request {
	r := request{header: map[string]string{}}
	path, query := m.op.path, url.Values{}
	for _, p := range m.op.params {
		if p.In == "path" {
			value, odd := m.place(p.Name)
			r.elsewhere = r.elsewhere || odd
			path = strings.ReplaceAll(path, "{"+p.Name+"}", value)
		} else if m.oneIn(2) {
			for range 1 + m.rnd.IntN(2) {
				query.Add(p.Name, fmt.Sprint(m.scalar(p.Schema)))
			}
		}
	}
	if m.oneIn(12) {
		query.Add(m.text(), m.text())
	}
	if r.target = path; len(query) > 0 {
		r.target += "?" + query.Encode()
	}
	if m.oneIn(20) {
		r.header["Accept"] = pick(m, "text/event-stream", "text/markdown", "image/png", "*/*", "")
	}
	if m.oneIn(40) {
		r.header["Authorization"] = pick(m, "Bearer wrong", "Basic eDp5", "Bearer "+strings.Repeat("x", 3000))
	}
	if m.oneIn(40) {
		r.header["Origin"] = "http://evil.example"
	}
	if len(m.op.bodies) > 0 {
		m.body(&r)
	}
	return r
}

// place is a value for a path, as it is written there; odd: it may lead elsewhere.
func (m *maker) place(name string) (value string, odd bool) {
	var good []string
	switch name {
	case "set":
		good = m.seen.sets
	case "page":
		good = m.seen.pages
	case "id":
		good = append(slices.Clone(m.seen.documents), "3f0c2a10-0000-4000-8000-000000000000")
	}
	switch {
	case len(good) > 0 && !m.oneIn(3):
		return url.PathEscape(pick(m, good...)), false
	case m.oneIn(2):
		return pick(m, "..%2f..%2fetc%2fpasswd", "%2e%2e%2f%2e%2e%2fetc", "%00", "%0a", "C:%5Cwindows", "%c0%ae", "*", "-", "%2F",
			"a%2F..%2Fb", strings.Repeat("x", 5000), url.PathEscape(m.text())+"x"), true
	}
	return pick(m, "..", ".", "../../etc/passwd", "a/b/c", "", "/"), true
}

// body writes a body: as a rule one that nearly fits its schema.
func (m *maker) body(r *request) {
	kinds := slices.Sorted(maps.Keys(m.op.bodies))
	kind := pick(m, kinds...)
	r.header["Content-Type"] = kind
	switch {
	case kind == "multipart/form-data":
		m.form(r)
	case m.oneIn(25):
		r.header["Content-Type"] = pick(m, "image/png", "text/html", "application/json; charset=latin1",
			"application/x-www-form-urlencoded", "x", "multipart/form-data", "multipart/form-data; boundary=x")
		r.body = m.text()
	case kind != "application/json":
		r.body = m.text()
	case m.oneIn(12):
		r.body = pick(m, "", "{", "null", "[]", "5", `"x"`, "{} {}", "\xff\xfe", `{"a":1,"a":2}`, strings.Repeat("[", 5000),
			strings.Repeat(`{"a":`, 5000), "["+strings.Repeat("{},", 3000)+"0]", "1e999", `"\ud800"`, "\ufeff{}")
	default:
		raw, err := json.Marshal(m.value(m.op.bodies[kind], 0))
		if err != nil {
			raw = []byte("{}")
		}
		if m.oneIn(15) && len(raw) > 1 {
			raw = raw[:m.rnd.IntN(len(raw))]
		}
		r.body = string(raw)
	}
}

// form hands a file in.
func (m *maker) form(r *request) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for range 1 + m.rnd.IntN(2) {
		field := pick(m, "file", "file", "file", "ocrMode", "other")
		h := textproto.MIMEHeader{"Content-Disposition": {
			fmt.Sprintf(`form-data; name=%q; filename=%q`, field,
				pick(m, "a.md", "b.pdf", "c.json", "../../d.txt", "e.exe", "", "con.md", m.text()))}}
		if field == "ocrMode" && !m.oneIn(5) {
			h = textproto.MIMEHeader{"Content-Disposition": {`form-data; name="ocrMode"`}}
		}
		content := pick(m, "# Title\n\nA lantern burns oil, and its wick is trimmed once a week. "+fmt.Sprint(m.rnd.Uint64()),
			"%PDF-1.7\nno pdf", `{"a": [1, 2]}`, "", "\x00\x01\x02", m.text(), "auto", "never")
		if part, err := w.CreatePart(h); err == nil {
			_, _ = part.Write([]byte(content)) // into memory
		}
	}
	_ = w.Close() // into memory
	r.header["Content-Type"], r.body = w.FormDataContentType(), b.String()
	if m.oneIn(6) {
		r.body = r.body[:m.rnd.IntN(len(r.body))]
	}
}

// maxDepth bounds generated values.
const maxDepth = 6

// value makes a value of a schema, which fits as a rule.
func (m *maker) value(schema any, depth int) any {
	s, ok := schema.(map[string]any)
	if !ok || m.oneIn(30) {
		return m.anything(depth)
	}
	if ref, ok := s["$ref"].(string); ok {
		return m.value(m.schemas[ref[strings.LastIndex(ref, "/")+1:]], depth)
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		if list, ok := s[key].([]any); ok && len(list) > 0 {
			return m.value(pick(m, list...), depth)
		}
	}
	switch typeOf(m, s) {
	case "object":
		return m.object(s, depth)
	case "array":
		n := m.rnd.IntN(4)
		if depth > maxDepth {
			n = 0
		}
		if m.oneIn(30) {
			n = 150
		}
		out := make([]any, n)
		for i := range out {
			out[i] = m.value(s["items"], depth+1)
		}
		return out
	case "":
		return m.anything(depth)
	}
	return m.scalar(s)
}

// typeOf is a schema's type, one of them where there are several.
func typeOf(m *maker, s map[string]any) string {
	switch t := s["type"].(type) {
	case string:
		return t
	case []any:
		name, _ := pick(m, t...).(string)
		return name
	}
	return ""
}

func (m *maker) object(s map[string]any, depth int) any {
	out := map[string]any{}
	fields, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if slices.Contains(required, any(name)) && !m.oneIn(25) || depth < maxDepth && m.oneIn(2) {
			out[name] = m.value(fields[name], depth+1)
		}
	}
	if m.oneIn(20) {
		out[m.text()] = m.anything(depth + 1)
	}
	if m.oneIn(40) {
		for name := range out {
			out[strings.ToUpper(name)] = out[name]
			break
		}
	}
	return out
}

// scalar makes a value of a schema without parts.
func (m *maker) scalar(s map[string]any) any {
	if list, ok := s["enum"].([]any); ok && len(list) > 0 && !m.oneIn(8) {
		return pick(m, list...)
	}
	switch typeOf(m, s) {
	case "boolean":
		return m.oneIn(2)
	case "integer", "number":
		least, most := 0.0, 100.0
		if x, ok := s["minimum"].(float64); ok {
			least = x
		}
		if x, ok := s["maximum"].(float64); ok {
			most = x
		}
		x := pick(m, least, most, least-1, most+1, (least+most)/2, 1, 5, -1, 1e9, 1e300)
		if typeOf(m, s) == "integer" && !m.oneIn(20) {
			return int64(max(-1e15, min(1e15, x)))
		}
		return x
	case "string":
		return m.text()
	}
	return pick[any](m, m.text(), 5, nil, true)
}

// anything makes a value of no schema.
func (m *maker) anything(depth int) any {
	if depth > maxDepth {
		return nil
	}
	return pick[any](m, nil, true, false, 0, -1, 1.5, 1e300, m.text(), []any{}, map[string]any{}, []any{m.text(), 5, nil},
		map[string]any{m.text(): m.text()})
}

// text makes a text: a question, a name, or something odd.
func (m *maker) text() string {
	if m.oneIn(2) {
		return pick(m, "how do I add a doc set", "threshold", "--feature-flag", "what is a phase", pick(m, m.seen.sets...),
			pick(m, append(m.seen.pages, "x")...), pick(m, append(m.seen.documents, "x")...), "# Heading\n\nText of a page.\n")
	}
	return pick(m, "", " ", "\x00", "\x1b[31m", "../../etc/passwd", "<script>alert(1)</script>", "' OR 1=1 --", "{{7*7}}", "${HOME}",
		"ドキュメントを追加", "é\u0301", "\u202e\u2066", "�", strings.Repeat("a", 3000), strings.Repeat("word ", 1500),
		strings.Repeat("(", 500), "=== AOP-FINAL ===", "0", "-1", "true", "3f0c2a10-0000-4000-8000-000000000000",
		fmt.Sprint(m.rnd.IntN(1e6)))
}
