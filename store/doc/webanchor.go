package doc

import (
	"path"
	"strconv"
	"strings"
	"unicode"
)

// Anchors on the web are made by the program that makes the web site of the pages: each slugifies
// the text of a heading in its own way. A page's own anchors are GitHub's. An id that a page states
// is the same everywhere. Where the program is not known, a heading has an anchor if all of them give
// it the same one; a heading whose anchor is not known for sure has none, and its address is the
// page's.

// MadeAnchor begins an anchor that docent made of a heading where the format has ids and the page gives
// that heading none. It leads to the section in docent alone.
const MadeAnchor = "~"

// Generator is a program that makes web sites of pages.
type Generator string

// The generators that are known, by what they give headings.
const (
	NoGenerator Generator = ""
	OnGitHub    Generator = "github"     // what GitHub shows of a file
	Astro       Generator = "astro"      // GitHub's slugs
	Docusaurus  Generator = "docusaurus" // GitHub's slugs, none for titles
	Jekyll      Generator = "jekyll"     // kramdown as GitHub uses it
	Kramdown    Generator = "kramdown"   // its own rule
	VitePress   Generator = "vitepress"  // VuePress too
	MkDocs      Generator = "mkdocs"     // Python-Markdown
	Hugo        Generator = "hugo"       // Goldmark
	MdBook      Generator = "mdbook"
	Sphinx      Generator = "sphinx" // docutils
	Pandoc      Generator = "pandoc" // Quarto, bookdown
)

// GeneratorOf is the generator in what a catalog keeps of a doc set's address.
func GeneratorOf(site string) Generator {
	_, name := SplitSite(site)
	return Generator(name)
}

// WebPlace is a section whose anchor on the web is wanted.
type WebPlace struct {
	Generator Generator
	URL, File string // of the page
	Heading   string
	Outermost bool   // no heading stands around it
	Anchor    string // in docent
}

// WebAnchor is the anchor of a section on the web, "" where it has none or it is not known.
func WebAnchor(p WebPlace) string {
	switch anchorKindOf(p.File) {
	case stated:
		if strings.HasPrefix(p.Anchor, MadeAnchor) {
			return ""
		}
		return p.Anchor
	case unstated:
		return ""
	}
	if p.Anchor == "" || p.Heading == "" {
		return p.Anchor
	}
	repeat, made := repeatOf(p.Anchor, GitHubSlug(p.Heading))
	generator := p.Generator
	if isBlob(p.URL) {
		generator = OnGitHub
	}
	switch {
	case !made && generator == OnGitHub:
		return "" // an id that the page states is text there
	case !made:
		return p.Anchor
	case generator == Docusaurus && p.Outermost:
		return ""
	case generator == NoGenerator:
		return ifAllAgree(p.Heading, repeat)
	}
	return numberedSlug(generator, slugBy(generator, p.Heading), repeat)
}

// anchorKind says where the anchors of a format come from.
type anchorKind int

const (
	derived  anchorKind = iota // of the headings, by the generator
	stated                     // they are ids in the file, or follow from its format
	unstated                   // the web has others, or none
)

func anchorKindOf(file string) anchorKind {
	if path.Base(file) == ContentFile { // a table of contents states them
		return stated
	}
	switch strings.ToLower(path.Ext(file)) {
	case "", ".md", ".markdown", ".mdx", ".mdown", ".mkd", ".mkdn", ".markdn", ".qmd", ".rmd", ".mdc", ".ipynb":
		return derived
	case ".html", ".htm", ".xhtml", ".shtml", ".xht", ".rst", ".rest", ".txt", ".adoc", ".asciidoc", ".asc", ".dita", ".ditamap", ".xml",
		".docbook", ".dbk", ".sgml", ".texi", ".texinfo", ".txi", ".info", ".json", ".yaml", ".yml":
		return stated
	}
	return unstated
}

// isBlob reports whether an address is that of a file on GitHub.
func isBlob(address string) bool {
	rest, ok := strings.CutPrefix(address, "https://github.com/")
	parts := strings.SplitN(rest, "/", 4)
	return ok && len(parts) == 4 && parts[2] == "blob"
}

// repeatOf is how many headings with a slug stand before the one with an anchor; ok is false for an
// anchor that is not made of the slug.
func repeatOf(anchor, slug string) (repeat int, ok bool) {
	if anchor == slug {
		return 0, true
	}
	rest, ok := strings.CutPrefix(anchor, slug+"-")
	n, err := strconv.Atoi(rest)
	return n, ok && err == nil && n > 0
}

// numberedSlug is a slug that others on the page have had so many times, "" where it is not known.
func numberedSlug(g Generator, slug string, repeat int) string {
	switch {
	case slug == "" || repeat > 0 && g == Sphinx: // docutils counts all that repeat on a page
		return ""
	case repeat == 0:
		return slug
	case g == MkDocs:
		return slug + "_" + strconv.Itoa(repeat)
	}
	return slug + "-" + strconv.Itoa(repeat)
}

