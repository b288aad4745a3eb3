package uploads

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/files"
	"docent/store"
	"docent/store/durable"
)

// ErrGone means that an upload's file is not there.
var ErrGone = errors.New("its file is not there any more; hand it in again")

// FindFile gives an upload's file, and reports whether it is a page.
func (f *Folder) FindFile(p string) (file string, page bool, err error) {
	if err := checkPath(p); err != nil {
		return "", false, err
	}
	for _, dir := range []string{f.Pages(), f.waiting()} {
		file := filepath.Join(dir, filepath.FromSlash(p))
		st, err := os.Lstat(file)
		if err == nil && st.Mode().IsRegular() {
			return file, dir == f.Pages(), nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", false, err
		}
	}
	return "", false, ErrGone
}

// checkPath reports whether a path is one that Path gives: a folder and a name. Rows and
// records may be damaged.
func checkPath(p string) error {
	dir, name := path.Split(p)
	if dir == "" || name == "" || !fs.ValidPath(p) || strings.Count(p, "/") != 1 || strings.ContainsAny(p, `\:`) ||
		strings.HasPrefix(p, ".") {
		return fmt.Errorf("%q is no path of an upload: %w", p, ErrGone)
	}
	return nil
}

// HasWaiting reports whether files lie among those that are no pages.
func (f *Folder) HasWaiting() bool {
	entries, err := os.ReadDir(f.waiting())
	return err == nil && len(entries) > 0
}

// KeepOCR has the scanned pages of a file that is no page yet read in this way, also when
// it is one.
func (f *Folder) KeepOCR(p string, o parse.OCR) error {
	if err := checkPath(p); err != nil {
		return err
	}
	return files.KeepOCR(f.waiting(), p, o)
}

// Publish makes a file that waits a page, Withdraw a page a file that waits. Both do
// nothing where that is done.
func (f *Folder) Publish(p string) error { return f.moveFile(p, f.waiting(), f.Pages()) }

// Withdraw undoes Publish.
func (f *Folder) Withdraw(p string) error { return f.moveFile(p, f.Pages(), f.waiting()) }

func (f *Folder) moveFile(p, from, to string) error {
	if err := checkPath(p); err != nil {
		return err
	}
	folder := path.Dir(p)
	err := os.Rename(filepath.Join(from, folder), filepath.Join(to, folder))
	if errors.Is(err, fs.ErrNotExist) {
		if _, serr := os.Stat(filepath.Join(to, folder)); serr == nil {
			return nil
		}
		return ErrGone
	}
	if err != nil {
		return err
	}
	return errors.Join(durable.SyncDir(to), durable.SyncDir(from))
}

// Replace makes a page of a text that was extracted elsewhere, and gives its path: a
// Markdown file next to the original. The original moves to the originals folder last, so
// that a killed process finds it where it was. A text that was replaced already is
// replaced by the new one.
func (f *Folder) Replace(p string, markdown []byte) (page string, err error) {
	if err := checkPath(p); err != nil {
		return "", err
	}
	page = p + extracted
	kept, to := filepath.Join(f.originals(), filepath.FromSlash(p)), filepath.Join(f.Pages(), filepath.FromSlash(page))
	file, _, err := f.FindFile(p)
	if _, there := os.Lstat(kept); errors.Is(err, ErrGone) && there == nil {
		return page, durable.WriteFile(to, markdown)
	}
	if err != nil {
		return "", err
	}
	for _, dir := range []string{filepath.Dir(kept), filepath.Dir(to)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", err
		}
	}
	if err := durable.WriteFile(to, markdown); err != nil {
		return "", err
	}
	return page, errors.Join(os.Rename(file, kept), durable.SyncDir(filepath.Dir(kept)),
		files.KeepOCR(filepath.Dir(filepath.Dir(file)), p, parse.OCR{}), removeEmpty(filepath.Dir(file)))
}

// removeEmpty removes a folder that has no files.
func removeEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		return nil
	}
	return os.Remove(dir)
}

// Remove removes an upload's files. Its record is another matter: see Forget.
func (f *Folder) Remove(p string) error {
	if checkPath(p) != nil {
		return nil
	}
	var err error
	for _, dir := range []string{f.Pages(), f.waiting(), f.originals()} {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, path.Dir(p))))
	}
	return err
}

// record is a file of the folder records.
type record struct {
	Format int             `json:"format"`
	Sum    string          `json:"crc32c"` // of the upload's compact JSON
	Gone   bool            `json:"gone,omitempty"`
	Upload json.RawMessage `json:"upload"`
}

const recordFormat = 1

// ErrDamaged is wrapped by the errors of records that are not as they were written.
var ErrDamaged = errors.New("damaged")

func (f *Folder) recordPath(id string) string { return filepath.Join(f.records(), id+".json") }

// SaveRecord writes an upload's record; with gone, that it is being removed.
func (f *Folder) SaveRecord(u store.Upload, gone bool) error {
	if !ValidID(u.ID) {
		return fmt.Errorf("%q is no id of a document", u.ID)
	}
	u.Revision = 0
	raw, err := json.Marshal(u)
	if err != nil {
		return err
	}
	out, err := json.Marshal(record{Format: recordFormat, Sum: checksumOf(raw), Gone: gone, Upload: raw})
	if err != nil {
		return err
	}
	return durable.WriteFile(f.recordPath(u.ID), append(out, '\n'))
}

func checksumOf(raw []byte) string {
	return fmt.Sprintf("%08x", crc32.Checksum(raw, crc32.MakeTable(crc32.Castagnoli)))
}

// LoadRecord reads an upload's record.
func (f *Folder) LoadRecord(id string) (u store.Upload, gone bool, err error) {
	raw, err := os.ReadFile(f.recordPath(id))
	if err != nil {
		return u, false, err
	}
	var r record
	if err := json.Unmarshal(raw, &r); err != nil || r.Sum != checksumOf(r.Upload) {
		return u, false, fmt.Errorf("the record of document %s is %w", id, ErrDamaged)
	}
	if err := json.Unmarshal(r.Upload, &u); err != nil {
		return u, false, fmt.Errorf("the record of document %s is %w: %w", id, ErrDamaged, err)
	}
	if u.ID != id {
		return u, false, fmt.Errorf("the record of document %s is %w: it is that of %s", id, ErrDamaged, u.ID)
	}
	return u, r.Gone, nil
}

// Forget removes an upload's record.
func (f *Folder) Forget(id string) error {
	if err := os.Remove(f.recordPath(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return durable.SyncDir(f.records())
}

// Records lists the ids that have a record.
func (f *Folder) Records() ([]string, error) {
	entries, err := os.ReadDir(f.records())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".json"); ok && ValidID(id) {
			out = append(out, id)
		}
	}
	return out, err
}

// NewID is a random UUID, for a new document.
func NewID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// ValidID reports whether a text is a UUID in its usual form.
func ValidID(id string) bool {
	if len(id) != 36 {
		return false
	}
	for i, c := range []byte(id) {
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f'):
			return false
		}
	}
	return true
}

// SetAside keeps a damaged record under another name.
func (f *Folder) SetAside(id string) error {
	return os.Rename(f.recordPath(id), f.recordPath(id)+".damaged")
}
