package packages

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/unpack"
)

var errNotOne = errors.New("there is not exactly one such file")

// fetchPyPI fetches a wheel by pip download. Of a source archive pip would run the build
// code to read its metadata, so those are not taken: a package without a wheel has to be
// added by its repository.
//
// A wheel has no folder with documentation, as a rule; its README is the body of METADATA.
func (r *request) fetchPyPI(ctx context.Context) (source.Fetched, error) {
	name := r.name
	if r.want.Version != "" {
		name += "==" + wildVersion(r.want.Version)
	}
	args := []string{"download", "--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check",
		"-q", "--dest", r.work, "--", name}
	client := "pip"
	if _, err := r.findClient(client); err != nil {
		if _, other := r.findClient("pip3"); other == nil {
			client = "pip3"
		}
	}
	if _, err := r.run(ctx, client, []string{"PIP_REQUIRE_VIRTUALENV=0"}, args...); err != nil {
		if e, ok := errors.AsType[*source.Error](err); ok && strings.Contains(e.Reason, "No matching") {
			e.Do = "look at the name and the version; a package without a wheel can be added by its repository"
		}
		return source.Fetched{}, err
	}
	wheel, err := onlyFile(r.work, ".whl")
	if err != nil {
		return source.Fetched{}, r.failure("pip downloaded no wheel", "add the package's repository", err)
	}
	result, err := unpack.File(ctx, wheel, r.into, r.options(0, func(name string) bool {
		folder, _, _ := strings.Cut(name, "/")
		return isPage(name) && !strings.HasSuffix(folder, ".dist-info") || strings.HasSuffix(folder, ".dist-info") && isWheelPage(name)
	}))
	if err := r.unpacked(result, err); err != nil {
		return source.Fetched{}, err
	}
	return r.readWheelMetadata()
}

// wildVersion is a version as pip takes it: "2" and "2.1" stand for all that begin so.
func wildVersion(version string) string {
	if strings.Count(version, ".") < 2 && strings.Trim(version, "0123456789.") == "" {
		return version + ".*"
	}
	return version
}

// isWheelPage reports whether a file of a wheel's dist-info is kept: the metadata, which
// become the README, and the licences.
func isWheelPage(name string) bool {
	return strings.HasSuffix(name, "/METADATA") || strings.Contains(name, "/licenses/") ||
		isPage(strings.ReplaceAll(name, ".dist-info", ""))
}

// readWheelMetadata turns METADATA into the README that it holds, and reads its fields.
func (r *request) readWheelMetadata() (source.Fetched, error) {
	names, err := filepath.Glob(filepath.Join(r.into, "*.dist-info", "METADATA"))
	if err != nil || len(names) != 1 {
		return source.Fetched{}, r.failure("the wheel has no metadata", "add the package's repository", errNotOne)
	}
	raw, err := os.ReadFile(names[0])
	if err != nil {
		return source.Fetched{}, err
	}
	if err := os.Remove(names[0]); err != nil {
		return source.Fetched{}, err
	}
	fields, body := readMetadata(string(raw))
	var out source.Fetched
	out.Name = setName(oneLine(fields.Get("Name")))
	out.Version = oneLine(fields.Get("Version"))
	out.Licence = licenceOf(fields)
	out.Better = betterSources(projectAddresses(fields)...)
	if strings.TrimSpace(body) == "" {
		body = fields.Get("Description")
	}
	if strings.TrimSpace(body) != "" {
		ending := ".rst"
		if kind := fields.Get("Description-Content-Type"); strings.HasPrefix(kind, "text/markdown") {
			ending = ".md"
		} else if strings.HasPrefix(kind, "text/plain") {
			ending = ".txt"
		}
		if _, err := os.Stat(filepath.Join(r.into, "README"+ending)); errors.Is(err, fs.ErrNotExist) {
			return out, os.WriteFile(filepath.Join(r.into, "README"+ending), []byte(body), 0o644)
		}
	}
	return out, nil
}

// readMetadata splits METADATA into its fields and the description behind them.
func readMetadata(text string) (textproto.MIMEHeader, string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	head, body, _ := strings.Cut(text, "\n\n")
	fields, _ := textproto.NewReader(bufio.NewReader(strings.NewReader(head + "\n\n"))).ReadMIMEHeader() // what could be read counts
	if fields == nil {
		fields = textproto.MIMEHeader{}
	}
	return fields, body
}

// licenceOf is the licence: an expression, the text of the old field, or the classifiers.
func licenceOf(fields textproto.MIMEHeader) string {
	const most = 100 // the old field may hold the whole text
	for _, field := range []string{"License-Expression", "License"} {
		if text := fields.Get(field); text != "" && len(text) < most {
			return oneLine(text)
		}
	}
	for _, c := range fields.Values("Classifier") {
		if rest, ok := strings.CutPrefix(c, "License :: "); ok {
			return oneLine(rest[strings.LastIndex(rest, ":: ")+1:])
		}
	}
	return ""
}

// projectAddresses are the addresses of a package, its documentation first.
func projectAddresses(fields textproto.MIMEHeader) []string {
	var documentation, repository, others []string
	for _, entry := range fields.Values("Project-Url") {
		label, address, _ := strings.Cut(entry, ",")
		switch low := strings.ToLower(label); {
		case strings.Contains(low, "doc"):
			documentation = append(documentation, address)
		case strings.Contains(low, "source"), strings.Contains(low, "repo"), strings.Contains(low, "code"), strings.Contains(low, "git"):
			repository = append(repository, address)
		case strings.Contains(low, "home"):
			others = append(others, address)
		}
	}
	return slices.Concat(documentation, repository, others, []string{fields.Get("Home-Page")})
}
