package wordvectors

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/ingest/parse/formats"
	"docent/store/analysis"
	"docent/store/doc"
)

// Section is a section of a page, as terms.
type Section struct {
	Heading []string // its own, or the page's title
	Path    []string // the page's title and the headings above
	First   []string // its first sentence
	Rest    []string // the text after it
}

// Bounds of the reading: a reference of 50 000 pages says no more than some of them, and
// the subject of a section is clear from its beginning.
const (
	maxPages       = 2500
	maxSource      = 1 << 20 // bytes of a page
	maxText        = 8000    // bytes of a section
	minText        = 80
	maxHeading     = 24 // terms
	maxFirst       = 40
	maxRest        = 160
	minTerms       = 8
	minFirstLength = 20 // bytes before the end of a sentence
)

// ReadSections reads the sections of a folder of documentation. Of more than maxPages
// pages a part is read, chosen by the hashes of their paths, and of sections with the same
// text one.
func ReadSections(ctx context.Context, folder string) ([]Section, error) {
	parsers, err := formats.AllParsers()
	if err != nil {
		return nil, err
	}
	rules := domain.New(domain.Set{}, domain.Repository{}, domain.Repository{}, parsers.Endings(contract.DefaultDomain))
	found, err := ingest.ScanPages(ctx, folder, doc.LayoutTree, parsers, rules)
	if err != nil {
		return nil, err
	}
	inside := files.InFolder(folder, found.Paths)
	pages := slices.DeleteFunc(found.Files, func(f ingest.File) bool { return foreign(f.Path) })
	slices.SortStableFunc(pages, func(a, b ingest.File) int { return cmp.Compare(hashText(a.Path), hashText(b.Path)) })
	r := reader{analyzer: analysis.New(), seen: map[uint64]bool{}}
	for _, f := range pages[:min(len(pages), maxPages)] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		source, err := files.ReadInside(folder, f.Path)
		if err != nil {
			return nil, err
		}
		if len(source) > maxSource {
			continue
		}
		page, err := parsers.Parse(ctx, source, parse.File{Path: f.Path, Layout: doc.LayoutTree, Files: inside})
		if err != nil {
			continue // a page that no parser reads
		}
		r.addPage(page)
	}
	return r.sections, nil
}

// foreign reports whether a page is by its path a translation, a copy of other projects' text,
// an older version, a test's input or a list of changes.
func foreign(path string) bool {
	path = strings.ToLower(path)
	if strings.Contains(path, "changelog") {
		return true
	}
	parts := strings.Split(path, "/")
	return slices.ContainsFunc(parts[:len(parts)-1], func(folder string) bool {
		return slices.Contains(foreignFolders(), folder)
	})
}

func foreignFolders() []string {
	return []string{"node_modules", "vendor", "third_party", "test", "tests", "testdata", "fixtures", "i18n", "translation", "translations",
		"versions", "_versions", "versioned_docs", "zh", "zh-cn", "zh_cn", "zh-tw", "zh-hans", "ja", "ja-jp", "ja_jp", "ko", "ko-kr", "fr", "de",
		"es", "ru", "pt", "pt-br", "pt_br", "it", "uk", "pl"}
}

// reader collects sections.
type reader struct {
	analyzer *analysis.Analyzer
	seen     map[uint64]bool // the texts, hashed
	sections []Section
}

func (r *reader) addPage(page doc.Document) {
	for _, s := range page.Sections {
		text := string(page.Text[s.Span.Start:s.Span.End])
		if s.Source {
			_, text, _ = strings.Cut(text, "\n")
		}
		text = strings.TrimSpace(text)
		if hash := hashText(text); len(text) >= minText && !r.seen[hash] {
			r.seen[hash] = true
			r.addSection(page.Title, s, text)
		}
	}
}

func (r *reader) addSection(title string, s doc.Section, text string) {
	first, rest := cutSentence(text[:min(len(text), maxText)])
	one := Section{First: r.terms(first, maxFirst), Rest: r.terms(rest, maxRest)}
	if s.Level == 0 {
		one.Heading = r.terms(title, maxHeading)
	} else {
		one.Heading = r.terms(s.Text, maxHeading)
		one.Path = r.terms(title+"\n"+strings.Join(s.Path[:len(s.Path)-1], "\n"), maxHeading)
	}
	if len(one.First)+len(one.Rest) >= minTerms {
		r.sections = append(r.sections, one)
	}
}

// terms gives the first words of a text, stemmed: no identifiers and no numbers.
func (r *reader) terms(text string, most int) []string {
	var out []string
	r.analyzer.EachToken(text, func(t analysis.Token) {
		if t.Kind == analysis.Word && len(out) < most && len(t.Term) > 1 && len(t.Term) <= 24 && (t.Term[0] < '0' || t.Term[0] > '9') {
			out = append(out, t.Term)
		}
	})
	return out
}

// cutSentence gives the first sentence or paragraph of a text, and the rest.
func cutSentence(text string) (first, rest string) {
	for i := minFirstLength; i+1 < len(text); i++ {
		ends := strings.IndexByte(".:?", text[i]) >= 0 && (text[i+1] == ' ' || text[i+1] == '\n')
		if ends || text[i] == '\n' && text[i+1] == '\n' {
			return text[:i+1], text[i+1:]
		}
	}
	return text, ""
}

func hashText(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // it never fails
	return h.Sum64()
}
