package git

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/docfolder"
)

// file is one of a commit's.
type file struct {
	mode   string
	object string // the hash of its content
	path   string
}

// list gives all files of the fetched commit.
func (r *repository) list(ctx context.Context) ([]file, error) {
	text, err := r.output(ctx, "ls-tree", "-r", "-z", "--full-tree", "FETCH_HEAD")
	if err != nil {
		return nil, err
	}
	return parseTree(text), nil
}

// parseTree reads what ls-tree -r -z prints.
func parseTree(text string) []file {
	var out []file
	for entry := range strings.SplitSeq(text, "\x00") {
		about, name, ok := strings.Cut(entry, "\t")
		if fields := strings.Fields(about); ok && len(fields) == 3 { // mode, type, object
			out = append(out, file{mode: fields[0], object: fields[2], path: name})
		}
	}
	return out
}

// submodules are the repositories inside a folder, which are not fetched.
func submodules(files []file, folder string) []source.Failure {
	var out []source.Failure
	for _, f := range files {
		if f.mode == "160000" && inFolder(f.path, folder) {
			out = append(out, source.Failure{What: f.path, Reason: "a submodule: add it by its own address"})
		}
	}
	return out
}

// inFolder reports whether a path lies in a folder; "" is the whole repository.
func inFolder(name, folder string) bool { return folder == "" || strings.HasPrefix(name, folder+"/") }

// mostOthers is how many other folders are named.
const mostOthers = 4

func pathsOf(files []file) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = f.path
	}
	return out
}

// chooseFolder is the folder of the documentation: the one that is asked for, or the one that
// a site's configuration or custom names and that has most pages. "" is the whole repository.
func (r *repository) chooseFolder(files []file) (folder string, others []string, err error) {
	if folder = strings.Trim(r.want.Path, "/"); folder != "" && folder != "." {
		if !slices.ContainsFunc(files, func(f file) bool { return inFolder(f.path, folder) }) {
			found := docfolder.Likely(pathsOf(files))
			do := "name another folder"
			if len(found) > 0 {
				do = "it has " + strings.Join(found[:min(mostOthers, len(found))], ", ")
			}
			return "", nil, r.failure(fmt.Sprintf("it has no folder %s", folder), do, nil)
		}
		return folder, nil, nil
	}
	if folder == "." {
		return "", nil, nil
	}
	found := docfolder.Likely(pathsOf(files))
	if near := strings.Trim(r.want.Near, "/"); near != "" {
		found = append(likelyBelow(files, near), found...)
		if len(found) == 0 && slices.ContainsFunc(files, func(f file) bool { return inFolder(f.path, near) }) {
			return near, nil, nil
		}
	}
	if len(found) == 0 {
		return "", nil, nil
	}
	return found[0], found[1:min(len(found), 1+mostOthers)], nil
}

// likelyBelow are the likely folders below the folder of one package.
func likelyBelow(files []file, near string) []string {
	var below []string
	for _, f := range files {
		if rest, ok := strings.CutPrefix(f.path, near+"/"); ok {
			below = append(below, rest)
		}
	}
	found := docfolder.Likely(below)
	for i, dir := range found {
		found[i] = path.Join(near, dir)
	}
	return found
}

// about are the files of the folders above the documentation that say what it is.
var about = []string{"LICENSE*", "LICENCE*", "COPYING*", "docent.toml", "conf.py", "mkdocs.y*ml", "docusaurus.config.*", "book.toml",
	"antora.yml", "hugo.*", "config.toml", "config.y*ml", "config/_default/*", "astro.config.*", ".vitepress/config.*"}

// sparsePatterns say which files are checked out, in the syntax of .gitignore.
func sparsePatterns(folder string, leaveOut []string) string {
	var b strings.Builder
	if folder == "" {
		for _, e := range docfolder.Written() {
			fmt.Fprintf(&b, "*%s\n", e)
		}
		b.WriteString("README*\nCHANGELOG*\n*.[1-9]\n")
	} else {
		fmt.Fprintf(&b, "/%s/\n", escapePattern(folder))
	}
	for _, e := range docfolder.Media() {
		fmt.Fprintf(&b, "!*.%s\n", e)
	}
	for dir := folder; ; dir = path.Dir(dir) {
		if dir == "." {
			dir = ""
		}
		for _, name := range about {
			fmt.Fprintf(&b, "%s\n", path.Join("/", escapePattern(dir), name))
		}
		if dir == "" {
			break
		}
	}
	for _, p := range leaveOut {
		fmt.Fprintf(&b, "!%s\n", path.Join("/", escapePattern(folder), p))
	}
	return b.String()
}

// escapePattern has the signs of a name stand for themselves.
func escapePattern(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}
