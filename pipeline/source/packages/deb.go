package packages

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/unpack"
)

// fetchDeb fetches a package of Debian by apt-get download, which installs nothing. The
// package is not unpacked by dpkg-deb, which knows no limits: that only gives the tar
// archive inside of it.
func (r *request) fetchDeb(ctx context.Context) (source.Fetched, error) {
	name := r.name
	if r.want.Version != "" {
		name += "=" + r.want.Version
	}
	if _, err := r.run(ctx, "apt-get", nil, "-q", "download", "--", name); err != nil {
		if e, ok := errors.AsType[*source.Error](err); ok && r.want.Version != "" {
			e.Do = "look at the versions that apt knows; it wants the whole one, such as 15.4-0+deb12u1"
		}
		return source.Fetched{}, err
	}
	file, err := onlyFile(r.work, ".deb")
	if err != nil {
		return source.Fetched{}, r.failure("apt-get downloaded nothing", "see that it can download the package", err)
	}
	fields, err := r.run(ctx, "dpkg-deb", nil, "--show", "--showformat=${Version}\\n${Homepage}\\n", "--", file)
	if err != nil {
		return source.Fetched{}, err
	}
	version, homepage, _ := strings.Cut(strings.TrimSpace(string(fields)), "\n")
	options := r.options(0, isDebPage)
	options.Name = debName
	var result unpack.Result
	var failed error
	err = r.stream(ctx, "dpkg-deb", nil, 0, func(stdout io.Reader) error {
		result, failed = unpack.Tar(ctx, stdout, r.into, options)
		return failed
	}, "--fsys-tarfile", "--", file)
	if failed != nil {
		err = failed
	}
	if err := r.unpacked(result, err); err != nil {
		return source.Fetched{}, err
	}
	out := source.Fetched{Better: betterSources(homepage)}
	out.Version, out.Release, out.Licence = oneLine(version), debRelease(oneLine(version)), r.debLicence()
	return out, nil
}

// debName is the name of a file of a package without the folders of the system: those of
// documents are doc/…, man/… and info/….
func debName(name string) string {
	rest, ok := strings.CutPrefix(name, "usr/share/")
	if !ok {
		return ""
	}
	return rest
}

// isDebPage reports whether a file below /usr/share is documentation. Manual pages of
// other languages are left out.
func isDebPage(name string) bool {
	top, rest, _ := strings.Cut(name, "/")
	switch top {
	case "doc":
		ending := path.Ext(strings.TrimSuffix(strings.ToLower(rest), ".gz"))
		for _, other := range notPages {
			if ending == other {
				return false
			}
		}
		return !strings.HasSuffix(rest, "/changelog.Debian.gz") && !strings.HasSuffix(rest, "/NEWS.Debian.gz")
	case "man":
		return strings.HasPrefix(rest, "man")
	case "info":
		return path.Base(name) != "dir"
	}
	return false
}

// debRelease is the version of what a package holds: without the epoch and Debian's own part.
func debRelease(version string) string {
	if _, rest, ok := strings.Cut(version, ":"); ok {
		version = rest
	}
	if at := strings.LastIndex(version, "-"); at > 0 {
		version = version[:at]
	}
	return version
}

// debLicence is the first licence that the copyright file of a package names.
func (r *request) debLicence() string {
	raw, err := os.ReadFile(filepath.Join(r.into, "doc", r.name, "copyright"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(raw)) {
		if licence, ok := strings.CutPrefix(line, "License:"); ok {
			return oneLine(licence)
		}
	}
	return ""
}
