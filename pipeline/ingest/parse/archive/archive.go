// Package archive reads the parts of documents that are ZIP archives, with limits: a few
// kilobytes may unpack to more than any memory holds.
//
// It refuses to write files and to open archives inside of archives.
package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"docent/pipeline/ingest/parse"
)

// Bounds of an archive.
const (
	mostParts = 20_000
	mostBytes = parse.MaxFile // of all parts that are read
)

// Archive is an opened archive. It is not safe for concurrent use.
type Archive struct {
	parts map[string]*zip.File
	left  int64
}

// ole is how files of Office up to 2003 begin, and newer ones with a password.
const ole = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// Open opens an archive. The error for other files is a *parse.Failed; kind is the
// expected kind of file: "a Word document".
func Open(src []byte, kind string) (*Archive, error) {
	if bytes.HasPrefix(src, []byte(ole)) {
		if bytes.Contains(src, encodeUTF16("EncryptedPackage")) {
			return nil, &parse.Failed{Code: parse.PasswordProtected, Reason: "it is protected by a password; save it without one"}
		}
		return nil, &parse.Failed{Code: parse.UnsupportedFormat,
			Reason: "it has the format of Office up to 2003; save it in the newer one (.docx, .pptx, .xlsx)"}
	}
	if !bytes.HasPrefix(src, []byte("PK")) {
		return nil, &parse.Failed{Code: parse.UnsupportedFormat,
			Reason: "it is not " + kind + ", whatever its name says; save it anew, or give it the ending of what it is"}
	}
	r, err := zip.NewReader(bytes.NewReader(src), int64(len(src)))
	if err != nil {
		return nil, &parse.Failed{Code: parse.CorruptFile, Reason: fmt.Sprintf("it is damaged (%v); save it anew", err)}
	}
	if len(r.File) > mostParts {
		return nil, &parse.Failed{Code: parse.CorruptFile, Reason: fmt.Sprintf("it has %d parts, more than %d", len(r.File), mostParts)}
	}
	a := &Archive{parts: make(map[string]*zip.File, len(r.File)), left: mostBytes}
	for _, f := range r.File {
		name := cleanName(f.Name)
		if _, ok := a.parts[name]; !ok {
			a.parts[name] = f
		}
	}
	return a, nil
}

// encodeUTF16 is ASCII in UTF-16.
func encodeUTF16(s string) []byte {
	var out []byte
	for i := range len(s) {
		out = append(out, s[i], 0)
	}
	return out
}

func cleanName(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// Read unpacks a part. The error wraps fs.ErrNotExist for a missing part; it is a
// *parse.Failed for a part that is damaged or too large.
func (a *Archive) Read(name string) ([]byte, error) {
	f, ok := a.parts[cleanName(name)]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	r, err := f.Open()
	if err != nil {
		return nil, damagedArchive(name, err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, a.left+1))
	switch {
	case int64(len(data)) > a.left:
		return nil, &parse.Failed{Code: parse.CorruptFile, Reason: fmt.Sprintf("its parts unpack to more than %d MB", mostBytes>>20)}
	case err != nil && !errors.Is(err, zip.ErrChecksum):
		return nil, damagedArchive(name, err)
	}
	a.left -= int64(len(data))
	return data, nil
}

func damagedArchive(name string, err error) error {
	return &parse.Failed{Code: parse.CorruptFile, Reason: fmt.Sprintf("its part %.100q is damaged (%v); save it anew", name, err)}
}