// ifAllAgree is the slug of a heading if it is the first of its name and all generators give it the same one.
func ifAllAgree(text string, repeat int) string {
	own := GitHubSlug(text)
	for _, g := range []Generator{Kramdown, VitePress, MkDocs, Hugo, MdBook, Sphinx, Pandoc} {
		if repeat > 0 || slugBy(g, text) != own {
			return ""
		}
	}
	return own
}

// slugBy is what a generator makes of the text of a heading, "" where it is not known.
func slugBy(g Generator, text string) string {
	switch g {
	case VitePress:
		return ofVitePress(text)
	case MkDocs:
		return ofPythonMarkdown(text)
	case Hugo:
		return ofHugo(text)
	case MdBook:
		return ofMdBook(text)
	case Sphinx:
		return ofDocutils(text)
	case Kramdown:
		return ofKramdown(text)
	case Pandoc:
		return ofPandoc(text)
	case OnGitHub, Astro, Docusaurus, Jekyll:
		return GitHubSlug(text)
	}
	return ""
}

// GitHubSlug is the anchor that GitHub gives a heading, before it is made unique: lower case, "-" for
// each blank, no punctuation. "section" where nothing is left.
func GitHubSlug(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_':
			b.WriteRune(r)
		case r < 0x80:
			if r >= 'A' && r <= 'Z' {
				r |= 0x20
			}
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				b.WriteByte(byte(r))
			}
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			b.WriteRune(unicode.ToLower(r))
		}
	}
	if b.Len() == 0 {
		return "section"
	}
	return b.String()
}

// isPlain reports whether a text has ASCII and Chinese characters alone. The others may consist of a
// letter and its accents, which the rules that drop accents part.
func isPlain(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 && !unicode.Is(unicode.Han, r) })
}

// ofVitePress: a "-" for each run of ASCII punctuation and blanks, none at the ends, "_" before a
// digit at the beginning.
func ofVitePress(text string) string {
	if !isPlain(text) {
		return ""
	}
	kept := strings.Trim(joinRuns(strings.ToLower(text), func(r rune) bool { return r < 0x80 && !isAlphanumeric(r) }), "-")
	if kept != "" && kept[0] >= '0' && kept[0] <= '9' {
		kept = "_" + kept
	}
	return kept
}

// ofPythonMarkdown: ASCII alone, letters, digits and "_", a "-" for each run of blanks and dashes.
func ofPythonMarkdown(text string) string {
	if !isPlain(text) {
		return ""
	}
	kept := strings.Map(func(r rune) rune {
		if r < 0x80 && (isAlphanumeric(r) || r == '_' || r == '-' || unicode.IsSpace(r)) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	return joinRuns(strings.TrimSpace(kept), func(r rune) bool { return r == '-' || unicode.IsSpace(r) })
}

// joinRuns writes a "-" for each run of characters that part words.
func joinRuns(text string, parts func(rune) bool) string {
	var b strings.Builder
	before := false
	for _, r := range text {
		if parts(r) {
			if !before {
				b.WriteByte('-')
			}
			before = true
			continue
		}
		before = false
		b.WriteRune(r)
	}
	return b.String()
}

func isAlphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// ofHugo: a "-" for each blank and dash; letters, digits and "_" stay.
func ofHugo(text string) string {
	out := strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(text))
	if out == "" {
		return "heading"
	}
	return out
}

// ofMdBook: a "-" for each white space; letters, numbers, "_" and "-" stay. Releases differ in letters
// beyond ASCII that have a lower case.
func ofMdBook(text string) string {
	out := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return '-'
		case r == '_' || r == '-' || isAlphanumeric(r):
			return unicode.ToLower(r)
		case r >= 0x80 && (unicode.IsLetter(r) || unicode.IsNumber(r)):
			return r
		}
		return -1
	}, strings.TrimSpace(text))
	if strings.ContainsFunc(out, unicode.IsUpper) {
		return ""
	}
	return out
}

// ofDocutils: ASCII letters and digits, a "-" for each run of others, from the first letter on.
func ofDocutils(text string) string {
	if !isPlain(text) {
		return ""
	}
	kept := strings.Map(func(r rune) rune {
		if r < 0x80 {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	kept = joinRuns(strings.TrimSpace(kept), func(r rune) bool { return !isAlphanumeric(r) })
	return strings.TrimRight(strings.TrimLeft(kept, "-0123456789"), "-")
}

// ofKramdown: from the first ASCII letter on; ASCII letters, digits, and "-" for blanks.
func ofKramdown(text string) string {
	first := strings.IndexFunc(text, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' })
	if first < 0 {
		return "section"
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case isAlphanumeric(r):
			return unicode.ToLower(r)
		}
		return -1
	}, text[first:])
}

// ofPandoc: from the first letter on; letters, digits, "_", "-", ".", and "-" for runs of blanks.
func ofPandoc(text string) string {
	kept := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune("_-.", r) || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	kept = joinRuns(strings.TrimSpace(kept), unicode.IsSpace)
	if kept = strings.TrimLeftFunc(kept, func(r rune) bool { return !unicode.IsLetter(r) }); kept == "" {
		return "section"
	}
	return kept
}
