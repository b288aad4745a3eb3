package packages

import (
	"bufio"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/unpack"
)

// fetchGem fetches a gem by gem fetch, which downloads it and installs nothing. A gem is a tar
// archive with its files and its metadata, packed each for itself.
func (r *request) fetchGem(ctx context.Context) (source.Fetched, error) {
	args := []string{"fetch", r.name, "--platform", "ruby"}
	if r.want.Version != "" {
		args = append(args, "--version", gemRange(r.want.Version))
	}
	if _, err := r.run(ctx, "gem", nil, args...); err != nil {
		return source.Fetched{}, err
	}
	gem, err := onlyFile(r.work, ".gem")
	if err != nil {
		// gem ends without an error where it found nothing.
		return source.Fetched{}, r.failure("gem says: "+reasonOf(r.said, "it downloaded nothing"),
			"look at the name and the version, and at gem's sources", err)
	}
	parts := filepath.Join(r.work, "parts")
	if err := os.Mkdir(parts, 0o755); err != nil {
		return source.Fetched{}, err
	}
	const data, metadata = "data.tar.gz", "metadata.gz"
	_, err = unpack.File(ctx, gem, parts, unpack.Options{Limits: r.limits(),
		Keep: func(name string) bool { return name == data || name == metadata }})
	if err := r.unpacked(unpack.Result{}, err); err != nil {
		return source.Fetched{}, err
	}
	keep := func(name string) bool { return isPage(name) || isRubyDoc(name) }
	result, err := unpack.File(ctx, filepath.Join(parts, data), r.into, r.options(0, keep))
	if err := r.unpacked(result, err); err != nil {
		return source.Fetched{}, err
	}
	out := readGemMetadata(filepath.Join(parts, metadata))
	if out.Version == "" {
		out.Version = strings.TrimPrefix(strings.TrimSuffix(filepath.Base(gem), ".gem"), r.name+"-")
	}
	if hasFile(r.into, ".rb") {
		out.Domain = "code"
	}
	return out, nil
}

// gemRange is a version as gem takes it: "7" and "7.1" stand for all that begin so.
func gemRange(version string) string {
	if strings.Count(version, ".") < 2 && strings.Trim(version, "0123456789.") == "" {
		return "~> " + version + ".0"
	}
	return version
}

// isRubyDoc reports whether a file of a gem has comments that document public names.
func isRubyDoc(name string) bool {
	return strings.HasSuffix(name, ".rb") && strings.HasPrefix(name, "lib/") &&
		!slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(f string) bool { return slices.Contains(otherFolders, f) })
}

// readGemMetadata reads the plain fields of a gem's metadata, which gem writes as YAML with one
// field a line; what cannot be read is left empty.
func readGemMetadata(file string) (out source.Fetched) {
	f, err := os.Open(file)
	if err != nil {
		return out
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return out
	}
	const most = 4 << 20
	fields, above := map[string]string{}, ""
	for lines := bufio.NewScanner(io.LimitReader(z, most)); lines.Scan(); {
		line := lines.Text()
		key, value, ok := strings.Cut(line, ":")
		value = strings.Trim(strings.TrimSpace(value), `'"`)
		switch {
		case ok && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "-"):
			above, fields[key] = key, value
		case ok && (above == "metadata" || above == "version"):
			fields[above+"/"+strings.TrimSpace(key)] = value
		case above == "licenses" && strings.HasPrefix(line, "- ") && fields["licenses/0"] == "":
			fields["licenses/0"] = strings.Trim(line[2:], `'"`)
		}
	}
	out.Version, out.Licence = oneLine(fields["version/version"]), oneLine(fields["licenses/0"])
	out.Better = betterSources(fields["metadata/documentation_uri"], fields["metadata/source_code_uri"], fields["homepage"])
	return out
}
