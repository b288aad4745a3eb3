package packages

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"docent/pipeline/source"
)

// fetchCargo fetches a crate by cargo metadata of an empty crate that depends on it, which
// leaves its source in the registry's folder and says where.
func (r *request) fetchCargo(ctx context.Context) (source.Fetched, error) {
	version := r.want.Version
	switch {
	case version == "":
		version = "*"
	case strings.Count(version, ".") == 2:
		version = "=" + version
	}
	manifest := fmt.Sprintf("[package]\nname = \"documentation-of-a-crate\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n"+
		"[dependencies]\nwanted = { package = %q, version = %q, default-features = false }\n", r.name, version)
	if err := os.Mkdir(filepath.Join(r.work, "src"), 0o755); err != nil {
		return source.Fetched{}, err
	}
	for name, content := range map[string]string{"Cargo.toml": manifest, "src/lib.rs": ""} {
		if err := os.WriteFile(filepath.Join(r.work, filepath.FromSlash(name)), []byte(content), 0o644); err != nil {
			return source.Fetched{}, err
		}
	}
	printed, err := r.run(ctx, "cargo", []string{"CARGO_TERM_COLOR=never"}, "metadata", "--format-version", "1", "-q")
	if err != nil {
		return source.Fetched{}, err
	}
	crate, err := crateOf(printed, r.name)
	if err != nil {
		return source.Fetched{}, r.failure("cargo does not say where it put the crate", "update cargo", err)
	}
	keep := func(name string) bool { return isRustDoc(name) || isPage(name) && !strings.HasSuffix(name, ".rs") }
	if err := r.copyTree(ctx, filepath.Dir(crate.Manifest), keep); err != nil {
		return source.Fetched{}, err
	}
	out := source.Fetched{Domain: "code", Better: betterSources(crate.Documentation, crate.Repository, crate.Homepage)}
	out.Version, out.Licence = crate.Version, oneLine(crate.Licence)
	return out, nil
}

// crate is what cargo metadata prints of one package.
type crate struct {
	Name, Version, Documentation, Repository, Homepage string

	Licence  string `json:"license"`
	Manifest string `json:"manifest_path"`
}

// crateOf finds a crate in what cargo metadata prints. Of several versions, which the
// crate's own dependencies may bring, it is the one that the empty crate depends on: the
// first dependency of the root.
func crateOf(printed []byte, name string) (crate, error) {
	var all struct {
		Packages []struct {
			crate
			ID string
		}
		Resolve struct {
			Root  string
			Nodes []struct {
				ID           string
				Dependencies []string
			}
		}
	}
	if err := json.Unmarshal(printed, &all); err != nil {
		return crate{}, err
	}
	for _, node := range all.Resolve.Nodes {
		if node.ID != all.Resolve.Root {
			continue
		}
		for _, p := range all.Packages {
			if len(node.Dependencies) == 1 && p.ID == node.Dependencies[0] && p.Name == name && filepath.IsAbs(p.Manifest) {
				return p.crate, nil
			}
		}
	}
	return crate{}, fs.ErrNotExist
}
