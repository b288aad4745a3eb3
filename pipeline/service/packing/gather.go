package packing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/source/packed"
	"docent/pipeline/text/plural"
	"docent/store"
)

// gathered are the files of a doc set, copied.
type gathered struct {
	root  string // where its pages begin, below the files
	files map[string]packed.File
}

// gather copies the pages of a doc set, and the files that they take text from, into a folder.
// Other files of its folder are left alone: it may be a person's own. Every file must be as it
// was indexed.
func (svc *Service) gather(ctx context.Context, s store.Set, into string) (gathered, error) {
	known, err := svc.home.Corpus.Catalog.Files(ctx, s.ID)
	if err != nil {
		return gathered{}, err
	}
	if err := svc.home.Shared.Fill(ctx, s); err != nil {
		return gathered{}, err
	}
	if len(known) == 0 {
		return gathered{}, contract.Invalid("doc_sets", "%s has no page; there is nothing to pack", s.Ref)
	}
	sums := map[string]string{} // by path in the doc set; "": not known
	for _, f := range known {
		if f.TOCPath != "" {
			sums[f.TOCPath] = ""
		}
		for _, u := range f.Uses {
			if u.SHA256 != "" && len(u.Endings) == 0 {
				sums[u.Path] = u.SHA256
			}
		}
	}
	for _, f := range known {
		sums[f.Path] = f.SHA256
	}
	if st, err := os.Lstat(filepath.Join(s.Root, domain.FileName)); err == nil && st.Mode().IsRegular() {
		sums[domain.FileName] = ""
	}
	base, inside := above(s.Root, sums)
	g := gathered{root: path.Join(".", inside), files: make(map[string]packed.File, len(sums))}
	changed, example := 0, ""
	for name, want := range sums {
		if err := ctx.Err(); err != nil {
			return g, err
		}
		place := path.Join(inside, name)
		raw, err := files.ReadInside(base, place)
		sum := sha256.Sum256(raw)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return g, fmt.Errorf("pack %s: %s: %w", s.Ref, name, err)
		}
		if err != nil || want != "" && hex.EncodeToString(sum[:]) != want {
			if changed++; example == "" || name < example {
				example = name
			}
			continue
		}
		file := filepath.Join(into, filepath.FromSlash(place))
		if err := writeCopy(file, raw); err != nil {
			return g, err
		}
		g.files[place] = packed.File{Path: file}
	}
	if changed > 0 {
		return g, contract.Invalid("doc_sets", "%s of %s changed or went since it was indexed (%s)",
			plural.Count(changed, "file", "files"), s.Ref, example).WithRemedy(contract.RunDocent("update", s.Ref.String()))
	}
	return g, writeCopy(filepath.Join(into, files.Boundary), nil) // not packed: each home writes its own
}

// above is the folder that all files of a doc set lie in, some of them outside of its root, and the
// root in it, with slashes.
func above(root string, names map[string]string) (base, inside string) {
	most := 0
	for name := range names {
		n := 0
		for rest, ok := strings.CutPrefix(name, "../"); ok; rest, ok = strings.CutPrefix(rest, "../") {
			n++
		}
		most = max(most, n)
	}
	for range most {
		root, inside = filepath.Dir(root), path.Join(filepath.Base(root), inside)
	}
	return root, inside
}

func writeCopy(file string, raw []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, raw, 0o600)
}
