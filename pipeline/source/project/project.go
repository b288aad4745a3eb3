// Package project reads which packages a project uses: the direct dependencies that the
// manifests in its folder name, at the versions of its lock files.
//
// Read are go.mod and go.work; package.json with the lock of npm, pnpm, yarn or bun;
// pyproject.toml, setup.cfg, setup.py and requirements.txt with the lock of uv, poetry or PDM;
// Cargo.toml, Gemfile, composer.json with theirs; pom.xml, Gradle's version catalogs and build
// files as far as they are plain; and [[docs]] of the project's docent.toml. Members of a workspace are
// read too.
//
// A file that cannot be read is a Finding and no error: the others are read. The package
// refuses to run a build tool, to resolve a range of versions and to ask a registry.
// A symbolic link that leaves the folder is not followed.
//
// Terms. A manifest is the file that people write, a lock the one that a tool writes.
package project

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/source/ecosystem"
	"docent/pipeline/text/shorten"
)

// Dependency is a package that the project uses, or a source that it names.
type Dependency struct {
	Ecosystem string `json:"ecosystem,omitempty"` // see package ecosystem; "" for [[docs]]
	Name      string `json:"name"`
	// Version is the locked one, "" where it is not known. Wanted is the range in the manifest.
	Version string `json:"version,omitempty"`
	Wanted  string `json:"wanted,omitempty"`
	// File and Line say where the project names it: a path with slashes below the folder,
	// and a line from 1.
	File string `json:"file"`
	Line int    `json:"line"`
	Dev  bool   `json:"dev,omitempty"` // for development, tests and the build only
	// Repository, Commit and Site are what a lock file states of the package's origin.
	Repository string `json:"repository,omitempty"`
	Commit     string `json:"commit,omitempty"`
	Site       string `json:"site,omitempty"`
	// Source is that of an entry of [[docs]]: what `docent add` takes, without its version.
	Source string `json:"source,omitempty"`
}

// String is the dependency as a person names it: "npm:react@19.0.0".
func (d Dependency) String() string {
	if d.Ecosystem == "" {
		return d.Name
	}
	return ecosystem.Address(d.Ecosystem, d.Name, d.Version)
}

// The kinds of findings.
const (
	damaged     = "damaged"      // a file is not what its name says
	tooLarge    = "too_large"    // a file, or the number of dependencies
	unreadable  = "unreadable"   // the system refuses, or it is no regular file
	unknownLock = "unknown_lock" // a lock file of a version that is not known
	badName     = "bad_name"     // a name or version that no package can have
	noLock      = "no_lock"      // a manifest without a lock: versions are not known
	notPlain    = "not_plain"    // a dependency that only its build tool can read
)

// Finding is something that could not be read.
type Finding struct {
	Kind string `json:"kind"`
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text"` // for a person
}

func (f Finding) String() string { return f.Place() + ": " + f.Text }

// Place is the file, and the line where it is known.
func (f Finding) Place() string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	return f.File
}

// Project lists the dependencies of a folder.
type Project struct {
	Dependencies []Dependency `json:"dependencies"` // by ecosystem, name and version
	Findings     []Finding    `json:"findings,omitempty"`
	Files        []string     `json:"files"` // the manifests and locks that were read
}

// mostDependencies bounds what a project may name, and mostFindings the findings about it.
const (
	mostDependencies = 20_000
	mostFindings     = 200
)

// reader reads one kind of manifest. It is called for each that belongs to the project.
type reader struct {
	manifest string // the file's name
	read     func(f *folder, c *collector, dir string)
}

// readers lists the kinds, in the order of reading.
var readers = []reader{
	{"docent.toml", readOwn}, {"go.mod", readGoMod}, {"package.json", readPackageJSON}, {"pyproject.toml", readPyproject},
	{"setup.cfg", readSetupConfig}, {"setup.py", readSetup}, {"requirements.txt", readRequirements}, {"Cargo.toml", readCargo},
	{"Gemfile", readGemfile}, {"Gemfile.lock", readGemfileLockAlone},
	{"composer.json", readComposer}, {"pom.xml", readMaven}, {"libs.versions.toml", readCatalog},
	{"build.gradle", readGradle("build.gradle")}, {"build.gradle.kts", readGradle("build.gradle.kts")},
}

// Read reads a project's folder. The error says that the folder itself cannot be read.
func Read(ctx context.Context, dir string) (Project, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Project{}, fmt.Errorf("read the project %s: %w", dir, err)
	}
	defer root.Close()
	p, err := readFiles(ctx, root.FS())
	if err != nil {
		return Project{}, fmt.Errorf("read the project %s: %w", dir, err)
	}
	return p, nil
}

