// Package shelf serves a folder of packages over HTTP: a mirror for those who can reach it. It has
// the list of the packages, packages.json, the packages and their signatures, and no other file.
//
// It refuses to know who asks: its caller decides whether everybody may.
package shelf

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"docent/pipeline/source/mirror"
	"docent/pipeline/source/packed"
)

// mostReading is how many packages are fetched at once.
const mostReading = 64

// Handler serves a folder. It is safe for concurrent use.
type Handler struct {
	// Folder holds the packages.
	Folder string
	// Write is how long a client may take for a part of a package.
	Write time.Duration
	// Fault hears about a package that cannot be read, and is left out of the list. It may be nil.
	Fault func(file string, err error)

	reading atomic.Int64 // downloads of packages

	mutex sync.Mutex
	state string // of the folder when it was listed
	list  []byte
}

// ServeHTTP implements http.Handler. The last part of the path is the file's name.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.URL.Path)
	if name == mirror.ListFile {
		h.serveList(w, r)
		return
	}
	if !mirror.IsPackage(strings.TrimSuffix(name, packed.SignatureEnding)) {
		http.NotFound(w, r)
		return
	}
	root, err := os.OpenRoot(h.Folder)
	if err != nil {
		h.fail(w, "", err)
		return
	}
	defer root.Close()
	file, err := root.Open(name)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			h.fail(w, name, err)
			return
		}
		http.NotFound(w, r)
		return
	}
	defer file.Close()
	st, err := file.Stat()
	if err != nil || !st.Mode().IsRegular() {
		http.NotFound(w, r)
		return
	}
	// Slow readers must not take all of the server's connections.
	defer h.reading.Add(-1)
	if h.reading.Add(1) > mostReading {
		w.Header().Set("Retry-After", "10")
		http.Error(w, "too many packages are being fetched at once; try again", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("ETag", fmt.Sprintf(`"%x-%x"`, st.Size(), st.ModTime().UnixNano()))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(&paced{w, http.NewResponseController(w), h.Write}, r, name, st.ModTime(), file)
}

// fail says that the folder cannot be read, to the client without its name.
func (h *Handler) fail(w http.ResponseWriter, name string, err error) {
	if h.Fault != nil {
		h.Fault(name, err)
	}
	http.Error(w, "the packages cannot be read; the server's log says why", http.StatusInternalServerError)
}

// serveList serves the list, which is made again where the folder has changed.
func (h *Handler) serveList(w http.ResponseWriter, r *http.Request) {
	raw, err := h.current(r.Context())
	if err != nil {
		h.fail(w, mirror.ListFile, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(raw) // a client that left is not told
}

// current is the list of the folder as it is now.
func (h *Handler) current(ctx context.Context) ([]byte, error) {
	state, err := stateOf(h.Folder)
	if err != nil {
		return nil, err
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.list != nil && h.state == state {
		return h.list, nil
	}
	list, faults, err := mirror.Folder(ctx, h.Folder)
	if err != nil {
		return nil, err
	}
	for _, f := range faults {
		if h.Fault != nil {
			h.Fault(f.File, f.Err)
		}
	}
	raw, err := list.JSON()
	if err == nil {
		h.state, h.list = state, raw
	}
	return raw, err
}

// stateOf differs from one state of a folder's packages to the next.
func stateOf(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, e := range entries {
		if st, err := e.Info(); err == nil && mirror.IsPackage(e.Name()) {
			fmt.Fprintf(&b, "%s %d %d\n", e.Name(), st.Size(), st.ModTime().UnixNano())
		}
	}
	return b.String(), nil
}

// paced gives a client the same time for each part.
type paced struct {
	http.ResponseWriter
	control *http.ResponseController
	each    time.Duration
}

func (p *paced) Write(b []byte) (int, error) {
	// A writer that knows no deadlines is a test's.
	_ = p.control.SetWriteDeadline(time.Now().Add(p.each))
	return p.ResponseWriter.Write(b)
}
