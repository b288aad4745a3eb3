package uploads

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docent/store"
	"docent/store/durable"
)

// extracted is the end of the name of a page whose text was extracted elsewhere.
const extracted = ".extracted.md"

// ErrChanged means that the home's copy of a file has another content than was handed in.
var ErrChanged = errors.New("the home's copy has another content than the file that was handed in")

// Strays finds the folders of files that are not among known, by their names. A file without
// a record is still what somebody handed in: the home's copy is perhaps the only one.
func (f *Folder) Strays(known map[string]bool) ([]string, error) {
	var out []string
	var failed error
	for _, dir := range []string{f.Pages(), f.waiting(), f.originals()} {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
		for _, e := range entries {
			if n := len(e.Name()); e.IsDir() && !known[e.Name()] && n >= hashInFolder && n <= hashInFolders &&
				strings.Trim(e.Name(), "0123456789abcdef") == "" && !slices.Contains(out, e.Name()) {
				out = append(out, e.Name())
			}
		}
	}
	slices.Sort(out)
	return out, failed
}

// Recover makes an upload of the file in a folder without a record: its name is there, and
// its folder is the beginning of its content's MD5. false: no whole file is there.
func (f *Folder) Recover(folder string) (store.Upload, bool, error) {
	for _, dir := range []string{f.originals(), f.Pages(), f.waiting()} {
		entries, err := os.ReadDir(filepath.Join(dir, folder))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return store.Upload{}, false, err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
				continue
			}
			u, whole, err := recoverFile(filepath.Join(dir, folder, e.Name()), folder)
			if err != nil {
				return store.Upload{}, false, err
			}
			if dir == f.originals() {
				u.Path += extracted
				_, page, ferr := f.FindFile(u.Path)
				whole = whole && page && ferr == nil
			}
			if whole {
				return u, true, nil
			}
		}
	}
	return store.Upload{}, false, nil
}

// recoverFile makes an upload of a file, if its content is the one that its folder says.
func recoverFile(file, folder string) (u store.Upload, whole bool, err error) {
	in, err := os.Open(file)
	if err != nil {
		return u, false, err
	}
	defer in.Close()
	sum, seen := md5.New(), &textSeen{}
	if u.Bytes, err = io.Copy(io.MultiWriter(sum, seen), in); err != nil {
		return u, false, err
	}
	u.MD5 = hex.EncodeToString(sum.Sum(nil))
	if !strings.HasPrefix(u.MD5, folder) {
		return u, false, nil
	}
	u.Filename = cleanName(filepath.Base(file))
	if u.Format, err = detect(u.Filename, "", seen.head, seen.isText()); err != nil {
		return u, false, nil // nothing that can have been handed in
	}
	st, err := in.Stat()
	if err != nil {
		return u, false, err
	}
	u.MimeType, u.Lane, u.Path = MimeType(u.Format), LaneOf(u.Format), folder+"/"+filepath.Base(file)
	u.Status, u.OCRMode, u.OCRLanguages = store.UploadPending, DefaultOCR, OCRLanguages()
	u.Created = st.ModTime().UTC()
	u.Updated = u.Created
	return u, true, nil
}

// mostAside bounds the tries for a free name among the folders that were put aside.
const mostAside = 1000

// PutFolderAside moves the files of a folder out of the way, into the folder aside, and
// reports whether a page was among them.
func (f *Folder) PutFolderAside(folder string) (to string, page bool, err error) {
	aside := filepath.Join(f.dir, "aside")
	if err := os.MkdirAll(aside, 0o700); err != nil {
		return "", false, err
	}
	for n := range mostAside {
		to = filepath.Join(aside, fmt.Sprintf("%s-%s", time.Now().UTC().Format("20060102"), folder))
		if n > 0 {
			to += fmt.Sprintf("-%d", n+1)
		}
		if _, err = os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return "", false, err
	}
	for name, dir := range map[string]string{"pages": f.Pages(), "waiting": f.waiting(), "originals": f.originals()} {
		rerr := os.Rename(filepath.Join(dir, folder), filepath.Join(to, name))
		if errors.Is(rerr, fs.ErrNotExist) {
			continue
		}
		page = page || dir == f.Pages()
		err = errors.Join(rerr, err)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // of the look for a free name
	}
	return to, page, errors.Join(err, durable.SyncDir(aside))
}

// CheckCopy compares the home's copy of a file with the MD5 of the uploaded file. The
// error is ErrChanged, ErrGone or that of reading it.
func (f *Folder) CheckCopy(u store.Upload) error {
	file, _, err := f.FindFile(u.Path)
	if original, ok := strings.CutSuffix(u.Path, extracted); ok && checkPath(original) == nil {
		kept := filepath.Join(f.originals(), filepath.FromSlash(original))
		if _, serr := os.Lstat(kept); serr == nil {
			file, err = kept, nil
		}
	}
	if err != nil {
		return err
	}
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	sum := md5.New()
	if _, err := io.Copy(sum, in); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != u.MD5 {
		return ErrChanged
	}
	return nil
}
