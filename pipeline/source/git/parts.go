package git

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/docfolder"
)

// partOfFiles is how many files are fetched at once: those parts that came stay for the next try
// of a fetch that is interrupted.
const partOfFiles = 1000

// resumeFetch makes the repository that an interrupted fetch left ready for the next try: without files,
// and without what a killed git leaves. ok is false for a folder without a repository of this
// address.
func (r *repository) resumeFetch(ctx context.Context) (ok bool) {
	own := filepath.Join(r.dir, ".git")
	if st, err := os.Lstat(own); err != nil || !st.IsDir() {
		return false
	}
	address, err := r.output(ctx, "config", "--file", filepath.Join(own, "config"), "remote.origin.url")
	if err != nil || address != r.want.Address {
		return false
	}
	left := []string{filepath.Join(own, "index"), filepath.Join(own, "FETCH_HEAD"), filepath.Join(own, "info", "sparse-checkout")}
	for _, pattern := range []string{"*.lock", "info/*.lock", "objects/pack/tmp_*"} {
		names, err := filepath.Glob(filepath.Join(own, pattern))
		if err != nil {
			return false
		}
		left = append(left, names...)
	}
	for _, name := range left {
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return false
		}
	}
	// The files of a commit that is checked out already would count as removed.
	if err := os.WriteFile(filepath.Join(own, "HEAD"), []byte("ref: refs/heads/main\n"), 0o600); err != nil {
		return false
	}
	dir, err := r.output(ctx, "rev-parse", "--git-dir")
	return err == nil && dir == ".git"
}

// mayBeDamage reports whether an error may come from damage of what an interrupted fetch left:
// git says so in many ways, but not with the words for the network and the disk.
func mayBeDamage(err error) bool {
	e, ok := errors.AsType[*source.Error](err)
	return ok && !strings.HasPrefix(e.Reason, unreachable) && !strings.HasPrefix(e.Reason, diskFull)
}

// fetchFiles brings the files of a folder that are not there yet, in parts. Where they are few,
// or the server sends no single files, it leaves that to the checkout.
func (r *repository) fetchFiles(ctx context.Context, files []file, folder string) error {
	text, err := r.output(ctx, "rev-list", "--objects", "--missing=print", "--no-object-names", "--max-count=1", "FETCH_HEAD")
	if err != nil {
		return ctx.Err()
	}
	missing := map[string]bool{}
	for line := range strings.Lines(text) {
		if object, ok := strings.CutPrefix(strings.TrimSpace(line), "?"); ok {
			missing[object] = true
		}
	}
	var objects []string
	for _, f := range files {
		if missing[f.object] && r.wants(f, folder) {
			objects = append(objects, f.object)
			delete(missing, f.object)
		}
	}
	if len(objects) <= r.part {
		return nil
	}
	done := 0
	for part := range slices.Chunk(objects, r.part) {
		r.say(source.Progress{Text: "fetching files", Done: done, Total: len(objects)})
		_, err := r.run(ctx, []string{"-c", "fetch.negotiationAlgorithm=noop", "fetch", "-q", "--no-tags", "--no-write-fetch-head",
			"--recurse-submodules=no", "--filter=blob:none", "--stdin", "origin"}, strings.NewReader(strings.Join(part, "\n")+"\n"), nil)
		if e, ok := errors.AsType[*source.Error](err); ok && strings.HasPrefix(e.Reason, gitFailed) {
			return nil
		}
		if err != nil {
			return err
		}
		done += len(part)
	}
	return nil
}

// wants reports whether a file is checked out, as sparsePatterns says it in git's way.
func (r *repository) wants(f file, folder string) bool {
	if !strings.HasPrefix(f.mode, "100") || !inFolder(f.path, folder) || docfolder.IsMedia(f.path) ||
		folder == "" && !slices.Contains(docfolder.Written(), path.Ext(f.path)) {
		return false
	}
	for p := strings.TrimPrefix(strings.TrimPrefix(f.path, folder), "/"); p != "."; p = path.Dir(p) {
		if slices.ContainsFunc(r.want.LeaveOut, func(pattern string) bool { ok, err := path.Match(pattern, p); return ok && err == nil }) {
			return false
		}
	}
	return true
}
