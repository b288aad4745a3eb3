package git

import (
	"context"
	"strings"
)

// ListFiles lists the files of a work tree below a folder: those that git tracks, and those that
// it neither tracks nor ignores. Names have slashes and begin below the folder. The error of a
// folder that is in no work tree is one to fall back from: walk the folder.
func (f *Fetcher) ListFiles(ctx context.Context, dir string) ([]string, error) {
	program := f.Program
	if program == "" {
		program = "git"
	}
	r := repository{program: program, environ: f.Environ, dir: dir}
	out, err := r.output(ctx, "ls-files", "-z", "-co", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range strings.SplitSeq(out, "\x00") {
		if name != "" {
			names = append(names, name)
		}
	}
	return names, nil
}