// HasManifest reports whether a folder itself has a manifest that Read knows.
func HasManifest(dir string) bool {
	return slices.ContainsFunc(readers, func(r reader) bool {
		st, err := os.Stat(filepath.Join(dir, r.manifest))
		return err == nil && st.Mode().IsRegular()
	})
}

// readFiles reads the files of a project's folder.
func readFiles(ctx context.Context, content fs.FS) (Project, error) {
	c := &collector{local: map[string]bool{}}
	f := newFolder(content)
	f.found = c.found
	if err := f.list(ctx); err != nil {
		return Project{}, err
	}
	places := manifestsOf(f)
	for _, place := range places {
		noteOwnName(f, c, place)
	}
	for _, place := range places {
		if err := ctx.Err(); err != nil {
			return Project{}, err
		}
		place.reader.read(f, c, place.dir)
	}
	return Project{Dependencies: c.merged(), Findings: c.findings, Files: f.filesRead()}, nil
}

// collector gathers dependencies and findings.
type collector struct {
	dependencies []Dependency
	findings     []Finding
	local        map[string]bool // the project's own packages, by ecosystem and name
	full         bool
}

// found adds a finding.
func (c *collector) found(kind, file string, line int, text string, args ...any) {
	const most = 300
	said := strings.ToValidUTF8(shorten.Line(fmt.Sprintf(text, args...), most), "?")
	finding := Finding{Kind: kind, File: file, Line: line, Text: strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '?'
		}
		return r
	}, said)}
	if len(c.findings) < mostFindings && !slices.Contains(c.findings, finding) {
		c.findings = append(c.findings, finding)
	}
}

// add adds a dependency whose name and version its ecosystem allows.
func (c *collector) add(d Dependency) {
	if err := ecosystem.CheckName(d.Ecosystem, d.Name); err != nil {
		c.found(badName, d.File, d.Line, "%v: it is left out", err)
		return
	}
	if err := ecosystem.CheckVersion(d.Ecosystem, d.Version); err != nil {
		c.found(badName, d.File, d.Line, "%s: %v: its version counts as unknown", d.Name, err)
		d.Version = ""
	}
	d.Name = ecosystem.Canonical(d.Ecosystem, d.Name)
	if c.local[localKey(d.Ecosystem, d.Name)] {
		return
	}
	d.Wanted, d.Site = plainText(d.Wanted), plainText(d.Site)
	d.Repository, d.Commit = plainText(d.Repository), plainText(d.Commit)
	c.append(d)
}

// append adds a dependency as it is, up to the most that a project may have.
func (c *collector) append(d Dependency) {
	if len(c.dependencies) >= mostDependencies {
		if !c.full {
			c.full = true
			c.found(tooLarge, d.File, d.Line, "the project names more than %d dependencies: the rest is left out", mostDependencies)
		}
		return
	}
	c.dependencies = append(c.dependencies, d)
}

func localKey(kind, name string) string { return kind + "\x00" + ecosystem.Canonical(kind, name) }

// plainText is a text of a file that fits on a line of a terminal; "" for others.
func plainText(s string) string {
	const most = 300
	if len(s) > most || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return ""
	}
	return s
}

// isSame reports whether two dependencies are one package at one version.
func (d Dependency) isSame(o Dependency) bool {
	return d.Ecosystem == o.Ecosystem && d.Name == o.Name && d.Version == o.Version && d.Source == o.Source
}

// merged gives each package once at each version, at its first place. It is for
// development only where all places say so.
func (c *collector) merged() []Dependency {
	slices.SortStableFunc(c.dependencies, func(a, b Dependency) int {
		return cmp.Or(cmp.Compare(a.Ecosystem, b.Ecosystem), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version),
			cmp.Compare(a.Source, b.Source), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	var out []Dependency
	known := map[string]bool{} // packages with a known version
	for _, d := range c.dependencies {
		if d.Version != "" {
			known[d.Ecosystem+"\x00"+d.Name] = true
		}
	}
	for _, d := range c.dependencies {
		if d.Version == "" && d.Ecosystem != "" && known[d.Ecosystem+"\x00"+d.Name] {
			continue // a place without a version adds nothing to one with it
		}
		if n := len(out); n > 0 && out[n-1].isSame(d) {
			out[n-1].Dev = out[n-1].Dev && d.Dev
			continue
		}
		out = append(out, d)
	}
	return out
}
