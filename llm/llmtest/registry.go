package llmtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Registry starts a model registry with one model and returns the name under which
// a server can pull it. It listens on the loopback address and ends with the test.
func Registry(t testing.TB, gguf []byte) string {
	t.Helper()
	digest := func(b []byte) string {
		sum := sha256.Sum256(b)
		return "sha256:" + hex.EncodeToString(sum[:])
	}
	config := []byte(`{"model_format":"gguf","model_family":"llama","model_families":["llama"],"model_type":"1M","file_type":"F32","architecture":"amd64","os":"linux","rootfs":{"type":"layers","diff_ids":[]}}`)
	type layer struct {
		MediaType string `json:"mediaType"`
		Digest    string `json:"digest"`
		Size      int    `json:"size"`
	}
	manifest, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": "application/vnd.docker.distribution.manifest.v2+json",
		"config": layer{"application/vnd.docker.container.image.v1+json", digest(config), len(config)},
		"layers": []layer{{"application/vnd.ollama.image.model", digest(gguf), len(gguf)}}})
	if err != nil {
		t.Fatal(err)
	}
	blobs := map[string][]byte{digest(config): config, digest(gguf): gguf}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		name := path[strings.LastIndexByte(path, '/')+1:]
		switch blob := blobs[name]; {
		case strings.Contains(path, "/manifests/"):
			_, _ = w.Write(manifest)
		case blob == nil:
			http.NotFound(w, r)
		case strings.HasPrefix(path, "/data/") || r.Method == http.MethodHead:
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(blob))
		default:
			// The real registry redirects to its storage. Ollama requires that the
			// redirect has another host name.
			_, port, _ := strings.Cut(r.Host, ":")
			http.Redirect(w, r, fmt.Sprintf("http://localhost:%s/data/%s", port, name), http.StatusTemporaryRedirect)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/library/pulled"
}
