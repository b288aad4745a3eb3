package question

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/question/lexicon"
	"docent/store/doc"
)

// SetInfo is a doc set whose name is looked for in questions.
type SetInfo struct {
	Ref     doc.Ref
	Aliases []string // other names that people gave it
}

// Sets lists the doc sets, in any order.
type Sets interface {
	Sets(ctx context.Context) ([]SetInfo, error)
}

// Implier is an optional interface of a Sets: the doc sets that a question implies if it names
// none; nil if it implies none.
type Implier interface {
	Implied(ctx context.Context, question string) ([]doc.Ref, error)
}

// Target is the doc sets in which a question is searched.
type Target struct {
	DocSets  []string // canonical names, in the order of mention; empty: all
	Explicit bool     // a person named them, by flag or in the question
	Naming   Naming   // where the question names them
	Notes    []string // versions that are not there, and which ones answer

	sets []SetInfo // whose names are looked for
}

// FindAim finds a question's target: the given doc sets, unchanged; else the doc sets that
// it names; else the doc sets that it implies. sets may be nil: then no names are looked for.
func FindAim(ctx context.Context, sets Sets, given []string, text string) (Target, error) {
	var t Target
	for _, g := range given {
		if g = strings.TrimSpace(g); g != "" && !slices.Contains(t.DocSets, g) {
			t.DocSets = append(t.DocSets, g)
		}
	}
	t.Explicit = len(t.DocSets) > 0
	if sets == nil {
		return t, nil
	}
	infos, err := sets.Sets(ctx)
	if err != nil {
		return Target{}, fmt.Errorf("reading which doc sets there are: %w", err)
	}
	if t.Explicit {
		all := infos
		// The names of these doc sets are removed from the question; the name of
		// another one is an ordinary word.
		infos = slices.DeleteFunc(slices.Clone(infos), func(i SetInfo) bool {
			return !slices.ContainsFunc(t.DocSets, func(g string) bool {
				return g == i.Ref.String() || g == i.Ref.ColonForm() || g == i.Ref.Name
			})
		})
		t.sets, t.Naming = infos, detect(text, infos)
		if len(t.Naming.Missing) > 0 {
			t.Notes = t.Naming.versionNotes(detect(text, all))
		}
		return t, nil
	}
	t.sets, t.Naming = infos, detect(text, infos)
	t.Notes = t.Naming.versionNotes(t.Naming)
	refs := t.Naming.Refs
	t.Explicit = len(refs) > 0
	if imp, ok := sets.(Implier); ok && !t.Explicit {
		if refs, err = imp.Implied(ctx, text); err != nil {
			return Target{}, fmt.Errorf("finding the doc sets that the question implies: %w", err)
		}
	}
	for _, r := range refs {
		if s := r.String(); !slices.Contains(t.DocSets, s) {
			t.DocSets = append(t.DocSets, s)
		}
	}
	return t, nil
}

// ApplyTo writes the target into a phase's context.
func (t Target) ApplyTo(c *contract.Context) {
	c.DocSets, c.DocSetsExplicit, c.Notes = slices.Clone(t.DocSets), t.Explicit, slices.Clone(t.Notes)
}

// isNoise reports whether a word of a doc set's name is meaningless, such as "docs".
func isNoise(token string) bool {
	switch token {
	case "doc", "docs", "document", "documents", "documentation", "com", "www", "org", "net", "io", "dev",
		"latest", "stable", "current", "main", "master", "the", "a", "an", "of", "for", "manual", "guide",
		"handbook", "reference", "ref", "book", "help", "site", "website", "html", "md", "mdx", "markdown", "rst", "txt", "pdf",
		"official", "en", "zh", "ver", "version":
		return true
	}
	return false
}

// sameName is another common name for a product, or "".
func sameName(token string) string {
	switch token {
	case "k8s":
		return "kubernetes"
	case "kubernetes":
		return "k8s"
	case "postgres":
		return "postgresql"
	case "postgresql":
		return "postgres"
	case "go":
		return "golang"
	case "js":
		return "javascript"
	case "ts":
		return "typescript"
	case "py":
		return "python"
	case "tf":
		return "terraform"
	case "drf":
		return "django rest framework"
	}
	return ""
}

// isGeneralWord reports whether a word is used in questions about any product: the English
// words of the lexicon and a few product names that are ordinary words.
func isGeneralWord(token string) bool {
	_, ok := generalWords()[token]
	if !ok && len(token) > 3 {
		_, ok = generalWords()[strings.TrimSuffix(token, "s")]
	}
	return ok
}

