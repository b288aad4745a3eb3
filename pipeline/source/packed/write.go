package packed

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// Content is a doc set that is to be packed.
type Content struct {
	Set
	// Pages and Index are files by their names below the doc set's folders, with slashes.
	Pages, Index map[string]File
}

// File is a file to be packed: one on the disk, or bytes.
type File struct {
	Path string // on this machine; "": Data is it
	Data []byte
}

func (f File) open() (io.ReadCloser, error) {
	if f.Path == "" {
		return io.NopCloser(bytes.NewReader(f.Data)), nil
	}
	return os.Open(f.Path)
}

// member is a file with its name in the package.
type member struct {
	Member
	file File
}

// Write writes a package. The same content gives the same bytes.
func Write(ctx context.Context, w io.Writer, sets []Content) (Manifest, error) {
	m := Manifest{Format: format, Sets: []Set{}, Members: []Member{}}
	sets = slices.SortedFunc(slices.Values(sets), func(a, b Content) int {
		return strings.Compare(a.Ref().String(), b.Ref().String())
	})
	var members []member
	for _, s := range sets {
		s.Files, s.Bytes = len(s.Pages), 0
		for _, part := range []struct {
			folder string
			files  map[string]File
		}{{pagesFolder, s.Pages}, {indexFolder, s.Index}} {
			some, bytes, err := describeFiles(ctx, s.folder(part.folder), part.files)
			if err != nil {
				return m, err
			}
			if part.folder == pagesFolder {
				s.Bytes = bytes
			}
			members = append(members, some...)
		}
		m.Sets = append(m.Sets, s.Set)
	}
	for _, f := range members {
		m.Members = append(m.Members, f.Member)
	}
	if err := m.check(); err != nil {
		return m, fmt.Errorf("it could not be unpacked again: %w", err)
	}
	raw, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return m, err
	}
	if len(raw) > mostManifest {
		return m, fmt.Errorf("its list of files has more than %d MB", mostManifest>>20)
	}
	return m, writeArchive(ctx, w, raw, members)
}

// describeFiles gives files their names, sizes and checksums, by name.
func describeFiles(ctx context.Context, folder string, files map[string]File) (out []member, total int64, err error) {
	for name, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		r, err := f.open()
		if err != nil {
			return nil, 0, err
		}
		sum := sha256.New()
		n, err := io.Copy(sum, r)
		if cerr := r.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return nil, 0, err
		}
		total += n
		out = append(out, member{Member{Name: folder + name, Size: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, f})
	}
	slices.SortFunc(out, func(a, b member) int { return strings.Compare(a.Name, b.Name) })
	return out, total, nil
}

// writeArchive writes the manifest and the files.
func writeArchive(ctx context.Context, w io.Writer, manifest []byte, members []member) error {
	// One goroutine: what several write depends on when they are at work.
	z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	first := member{Member{Name: manifestName, Size: int64(len(manifest))}, File{Data: manifest}}
	for _, f := range append([]member{first}, members...) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := writeMember(t, f); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

func writeMember(t *tar.Writer, f member) error {
	err := t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: f.Name, Size: f.Size, Mode: 0o644, ModTime: time.Unix(0, 0)})
	if err != nil {
		return err
	}
	r, err := f.file.open()
	if err != nil {
		return err
	}
	defer r.Close()
	sum := sha256.New()
	if _, err = io.Copy(io.MultiWriter(t, sum), r); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); f.SHA256 != "" && got != f.SHA256 {
		return fmt.Errorf("it changed while it was packed")
	}
	return nil
}
