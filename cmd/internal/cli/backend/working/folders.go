package working

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/backend/opening"
	"docent/pipeline/ingest"
	"docent/pipeline/service/sourcing"
	"docent/tui"
)

// folderPath is the folder that was typed: in the app no shell expands a ~.
func folderPath(typed string) string {
	typed = strings.TrimSpace(typed)
	if typed == "~" || strings.HasPrefix(typed, "~/") {
		if home, err := os.UserHomeDir(); err == nil {
			return home + typed[1:]
		}
	}
	return typed
}

// mostFolders is how many folders are offered while one is typed.
const mostFolders = 200

// Folders are the folders whose paths begin with the typed text, hidden ones only after a
// typed dot.
func (b Work) Folders(ctx context.Context, typed string) ([]string, error) {
	typed = strings.TrimLeft(typed, " ")
	if typed == "~" {
		return []string{"~/"}, nil
	}
	shown, begin := "", typed
	if i := strings.LastIndexByte(typed, '/'); i >= 0 {
		shown, begin = typed[:i+1], typed[i+1:]
	}
	dir := folderPath(shown)
	if dir == "" {
		dir = "."
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	match := func(same func(name string) bool) []string {
		var out []string
		for _, e := range entries {
			name := e.Name()
			if len(out) == mostFolders || ctx.Err() != nil {
				break
			}
			if strings.HasPrefix(name, ".") && !strings.HasPrefix(begin, ".") || !same(name) {
				continue
			}
			if e.IsDir() {
				out = append(out, shown+name+"/")
			} else if e.Type()&fs.ModeSymlink != 0 {
				if st, err := os.Stat(filepath.Join(dir, name)); err == nil && st.IsDir() {
					out = append(out, shown+name+"/")
				}
			}
		}
		return out
	}
	out := match(func(name string) bool { return strings.HasPrefix(name, begin) })
	if len(out) == 0 {
		out = match(func(name string) bool {
			return strings.HasPrefix(strings.ToLower(name), strings.ToLower(begin))
		})
	}
	return out, ctx.Err()
}

// isSource reports whether a typed text is a source to fetch; a folder of that name goes
// before.
func isSource(typed string) bool { return sourcing.IsSource(folderPath(typed)) }

// Propose says what a folder would be added as.
func (b Work) Propose(ctx context.Context, path string) ([]tui.Proposed, error) {
	a := b.home.Current()
	if a == nil {
		return nil, opening.ErrUnopened
	}
	if text := strings.TrimSpace(path); isSource(text) {
		return []tui.Proposed{{Source: text}}, appError(a.Sourcing.Check(text))
	}
	found, err := a.Library.Propose(ctx, folderPath(path))
	if err != nil {
		return nil, appError(err)
	}
	out := make([]tui.Proposed, len(found))
	for i, f := range found {
		ref := f.Ref
		if likely, ok := f.VersionInName(); ok && len(f.KnownAs) == 0 {
			ref = likely // in a form, in which a person sees it before anything is added
		}
		out[i] = tui.Proposed{Name: ref.Name, Version: ref.Version, Pages: f.Pages}
		for _, known := range f.KnownAs {
			switch {
			case known == f.Ref:
				out[i].Known = "it is there already: adding it again brings it up to date"
			case out[i].Known == "":
				out[i].Known = "the folder is there already as " + known.String()
			}
		}
	}
	return out, nil
}

// likelyTime is how long folders of documentation are looked for, and
// mostLikely how many pages of one are counted: the screen waits for neither.
const (
	likelyTime = 1500 * time.Millisecond
	mostLikely = 20_000
)

// Likely are folders that look like documentation, seen from where the app was
// started.
func (b Work) Likely(ctx context.Context) ([]tui.LikelyFolder, error) {
	ctx, cancel := context.WithTimeout(ctx, likelyTime)
	defer cancel()
	parsers, err := app.Parsers()
	if err != nil {
		return nil, err
	}
	var out []tui.LikelyFolder
	for _, dir := range []string{"docs", "doc", "documentation", "."} {
		st, err := os.Lstat(dir)
		if err != nil || !st.IsDir() {
			continue
		}
		n, whole := ingest.CountPages(ctx, dir, mostLikely, parsers)
		if n == 0 {
			continue
		}
		shown := "./" + dir
		if dir == "." {
			shown = "."
			// The folder that one is in, by its name: "." says too little.
			if abs, err := filepath.Abs(dir); err == nil {
				shown = abs
			}
		}
		out = append(out, tui.LikelyFolder{Path: shown, Pages: n, More: !whole})
	}
	return out, nil
}
