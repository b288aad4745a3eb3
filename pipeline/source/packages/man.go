package packages

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/source"
)

// fetchMan copies the manual pages of this system, or those whose names match a pattern:
// man:git*. Pages of other languages and links, which are other names of a page, are left
// out.
func (r *request) fetchMan(ctx context.Context) (source.Fetched, error) {
	folders := r.Folders
	if folders == nil {
		printed, err := r.run(ctx, "man", nil, "-w")
		if err != nil {
			return source.Fetched{}, err
		}
		folders = filepath.SplitList(strings.TrimSpace(string(printed)))
	}
	if err := r.checkPattern(); err != nil {
		return source.Fetched{}, err
	}
	for _, folder := range folders {
		if err := r.copyPages(ctx, folder, func(name string) bool {
			section, base := path.Split(name)
			return strings.HasPrefix(section, "man") && strings.Count(name, "/") == 1 && r.matches(pageName(base))
		}); err != nil {
			return source.Fetched{}, err
		}
	}
	return r.ofSystem("man"), nil
}

// fetchInfo copies the info documents of this system, or those of one name.
func (r *request) fetchInfo(ctx context.Context) (source.Fetched, error) {
	folders := r.Folders
	if folders == nil {
		// The program prints where a document is; "dir" is the list of all in its folder.
		printed, err := r.run(ctx, "info", nil, "--where", "--all", "--", "dir")
		if err != nil {
			return source.Fetched{}, err
		}
		for line := range strings.Lines(string(printed)) {
			if line = strings.TrimSpace(line); filepath.IsAbs(line) {
				folders = append(folders, filepath.Dir(line))
			}
		}
		slices.Sort(folders)
		folders = slices.Compact(folders)
	}
	for _, folder := range folders {
		if err := r.copyPages(ctx, folder, func(name string) bool {
			base, _, isInfo := strings.Cut(name, ".info")
			return isInfo && !strings.Contains(name, "/") && r.matches(base)
		}); err != nil {
			return source.Fetched{}, err
		}
	}
	return r.ofSystem("info"), nil
}

// checkPattern checks the pattern of names.
func (r *request) checkPattern() error {
	if _, err := path.Match(r.name, ""); err != nil {
		return r.failure("its brackets are not closed", "write a name, or a pattern such as git*", err)
	}
	return nil
}

// matches reports whether a page is wanted. "[" alone is a program's name.
func (r *request) matches(name string) bool {
	if r.name == "" || r.name == name {
		return true
	}
	ok, err := path.Match(r.name, name)
	return err == nil && ok
}

// pageName is the name of a manual page by its file's: git-log of git-log.1.gz.
func pageName(base string) string {
	for _, packed := range []string{".gz", ".bz2", ".xz", ".zst"} {
		base = strings.TrimSuffix(base, packed)
	}
	return strings.TrimSuffix(base, path.Ext(base))
}

// copyPages copies the files of a folder of the system. A folder that is missing has none.
func (r *request) copyPages(ctx context.Context, folder string, keep func(name string) bool) error {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real // /usr/man may be a link
	}
	if st, err := os.Stat(folder); err != nil || !st.IsDir() {
		return nil
	}
	err := r.copyTree(ctx, folder, func(name string) bool {
		if !keep(name) {
			return false
		}
		_, err := os.Lstat(filepath.Join(r.into, filepath.FromSlash(name)))
		return err != nil // the first folder's page is the one that is shown
	})
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// ofSystem describes the pages of this system. It has no version: packages change it.
func (r *request) ofSystem(kind string) source.Fetched {
	var out source.Fetched
	out.Name = kind
	if plain := strings.Trim(setName(strings.NewReplacer("*", "", "?", "", "[", "", "]", "").Replace(r.name)), "-"); plain != "" {
		out.Name = kind + "-" + plain
	}
	return out
}
