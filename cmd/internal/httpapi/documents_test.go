package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"docent/cmd/internal/app"
	"docent/cmd/internal/httpapi"
	"docent/pipeline/service"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/uploads"
)

// library is a server over a home of its own, in which documents may be handed in.
type library struct {
	*server
	home *app.Shared
	dir  string
}

func openLibrary(t *testing.T) *library {
	t.Helper()
	l := &library{dir: t.TempDir()}
	var err error
	if l.home, err = app.OpenShared(t.Context(), app.Options{Home: l.dir}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.home.Close(); err != nil {
			t.Error(err)
		}
	})
	l.server = serve(t, func(o *httpapi.Options) {
		o.CallbackSecret = "the callback's secret"
		o.Home = func() (*service.Services, func(), error) {
			a, release, err := l.home.Use()
			if err != nil {
				return nil, nil, err
			}
			return a.Services, release, nil
		}
	})
	return l
}

// work takes all jobs.
func (l *library) work() {
	l.t.Helper()
	a, release, err := l.home.Use()
	if err != nil {
		l.t.Fatal(err)
	}
	defer release()
	if err := a.Intake.WorkOnce(l.t.Context(), intake.WorkRequest{}); err != nil {
		l.t.Fatal(err)
	}
}

// form is a form with fields, in their order: name and value, or name, file name and
// content.
func form(t *testing.T, fields ...[]string) (body, kind string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, f := range fields {
		var part io.Writer
		var err error
		if len(f) == 3 {
			part, err = w.CreateFormFile(f[0], f[1])
		} else {
			part, err = w.CreateFormField(f[0])
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(part, f[len(f)-1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}

func (l *library) upload(fields ...[]string) reply {
	l.t.Helper()
	body, kind := form(l.t, fields...)
	return l.post("/api/documents", body, "Content-Type", kind)
}

const whales = "# Whales\n\nA whale sings in the deep, and its song travels for miles.\n\n## Größe\n\nThe blue whale is the largest animal that ever lived on this planet.\n"

func TestDocuments(t *testing.T) {
	t.Parallel()
	l := openLibrary(t)
	if r := l.get("/api/documents"); r.status != 200 || r.body != `{"documents":[],"total":0}`+"\n" {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := l.post("/api/query", `{"query": "whale"}`); r.status != 200 || r.body != `{"results":[]}`+"\n" {
		t.Errorf("%d %s", r.status, r.body)
	}
	r := l.upload([]string{"ocrMode", "never"}, []string{"file", "../../whales.md", whales})
	v := r.json(t)
	id, _ := v["id"].(string)
	if r.status != 201 || v["filename"] != "whales.md" || v["status"] != "PENDING" || v["format"] != "md" || v["lane"] != "fast" || len(v) != 5 || id == "" {
		t.Fatalf("%d %s", r.status, r.body)
	}
	if r := l.upload([]string{"file", "again.md", whales}); r.status != 409 || r.json(t)["error"] != "DUPLICATE_DOCUMENT" || r.json(t)["id"] != id {
		t.Errorf("the same once more: %d %s", r.status, r.body)
	}
	if r := l.get("/api/documents/" + id + "/content"); r.status != 409 || r.json(t)["error"] != "CONFLICT" {
		t.Errorf("a text before it is read: %d %s", r.status, r.body)
	}
	l.work()
	v = l.get("/api/documents/" + id).json(t)
	if v["status"] != "COMPLETED" || v["chunkCount"].(float64) < 1 || v["retryCount"] != 0.0 || v["createdAt"] == "" || v["filePath"] != nil {
		t.Errorf("%v", v)
	}
	if r := l.get("/api/documents/" + id + "/content"); r.status != 200 || r.body != whales || !strings.Contains(r.header.Get("Content-Disposition"), "whales.md") {
		t.Errorf("%d %v %s", r.status, r.header, r.body)
	}
	if r := l.get("/api/documents?status=COMPLETED&limit=1&offset=0"); r.status != 200 || r.json(t)["total"] != 1.0 {
		t.Errorf("%d %s", r.status, r.body)
	}
	r = l.post("/api/query", `{"query": "how large is the blue whale", "topK": 100}`)
	var found struct {
		Results []struct {
			Content    string
			Score      float64
			DocumentID string
			ID         string
			ChunkIndex int
			CreatedAt  time.Time
			Metadata   struct {
				Heading            string
				CharStart, CharEnd int
			}
		}
	}
	if err := json.Unmarshal([]byte(r.body), &found); err != nil || len(found.Results) == 0 {
		t.Fatalf("%d %s, %v", r.status, r.body, err)
	}
	best := found.Results[0]
	// Specification 4's Chunk has a UUID, a place in its document and a time.
	chunks := map[string]bool{}
	for _, r := range found.Results {
		if !uploads.ValidID(r.ID) || r.ID == id || chunks[r.ID] || r.CreatedAt.IsZero() {
			t.Errorf("the chunk %d has the id %q, created %v", r.ChunkIndex, r.ID, r.CreatedAt)
		}
		chunks[r.ID] = true
	}
	if again := l.post("/api/query", `{"query": "how large is the blue whale", "topK": 100}`); again.body != r.body {
		t.Errorf("%s, at first %s", again.body, r.body)
	}
	// A word of one passage alone: the others fill topK, below it.
	var all struct{ Results []struct{ Score float64 } }
	if err := json.Unmarshal([]byte(l.post("/api/query", `{"query": "planet", "topK": 100}`).body), &all); err != nil ||
		len(all.Results) != int(v["chunkCount"].(float64)) || len(all.Results) < 2 || all.Results[1].Score > all.Results[0].Score {
		t.Errorf("%+v of %v passages, %v", all, v["chunkCount"], err)
	}
	if best.DocumentID != id || !strings.Contains(best.Content, "largest animal") || best.Score <= 0 || best.Score > 1 {
		t.Errorf("%+v", best)
	}
	if runes := []rune(whales); string(runes[best.Metadata.CharStart:best.Metadata.CharEnd]) != best.Content || !utf8.ValidString(best.Content) {
		t.Errorf("%+v: the place is %q", best, string(runes[best.Metadata.CharStart:best.Metadata.CharEnd]))
	}
	if r := l.do(http.MethodDelete, "/api/documents/"+id, ""); r.status != 200 || !strings.Contains(r.body, id) {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := l.get("/api/documents/" + id); r.status != 404 || r.json(t)["error"] != "NOT_FOUND" {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := l.post("/api/query", `{"query": "blue whale"}`); r.body != `{"results":[]}`+"\n" {
		t.Errorf("a deleted document is found: %s", r.body)
	}
}

func TestUploadsThatAreRefused(t *testing.T) {
	t.Parallel()
	l := openLibrary(t)
	for name, c := range map[string]struct {
		fields [][]string
		status int
		code   string
	}{
		"another format":       {[][]string{{"file", "x.exe", "MZ\x00\x01" + strings.Repeat("x", 100)}}, 400, "INVALID_FORMAT"},
		"a PDF that is none":   {[][]string{{"file", "x.pdf", "this is no PDF but a text that says so at some length"}}, 400, "INVALID_FORMAT"},
		"no file":              {[][]string{{"ocrMode", "auto"}}, 400, "INVALID_REQUEST"},
		"no name":              {[][]string{{"file", "text"}}, 400, "INVALID_REQUEST"},
		"another field":        {[][]string{{"whale", "x"}, {"file", "x.md", whales}}, 400, "INVALID_REQUEST"},
		"a wrong mode":         {[][]string{{"ocrMode", "perhaps"}, {"file", "x.md", whales}}, 400, "INVALID_REQUEST"},
		"a wrong mode, late":   {[][]string{{"file", "x.md", whales}, {"ocrMode", "perhaps"}}, 400, "INVALID_REQUEST"},
		"a mode that is long":  {[][]string{{"ocrMode", strings.Repeat("x", 1000)}, {"file", "x.md", whales}}, 400, "INVALID_REQUEST"},
		"a file that is large": {[][]string{{"file", "x.txt", strings.Repeat("whales sing. ", 53<<20/13)}}, 400, "FILE_TOO_LARGE"},
		"two files":            {[][]string{{"file", "x.md", whales}, {"file", "y.md", whales + "more"}}, 400, "INVALID_REQUEST"},
	} {
		if r := l.upload(c.fields...); r.status != c.status || r.json(t)["error"] != c.code || r.json(t)["message"] == "" {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	if r := l.post("/api/documents", "{}"); r.status != 400 || !strings.Contains(r.body, "multipart/form-data") {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := l.post("/api/documents", "--x\r\nnonsense", "Content-Type", "multipart/form-data; boundary=x"); r.status != 400 {
		t.Errorf("%d %s", r.status, r.body)
	}
	// One that is cut half-way leaves nothing.
	conn, err := net.Dial("tcp", strings.TrimPrefix(l.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	body, kind := form(t, []string{"file", "cut.md", strings.Repeat(whales, 1000)})
	fmt.Fprintf(conn, "POST /api/documents HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", kind, len(body), body[:len(body)/2])
	conn.Close()
	if r := l.get("/api/documents"); r.json(t)["total"] != 0.0 {
		t.Errorf("something was kept: %s", r.body)
	}
	if r := l.upload([]string{"file", "whales.md", whales}, []string{"ocrMode", "force"}); r.status != 201 {
		t.Errorf("%d %s", r.status, r.body)
	}
	outside, err := filepath.Glob(filepath.Join(filepath.Dir(l.dir), "*.md"))
	if err != nil || len(outside) > 0 {
		t.Errorf("%q, %v", outside, err)
	}
}

func TestDocumentsBadInput(t *testing.T) {
	t.Parallel()
	l := openLibrary(t)
	for _, c := range []struct {
		path, body string
		status     int
	}{
		{"/api/query", `{"query": ""}`, 400}, {"/api/query", `{"query": "  "}`, 400}, {"/api/query", `{}`, 400}, {"/api/query", `{"query": "x", "topK": 0}`, 400},
		{"/api/query", `{"query": "x", "topK": 101}`, 400}, {"/api/query", `{"query": "x", "topK": 1, "TOPK": -1}`, 400}, {"/api/query", `{"query": "x", "Topk": 100000000}`, 400}, {"/api/query", `{"query": "x", "topK": 1.5}`, 400}, {"/api/query", fmt.Sprintf(`{"query": %q}`, strings.Repeat("x", 1001)), 400},
		{"/api/query", `{"query": "x", "more": 1}`, 200}, {"/api/query", fmt.Sprintf(`{"query": %q}`, strings.Repeat("é", 1000)), 200},
		{"/api/documents/delete", `{"ids": []}`, 400}, {"/api/documents/retry", `{"ids": ["nothing"]}`, 200}, {"/api/documents/nothing/retry", ``, 404},
		{"/api/documents/..%2f..%2fetc/retry", ``, 404},
	} {
		if r := l.post(c.path, c.body); r.status != c.status || c.status >= 400 && r.json(t)["error"] == nil {
			t.Errorf("%s %.100s: %d %s", c.path, c.body, r.status, r.body)
		}
	}
	for path, status := range map[string]int{"?status=DONE": 400, "?limit=0": 400, "?limit=101": 400, "?offset=-1": 400, "?limit=x": 400, "?more=1": 400, "?limit=100&offset=5": 200, "/..%2f..%2fcatalog.db": 404} {
		if r := l.get("/api/documents" + path); r.status != status || status >= 400 && r.json(t)["error"] == nil {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
}

func TestCallback(t *testing.T) {
	t.Parallel()
	l := openLibrary(t)
	id, _ := l.upload([]string{"file", "whales.md", whales}).json(t)["id"].(string)
	secret := []string{"Authorization", "Bearer the callback's secret"}
	good := fmt.Sprintf(`{"documentId": %q, "success": true, "result": {"markdown": %q, "pageCount": 1, "ocrApplied": false, "processingTimeMs": 12.5}}`, id, strings.ReplaceAll(whales, "blue", "bowhead"))
	for _, auth := range [][]string{nil, {"Authorization", "Bearer wrong"}, {"Authorization", "the callback's secret"}} {
		if r := l.post("/internal/callback", good, auth...); r.status != 401 || r.json(t)["error"] != "UNAUTHORIZED" {
			t.Errorf("%q: %d %s", auth, r.status, r.body)
		}
	}
	for _, bad := range []string{`{}`, `{"documentId": "x", "success": true}`, fmt.Sprintf(`{"documentId": %q, "success": true}`, id), fmt.Sprintf(`{"documentId": %q, "success": false}`, id),
		strings.Replace(good, `"pageCount": 1`, `"pageCount": 0`, 1), strings.Replace(good, `12.5`, `0`, 1), strings.Replace(good, `"pageCount": 1`, `"pageCount": 1.5`, 1),
		fmt.Sprintf(`{"documentId": %q, "success": false, "error": {"code": "BAD_LUCK", "message": "x"}}`, id)} {
		if r := l.post("/internal/callback", bad, secret...); r.status != 400 || r.json(t)["error"] != "INVALID_REQUEST" {
			t.Errorf("%s: %d %s", bad, r.status, r.body)
		}
	}
	if r := l.post("/internal/callback", strings.Replace(good, id, "00000000-0000-4000-8000-000000000000", 1), secret...); r.status != 404 {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := l.post("/internal/callback", good, secret...); r.status != 200 || r.json(t)["status"] != "COMPLETED" {
		t.Fatalf("%d %s", r.status, r.body)
	}
	if r := l.post("/api/query", `{"query": "bowhead whale"}`); !strings.Contains(r.body, "bowhead") {
		t.Errorf("%s", r.body)
	}
}
