package packages

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/unpack"
)

// fetchNpm fetches a package by npm pack, which downloads it and installs nothing.
func (r *request) fetchNpm(ctx context.Context) (source.Fetched, error) {
	version := r.want.Version
	if version == "" {
		version = "latest"
	}
	printed, err := r.run(ctx, "npm", []string{"npm_config_json=true"}, "pack", "--ignore-scripts", "--no-audit", "--no-fund",
		"--no-update-notifier",
		"--pack-destination", r.work, "--", r.name+"@"+version)
	if err != nil {
		return source.Fetched{}, err
	}
	packed, err := npmPacked(printed)
	if err != nil {
		return source.Fetched{}, r.failure("npm does not say what it packed", "update npm", err)
	}
	archive := filepath.Join(r.work, packed.Filename)
	if strings.ContainsAny(packed.Filename, `/\`) || !filepath.IsLocal(packed.Filename) { // npm before 9 prints the scope of a name too
		archive, err = onlyFile(r.work, ".tgz")
		if err != nil {
			return source.Fetched{}, r.failure("npm wrote no archive", "update npm", err)
		}
	}
	meta, err := r.npmMetadata(ctx, archive)
	if err != nil {
		return source.Fetched{}, err
	}
	result, err := unpack.File(ctx, archive, r.into, r.options(1, func(name string) bool { return isPage(name) || isTypeDoc(name) }))
	if err := r.unpacked(result, err); err != nil {
		return source.Fetched{}, err
	}
	out := source.Fetched{Better: betterSources(meta.Homepage, meta.repository())}
	out.Version, out.Licence, out.ETag = packed.Version, meta.licence(), packed.Integrity
	if hasFile(r.into, ".ts") {
		out.Domain = "code"
	}
	return out, nil
}

// packedByNpm is what npm pack prints of one package.
type packedByNpm struct{ Version, Filename, Integrity string }

// npmPacked reads what npm pack prints: a list, or since npm 12 an object by name.
func npmPacked(printed []byte) (packedByNpm, error) {
	var list []packedByNpm
	err := json.Unmarshal(printed, &list)
	if err != nil {
		var object map[string]packedByNpm
		if err := json.Unmarshal(printed, &object); err != nil {
			return packedByNpm{}, err
		}
		for _, p := range object {
			list = append(list, p)
		}
	}
	if len(list) != 1 {
		return packedByNpm{}, os.ErrNotExist
	}
	return list[0], nil
}

// packageJSON is what package.json says of a package. Fields have several forms.
type packageJSON struct {
	Homepage   string          `json:"homepage"`
	Repository json.RawMessage `json:"repository"`
	Licence    json.RawMessage `json:"license"`
}

// repository is the address of the package's repository, and of its folder there.
func (m packageJSON) repository() string {
	text, object := "", struct{ URL, Directory string }{}
	if json.Unmarshal(m.Repository, &text) != nil {
		if json.Unmarshal(m.Repository, &object) != nil {
			return ""
		}
		return folderAt(longForm(object.URL), object.Directory)
	}
	return longForm(text)
}

// longForm is an address for a repository as npm abbreviates it.
func longForm(text string) string {
	for prefix, host := range map[string]string{"github:": "https://github.com/", "gitlab:": "https://gitlab.com/",
		"bitbucket:": "https://bitbucket.org/"} {
		if rest, ok := strings.CutPrefix(text, prefix); ok {
			return host + rest
		}
	}
	if strings.Count(text, "/") == 1 && !strings.Contains(text, ":") {
		return "https://github.com/" + text // npm's short form
	}
	return text
}

func (m packageJSON) licence() string {
	text, object := "", struct{ Type string }{}
	if json.Unmarshal(m.Licence, &text) != nil && json.Unmarshal(m.Licence, &object) == nil {
		text = object.Type
	}
	return oneLine(text)
}

// npmMetadata reads package.json of an archive.
func (r *request) npmMetadata(ctx context.Context, archive string) (m packageJSON, err error) {
	dir := filepath.Join(r.work, "metadata")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return m, err
	}
	const most = 1 << 20
	options := unpack.Options{Limits: unpack.Limits{File: most}, Strip: 1, Keep: func(name string) bool { return name == "package.json" }}
	if _, err := unpack.File(ctx, archive, dir, options); err != nil {
		return m, r.unpacked(unpack.Result{}, err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return m, nil // the package has documentation all the same
	}
	_ = json.Unmarshal(raw, &m) // a field of another form is left empty
	return m, nil
}
