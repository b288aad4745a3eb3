package recipe

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The placeholders of templates: the whole version, or its numbers.
const versionPlaceholder = "{version}"

var numberPlaceholders = []string{"{major}", "{minor}", "{patch}"}

var placeholder = regexp.MustCompile(`\{(version|major|minor|patch)\}`)

func hasPlaceholder(text string) bool { return placeholder.MatchString(text) }

// template is the form of the tags or branches that hold versions.
type template struct {
	text    string
	numbers int // of the placeholders that are numbers; 0: it has the whole version
	form    *regexp.Regexp
}

// parseTemplate reads a template of refs.
func parseTemplate(text string) (template, error) {
	bare := placeholder.ReplaceAllString(text, "0")
	if !refName.MatchString(bare) || strings.Contains(bare, "..") {
		return template{}, fmt.Errorf("%.80q is no template of a ref; its placeholders are {version}, {major}, {minor}, {patch}", text)
	}
	t := template{text: text}
	names := placeholder.FindAllString(text, -1)
	if len(names) != 1 || names[0] != versionPlaceholder {
		if t.numbers = len(names); t.numbers == 0 || t.numbers > 3 || !slices.Equal(names, numberPlaceholders[:t.numbers]) {
			return template{}, fmt.Errorf("the template %.80q must have {version}, or {major}, and then {minor} and {patch}", text)
		}
	}
	var form string
	if t.numbers == 0 {
		before, after, _ := strings.Cut(text, versionPlaceholder)
		form = regexp.QuoteMeta(before) + `(\d.*)` + regexp.QuoteMeta(after)
	} else {
		form = placeholder.ReplaceAllString(strings.NewReplacer(".", `\.`, "+", `\+`).Replace(text), `(\d{1,9})`)
	}
	var err error
	t.form, err = regexp.Compile("^" + form + "$")
	return t, err
}

// read reads the version of a ref.
func (t template) read(ref string) (Version, bool) {
	m := t.form.FindStringSubmatch(ref)
	if m == nil {
		return Version{}, false
	}
	return parseVersion(strings.Join(m[1:], "."))
}

// fillTemplate puts a version into the placeholders of a text. ok is false, and the text
// empty, where the version has fewer numbers.
func fillTemplate(text string, v Version) (filled string, ok bool) {
	ok = true
	filled = placeholder.ReplaceAllStringFunc(text, func(name string) string {
		if name == versionPlaceholder {
			ok = ok && v.Text != ""
			return v.Text
		}
		i := slices.Index(numberPlaceholders, name)
		if i >= len(v.Numbers) {
			ok = false
			return ""
		}
		return strconv.Itoa(v.Numbers[i])
	})
	if !ok {
		return "", false
	}
	return filled, true
}

// Scheme finds versions among the branches or tags of a repository.
type Scheme struct {
	Tags     bool // the versions are tags; else branches
	template template
}

// schemeOf is the scheme of a layout, nil where it keeps no versions.
func schemeOf(lay Layout) (*Scheme, error) {
	text := lay.Tag
	if text == "" {
		text = lay.Branch
	}
	if text == "" {
		return nil, nil
	}
	t, err := parseTemplate(text)
	if err != nil {
		return nil, err
	}
	return &Scheme{Tags: lay.Tag != "", template: t}, nil
}

// Pick is the newest of some refs that is a version: 19 is the newest of v19.0.0 and v19.1.2,
// and "" the newest of all. The refs are short names, or full ones as `git ls-remote` has them.
// A prerelease is picked only where the version names it.
func (s *Scheme) Pick(version string, refs []string) (ref string, ok bool) {
	asked, isNumber := parseVersion(version)
	if version != "" && !isNumber {
		return "", false
	}
	var best Version
	for _, r := range refs {
		name, fits := s.shortName(r)
		if !fits {
			continue
		}
		v, isVersion := s.template.read(name)
		if !isVersion || !s.wasAskedFor(v, asked) {
			continue
		}
		if d := compareVersions(v, best); !ok || d > 0 || d == 0 && len(name) < len(ref) {
			ref, best, ok = name, v, true
		}
	}
	return ref, ok
}

// wasAskedFor reports whether the version of a ref is one that was asked for.
func (s *Scheme) wasAskedFor(v, asked Version) bool {
	numbers := asked.Numbers
	if s.template.numbers > 0 {
		numbers = numbers[:min(len(numbers), s.template.numbers)]
	}
	for i, n := range numbers {
		if v.number(i) != n {
			return false
		}
	}
	switch {
	case s.template.numbers > 0:
		return true
	case asked.plainSuffix() != "":
		return len(v.Numbers) <= len(asked.Numbers) && sameSuffix(v, asked)
	}
	return !v.isPrerelease()
}

// shortName is the name of a ref without its folder. ok is false for the other kind of refs.
func (s *Scheme) shortName(ref string) (name string, ok bool) {
	if s.Tags && strings.HasPrefix(ref, "refs/heads/") || !s.Tags && strings.HasPrefix(ref, "refs/tags/") {
		return "", false
	}
	return plainRef(ref), true
}

// plainRef is a ref without its folder and without the mark of the commit behind a tag.
func plainRef(ref string) string {
	ref = strings.TrimSuffix(ref, "^{}")
	for _, folder := range []string{"refs/tags/", "refs/heads/"} {
		ref = strings.TrimPrefix(ref, folder)
	}
	return ref
}
