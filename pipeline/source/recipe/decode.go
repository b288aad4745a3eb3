package recipe

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/BurntSushi/toml"

	"docent/pipeline/source"
	"docent/store/doc"
)

// Fault is an error in the file of a recipe, with its place.
type Fault struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Key    string `json:"key,omitempty"`
	Reason string `json:"reason"`
}

func (f *Fault) Error() string {
	at := f.File
	if f.Line > 0 {
		at += fmt.Sprintf(":%d", f.Line)
	}
	if f.Key != "" {
		at += ": " + f.Key
	}
	return at + ": " + f.Reason
}

// decode reads the recipe of a file. The error is a *Fault.
func decode(file string, text []byte) (Recipe, error) {
	var r Recipe
	meta, err := toml.Decode(string(text), &r)
	if err != nil {
		if p, ok := errors.AsType[toml.ParseError](err); ok {
			return r, &Fault{File: file, Line: p.Position.Line, Key: p.LastKey, Reason: p.Message}
		}
		return r, &Fault{File: file, Reason: err.Error()}
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		key := unknown[0].String()
		return r, &Fault{File: file, Line: lineOf(text, key), Key: key, Reason: "unknown key"}
	}
	if key, err := r.check(); err != nil {
		return r, &Fault{File: file, Line: lineOf(text, key), Key: key, Reason: err.Error()}
	}
	return r, nil
}

// lineOf is the line of the first place of a key, 0 where it is not found.
func lineOf(text []byte, key string) int {
	last := key[strings.LastIndexByte(key, '.')+1:]
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if name, _, ok := strings.Cut(line, "="); ok && strings.Trim(name, " \t\"") == last {
			return n
		}
	}
	return 0
}

var (
	recipeName = regexp.MustCompile(`^[a-z0-9][a-z0-9._+-]{0,59}$`)
	checkedAt  = regexp.MustCompile(`^\d{4}-\d{2}-\d{2} at [0-9a-f]{7,40}$`)
)

// kinds are the kinds of sources that a recipe can have.
var kinds = []string{source.KindGit, source.KindSite, source.KindArchive, source.KindBundle, source.KindPackage}

// check returns the first key that has a fault.
func (r Recipe) check() (key string, err error) {
	for _, name := range append([]string{r.Name}, r.Aliases...) {
		if !recipeName.MatchString(name) {
			return "name", fmt.Errorf("%.80q is no name; a name has small letters, digits and . _ + -, and no sign at its beginning",
				name)
		}
	}
	for _, line := range []struct{ key, text string }{{"about", r.About}, {"licence", r.Licence}} {
		if err := checkLine(line.text); err != nil {
			return line.key, err
		}
	}
	switch {
	case r.About == "":
		return "about", errors.New("it is missing; say in one line what this is the documentation of")
	case !slices.Contains(kinds, r.Kind):
		return "kind", fmt.Errorf("%.40q is none of %s", r.Kind, strings.Join(kinds, ", "))
	case r.Ref != "" && !isRefName(r.Ref):
		return "ref", fmt.Errorf("%.80q is no name of a branch, tag or commit", r.Ref)
	case r.Checked != "" && !checkedAt.MatchString(r.Checked):
		return "checked", fmt.Errorf("%.80q is not of the form 2026-11-28 at COMMIT", r.Checked)
	}
	if err := checkAddress(r.Kind, r.Source); err != nil {
		return "source", err
	}
	if key, err := r.Layout.check(); err != nil {
		return key, err
	}
	for _, rng := range r.Versions {
		if key, err := rng.check(); err != nil {
			return "versions." + key, err
		}
	}
	for _, p := range r.LeaveOut {
		if _, err := path.Match(p, ""); err != nil || p == "" || strings.HasPrefix(p, "/") {
			return "leave_out", fmt.Errorf("%.80q is no pattern of a path", p)
		}
	}
	return r.checkPackages()
}

func (r Range) check() (key string, err error) {
	for _, end := range []struct{ key, text string }{{"from", r.From}, {"below", r.Below}} {
		if _, ok := parseVersion(end.text); end.text != "" && !ok {
			return end.key, fmt.Errorf("%.40q is no version", end.text)
		}
	}
	return r.Layout.check()
}

