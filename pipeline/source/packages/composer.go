package packages

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"docent/pipeline/source"
)

// fetchComposer fetches a package by composer create-project, which unpacks it into a folder. Its
// dependencies are not installed, and none of its scripts and plugins run.
func (r *request) fetchComposer(ctx context.Context) (source.Fetched, error) {
	const folder = "package"
	args := []string{"create-project", "--no-install", "--no-scripts", "--no-plugins", "--no-interaction", "--ignore-platform-reqs",
		"--remove-vcs", "--prefer-dist", "--no-progress", "--", r.name, folder}
	if r.want.Version != "" {
		args = append(args, composerRange(r.want.Version))
	}
	if _, err := r.run(ctx, "composer", []string{"COMPOSER_NO_AUDIT=1"}, args...); err != nil {
		return source.Fetched{}, err
	}
	dir := filepath.Join(r.work, folder)
	if err := r.copyTree(ctx, dir, func(name string) bool { return isPage(name) || isPHPDoc(name) }); err != nil {
		return source.Fetched{}, err
	}
	out := r.composerMetadata(ctx, dir)
	if hasFile(r.into, ".php") {
		out.Domain = "code"
	}
	return out, nil
}

// composerRange is a version as composer takes it: "7" and "7.1" stand for all that begin so.
func composerRange(version string) string {
	if strings.Count(version, ".") < 2 && strings.Trim(version, "0123456789.") == "" {
		return version + ".*"
	}
	return version
}

// isPHPDoc reports whether a file of a package has comments that document public names.
func isPHPDoc(name string) bool {
	return strings.HasSuffix(name, ".php") && (strings.HasPrefix(name, "src/") || strings.HasPrefix(name, "lib/")) && isPage(name+".md")
}

// composerMetadata says what composer.json says of a package, and composer show which version it
// is: an archive need not say that.
func (r *request) composerMetadata(ctx context.Context, dir string) (out source.Fetched) {
	var m struct {
		Homepage string
		Support  struct{ Docs, Source string }
		License  json.RawMessage
		Version  string
	}
	if raw, err := os.ReadFile(filepath.Join(dir, "composer.json")); err == nil {
		_ = json.Unmarshal(raw, &m) // a field of another form is left empty
	}
	out.Version = m.Version
	args := []string{"show", "--all", "--format=json", "--no-plugins", "--no-interaction", "--", r.name}
	if r.want.Version != "" {
		args = append(args, composerRange(r.want.Version))
	}
	var shown struct {
		Versions []string
		Source   struct{ URL string }
	}
	if raw, err := r.run(ctx, "composer", nil, args...); err == nil && json.Unmarshal(raw, &shown) == nil &&
		len(shown.Versions) > 0 && out.Version == "" {
		out.Version = oneLine(strings.TrimPrefix(strings.TrimPrefix(shown.Versions[0], "* "), "v"))
	}
	var one string
	var several []string
	if json.Unmarshal(m.License, &one) != nil && json.Unmarshal(m.License, &several) == nil {
		one = strings.Join(several, " OR ")
	}
	out.Licence = oneLine(one)
	out.Better = betterSources(m.Support.Docs, m.Support.Source, shown.Source.URL, m.Homepage)
	return out
}
