// Package dashboard is the page that a browser shows at the server's address: asking
// with the phases laid open, documents that are handed in, doc sets and their pages.
//
// It is files alone, of HTML, CSS and JavaScript as they were written: nothing builds
// them, and nothing is loaded from elsewhere. The package refuses to know the home: the
// page asks the operations of the HTTP API with the user's login token, so that without a
// login the page is empty. The security policy lets no script and no style run that is
// not one of these files, whatever a document holds.
package dashboard

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed assets
var files embed.FS

// Policy is the page's content security policy. HTML comes into the page through one
// function alone, the trusted type docent, with what the server sanitised.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; " +
	"form-action 'none'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types docent"

// file is one of the files, as it is sent.
type file struct {
	kind, etag, keep string
	body             []byte
}

// Handler serves the page at / and its files below /assets/.
func Handler() (http.Handler, error) {
	all := map[string]file{}
	err := fs.WalkDir(files, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(body)
		keep := "no-cache" // kept, and asked for again with its tag
		if path.Ext(name) == ".svg" {
			keep = "max-age=86400" // browsers ask for the icon at every step
		}
		all["/"+name] = file{contentTypeOf(name), `"` + hex.EncodeToString(sum[:8]) + `"`, keep, body}
		return nil
	})
	if err != nil {
		return nil, err
	}
	all["/"] = all["/assets/index.html"]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := all[r.URL.Path]
		h := w.Header()
		h.Set("Content-Security-Policy", Policy)
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		if !ok {
			http.Error(w, "there is no such file", http.StatusNotFound)
			return
		}
		h.Set("Cache-Control", f.keep)
		h.Set("ETag", f.etag)
		h.Set("Content-Type", f.kind)
		if strings.Contains(r.Header.Get("If-None-Match"), f.etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write(f.body) // a client that went needs no answer
	}), nil
}

// contentTypeOf is a file's type, by its ending, independent of what the system thinks of it.
func contentTypeOf(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "application/octet-stream"
}