func (l Layout) check() (key string, err error) {
	if l.Tag != "" && l.Branch != "" {
		return "branch", errors.New("there is a tag too; versions are tags or branches")
	}
	for _, t := range []struct{ key, text string }{{"tag", l.Tag}, {"branch", l.Branch}} {
		if t.text == "" {
			continue
		}
		if _, err := parseTemplate(t.text); err != nil {
			return t.key, err
		}
	}
	if err := checkPath(l.Path); err != nil {
		return "path", err
	}
	if l.URL != "" {
		if err := doc.CheckURLBase(placeholder.ReplaceAllString(l.URL, "0")); err != nil {
			return "url", err
		}
	}
	return "", nil
}

// checkPath checks a folder in a source: nothing in it leads out.
func checkPath(p string) error {
	bare := placeholder.ReplaceAllString(p, "0")
	odd := strings.ContainsAny(bare, "\\:*?[]{}<>|\"") || strings.HasPrefix(bare, "-") || checkLine(bare) != nil
	if p != "" && (odd || !fs.ValidPath(bare)) {
		return fmt.Errorf("%.80q is no folder in a source; it has parts between slashes, none of which is .. or empty", p)
	}
	return nil
}

// checkAddress checks the address of a source. Git runs programs for addresses such as ext::,
// and takes one that begins with a dash for a flag.
func checkAddress(kind, address string) error {
	bare := placeholder.ReplaceAllString(address, "0")
	switch {
	case address == "":
		return errors.New("it is missing; give the address of the source")
	case strings.HasPrefix(bare, "-"), strings.Contains(bare, "::"), strings.ContainsAny(bare, " {}<>\"'\\"), checkLine(bare) != nil:
		return fmt.Errorf("%.80q is no address", address)
	case kind == source.KindPackage:
		return nil
	case kind == source.KindGit && scpAddress.MatchString(bare):
		return nil
	}
	u, err := url.Parse(bare)
	schemes := []string{"https", "http"}
	if kind == source.KindGit {
		schemes = append(schemes, "ssh", "git", "file")
	}
	switch {
	case err != nil || !slices.Contains(schemes, u.Scheme) || u.Host == "" && u.Scheme != "file" || strings.HasPrefix(u.Host, "-"):
		return fmt.Errorf("%.80q is no address of %s", address, strings.Join(schemes, ", "))
	case kind == source.KindGit && hasPlaceholder(address):
		return errors.New("the address of a repository has no placeholder; versions are its tags or branches")
	}
	if _, secret := u.User.Password(); secret {
		return errors.New("the address holds a password; git's own credentials hold for recipes")
	}
	return nil
}

// scpAddress is git's short form of an address over ssh: git@example.org:group/name.git.
var scpAddress = regexp.MustCompile(`^[A-Za-z0-9_.]+@[A-Za-z0-9][A-Za-z0-9.-]*:[A-Za-z0-9_/~][A-Za-z0-9._/~-]*$`)

// mostLine is the longest text of a line in bytes.
const mostLine = 300

func checkLine(text string) error {
	odd := func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }
	if len(text) > mostLine || strings.ContainsFunc(text, odd) {
		return fmt.Errorf("it must be one line of at most %d letters without control characters", mostLine)
	}
	return nil
}

func (r Recipe) checkPackages() (key string, err error) {
	for _, ecosystem := range slices.Sorted(maps.Keys(r.Packages)) {
		if !slices.Contains(Ecosystems(), ecosystem) {
			return "packages." + ecosystem, fmt.Errorf("the ecosystems are %s", strings.Join(Ecosystems(), ", "))
		}
		for _, name := range r.Packages[ecosystem] {
			if name == "" || strings.HasPrefix(name, "-") || strings.ContainsAny(name, " \t") || checkLine(name) != nil {
				return "packages." + ecosystem, fmt.Errorf("%.80q is no name of a package", name)
			}
		}
	}
	return "", nil
}
