package watch

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
)

// listUnwatched lists the unwatched folders, and checks whether the watched ones are still the
// same: a folder that is replaced together with its parent sends no event.
func (w *watcher) listUnwatched() {
	if w.looking {
		return
	}
	type now struct {
		r      *root
		self   os.FileInfo
		refuse bool
	}
	var all []now
	for _, r := range w.roots {
		all = append(all, now{r, r.self, r.refuse || w.notify == nil})
	}
	w.looking = true
	go func() {
		l := look{stamps: map[*root]string{}}
		for _, n := range all {
			switch st, err := os.Stat(n.r.path); {
			case n.self != nil && (err != nil || !os.SameFile(n.self, st)):
				l.moved = append(l.moved, n.r)
			case n.self != nil:
			case err == nil && !n.refuse:
				l.again = append(l.again, n.r)
			default:
				l.stamps[n.r] = w.folderStamp(w.ctx, n.r.path)
			}
		}
		w.looked <- l
	}()
}

// takeListing takes what a listing found.
func (w *watcher) takeListing(l look) {
	w.looking = false
	for _, r := range l.moved {
		w.leaveToListing(r)
		w.watchFolder(r)
		w.markRoot(r.path)
	}
	for _, r := range l.again {
		w.watchFolder(r)
		w.markRoot(r.path)
	}
	for _, r := range w.roots {
		if stamp, ok := l.stamps[r]; ok && stamp != r.stamp {
			r.stamp = stamp
			w.markRoot(r.path)
		}
	}
}

// folderStamp is a hash of the names, sizes and times of all files below a folder. Folders
// that cannot be read count as empty.
func (w *watcher) folderStamp(ctx context.Context, dir string) string {
	h := sha256.New()
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil
		case d.IsDir():
			if p != dir && w.opt.LeftOut(p, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		st, err := d.Info()
		if err != nil {
			return nil
		}
		h.Write(append([]byte(p), 0))
		h.Write(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(st.Size())), uint64(st.ModTime().UnixNano())))
		return nil
	})
	return hex.EncodeToString(h.Sum(nil))
}
