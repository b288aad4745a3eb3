package packages

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/unpack"
)

// fetchGo fetches a module by go mod download, which leaves it in the module cache.
func (r *request) fetchGo(ctx context.Context) (source.Fetched, error) {
	version := r.want.Version
	switch {
	case version == "":
		version = "latest"
	case version[0] >= '0' && version[0] <= '9':
		version = "v" + version
	}
	printed, err := r.run(ctx, "go", []string{"GOWORK=off", "GOFLAGS=-mod=mod", "GO111MODULE=on"},
		"mod", "download", "-json", "--", r.name+"@"+version)
	var module struct {
		Version, Zip, Info, Sum, Error string
	}
	if decoded := json.NewDecoder(bytes.NewReader(printed)).Decode(&module); decoded != nil && err == nil {
		return source.Fetched{}, r.failure("go does not say what it downloaded", "update go", decoded)
	}
	switch {
	case module.Error != "":
		return source.Fetched{}, r.failure("go says: "+reasonOf(module.Error, ""),
			"look at the path and the version, and at Go's proxy", err)
	case err != nil:
		return source.Fetched{}, err
	}
	result, err := unpack.File(ctx, module.Zip, r.into, r.goOptions(module.Version))
	if err := r.unpacked(result, err); err != nil {
		return source.Fetched{}, err
	}
	origin := goOrigin(module.Info)
	out := source.Fetched{Domain: "code", Better: betterSources(origin.URL, goRepository(r.name))}
	out.Name = goName(r.name)
	out.Version, out.Release, out.ETag = module.Version, strings.TrimPrefix(module.Version, "v"), module.Sum
	out.Ref, out.Commit = oneLine(strings.TrimPrefix(origin.Ref, "refs/tags/")), oneLine(origin.Hash)
	return out, nil
}

// originOfGo is what a proxy says of a version's repository.
type originOfGo struct{ VCS, URL, Ref, Hash string }

// goOrigin reads the proxy's description of a version from its file. Not every proxy names
// the repository.
func goOrigin(file string) originOfGo {
	var info struct{ Origin originOfGo }
	raw, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(raw, &info) != nil {
		return originOfGo{}
	}
	return info.Origin
}

// goOptions unpack a module's zip file, whose names begin with the path and the version.
func (r *request) goOptions(version string) unpack.Options {
	prefix := r.name + "@" + version + "/"
	o := r.options(0, func(name string) bool { return isGoDoc(name) || isPage(name) && !strings.HasSuffix(name, ".go") })
	o.Name = func(name string) string {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			return ""
		}
		return rest
	}
	return o
}

// goName is what a module is called: the last part of its path that is no version.
func goName(module string) string {
	base := path.Base(module)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" && strings.Contains(module, "/") {
		base = path.Base(path.Dir(module))
	}
	return setName(base)
}

// goRepository is the repository of a module whose path is one's address, or the module's
// folder there; "": the path is none.
func goRepository(module string) string {
	repository, folder, ok := source.GoRepository(module)
	if !ok {
		return ""
	}
	return folderAt(repository, folder)
}

// onlyFile is the one file of a folder with an ending.
func onlyFile(dir, ending string) (string, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*"+ending))
	if err != nil {
		return "", err
	}
	if len(names) != 1 {
		return "", errNotOne
	}
	return names[0], nil
}