var generalWords = sync.OnceValue(func() map[string]struct{} {
	words := make(map[string]struct{}, 2048)
	lexicon.English(func(gloss string, _ bool) {
		for w := range strings.FieldsSeq(strings.ToLower(gloss)) {
			words[w] = struct{}{}
		}
	})
	for w := range strings.FieldsSeq("go next express spring swift react flask dart crystal julia node helm echo " +
		"gin fiber fresh remix vault consul packer nomad chef salt puppet make test tests web app apps desktop cli sdk ai " +
		"llm pages faq tutorial tutorials intro basics core common shared public internal team company product cloud mobile " +
		"frontend backend ops devops platform infra wiki notes blog kb knowledge example examples demo sample samples my our " +
		"new old misc general home index readme changelog how what why get started open source all one two") {
		words[w] = struct{}{}
	}
	return words
})

// name is the forms in which a question may name a doc set.
type name struct {
	info    SetInfo
	group   string     // the core, joined: sets of one group are versions of one another
	version string     // of the ref, or found in the name: "1.31"; "" for latest and the like
	forms   [][]string // token sequences that name it
	needs   []bool     // the form of the same index counts only next to a marker
}

func newName(info SetInfo) name {
	n := name{info: info}
	core, version := splitName(info.Ref.Name)
	n.group = strings.Join(core, " ")
	n.version = plainVersion(info.Ref.Version)
	if n.version == "" {
		n.version = version
	}
	n.addForm(core)
	for i, t := range core {
		if other := sameName(t); other != "" {
			form := slices.Clone(core[:i])
			form = append(form, strings.Fields(other)...)
			n.addForm(append(form, core[i+1:]...))
		}
	}
	if n.group == "" {
		n.group = strings.ToLower(info.Ref.Name)
	}
	// The whole name, for names of meaningless words alone.
	n.forms = append(n.forms, []string{strings.ToLower(info.Ref.Name)})
	n.needs = append(n.needs, !strings.ContainsAny(info.Ref.Name, "_-. ") && (isGeneralWord(n.group) || isNoise(n.group)))
	for _, a := range info.Aliases {
		alias, _ := splitName(a)
		n.addForm(alias)
	}
	return n
}

// addForm adds a form. A form of general words alone ("hooks", "agent skills") is in too many
// questions that do not mean the doc set, and naming a doc set excludes all others. Such
// a form counts only next to a marker: "the hooks docs", "hooks@latest".
func (n *name) addForm(form []string) {
	if len(form) == 0 {
		return
	}
	n.forms = append(n.forms, form)
	n.needs = append(n.needs, !slices.ContainsFunc(form, func(t string) bool { return !isGeneralWord(t) && len([]rune(t)) > 1 }))
}

// splitName splits a doc set's name into lower-case tokens without noise, and finds the
// version in it. A token without a separator before it is joined to the one before by
// a NUL: "open\x00code".
func splitName(s string) (core []string, version string) {
	var numbers []string
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == '-' || unicode.IsSpace(r) }) {
		if v := plainVersion(part); v != "" && len(core) > 0 {
			numbers = append(numbers, v)
			continue
		}
		for _, sub := range strings.Split(part, ".") {
			if t := strings.Join(splitCamel(sub), "\x00"); t != "" && !isNoise(t) {
				core = append(core, t)
			}
		}
	}
	return core, strings.Join(numbers, ".")
}

// splitCamel cuts OpenCode into open and code, in lower case.
func splitCamel(s string) []string {
	var out []string
	start, lower := 0, false
	for i, r := range s {
		if lower && unicode.IsUpper(r) {
			out = append(out, strings.ToLower(s[start:i]))
			start = i
		}
		lower = unicode.IsLower(r)
	}
	if start < len(s) {
		out = append(out, strings.ToLower(s[start:]))
	}
	return out
}

// plainVersion is a version's digits and dots: "1.31" for "v1.31"; "" if it has none.
func plainVersion(s string) string {
	s = strings.TrimPrefix(strings.ToLower(s), "v")
	s = strings.ReplaceAll(s, "-", ".")
	if s == "" || s[0] < '0' || s[0] > '9' {
		return ""
	}
	for _, r := range s {
		if (r < '0' || r > '9') && r != '.' {
			return ""
		}
	}
	return strings.Trim(s, ".")
}
