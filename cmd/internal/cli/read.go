package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/store"
	"docent/store/doc"
)

func (c *command) readCmd() *cobra.Command {
	var section string
	var toc bool
	cmd := &cobra.Command{
		Use:   "read SET/PAGE",
		Short: "a page, a section of it, or its table of contents",
		Long: `Prints a page, named by its path in the doc set or its title (or by the path of
a cited block): rendered on a terminal, as it stands in the file in a pipe.`,
		Example:           `  docent read "Docent_Manual/Getting started" --toc`,
		Args:              minArgs(1, "a page"),
		ValidArgsFunction: c.completePages(),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := cmd.Flags().Changed("section")
			switch {
			case given && toc:
				return contract.Invalid("section", "--section and --toc exclude each other; give one of them")
			case given && strings.Trim(section, "# ") == "":
				return contract.Invalid("section", "--section is empty; give a heading or an anchor (--toc lists the headings)")
			}
			return c.with(cmd.Context(), func(a *app.App) error {
				return c.read(cmd.Context(), a, strings.Join(args, " "), section, toc)
			})
		},
	}
	cmd.Flags().StringVar(&section, "section", "", "only the section under this `HEADING` (or #anchor)")
	cmd.Flags().BoolVar(&toc, "toc", false, "the page's headings; of a doc set alone, its pages")
	return cmd
}

func (c *command) read(ctx context.Context, a *app.App, name, section string, toc bool) error {
	set, path, err := c.findPage(ctx, a, name)
	if alone, ok := errors.AsType[*setAlone](err); ok && toc {
		return c.printPages(ctx, a, alone.set)
	}
	if err != nil {
		return err
	}
	p, err := a.Library.Page(ctx, set, path)
	if err != nil {
		return err
	}
	if p.Changed {
		c.note("%s changed since it was indexed; this is the file as it is now", p.Path)
	}
	if toc {
		return c.printTOC(p)
	}
	body, span := p.Doc.Text, doc.Span{StartLine: 1, EndLine: p.Doc.Lines, End: len(p.Doc.Text)}
	var sec *doc.Section
	if section != "" {
		if sec, err = findSection(p, section); err != nil {
			return err
		}
		span = sec.Tree
		body = p.Doc.Text[span.Start:span.End]
	}
	switch {
	case c.json:
		return c.printJSON(map[string]any{"doc_set": set.Ref.String(), "file_path": p.Path, "page_title": p.Doc.Title, "url": p.Doc.URL,
			"lines": [2]int{span.StartLine, span.EndLine}, "sha256": p.SHA256, "changed": p.Changed, "content": string(body)})
	case c.io.OutTTY:
		return c.render(string(body))
	}
	_, err = c.io.Out.Write(body)
	return err
}

func (c *command) printTOC(p *corpus.Page) error {
	type entry struct {
		Level  int      `json:"level"`
		Text   string   `json:"text"`
		Anchor string   `json:"anchor"`
		Lines  [2]int   `json:"lines"`
		Path   []string `json:"path"`
	}
	entries := []entry{}
	for _, s := range p.Doc.Sections {
		if s.Level > 0 {
			entries = append(entries, entry{s.Level, s.Text, s.Anchor, [2]int{s.Tree.StartLine, s.Tree.EndLine}, s.Path})
		}
	}
	if c.json {
		return c.printJSON(map[string]any{"doc_set": p.Set.Ref.String(), "file_path": p.Path, "page_title": p.Doc.Title, "toc": entries})
	}
	for _, e := range entries {
		fmt.Fprintf(c.io.Out, "%s%s  (line %d)\n", strings.Repeat("  ", e.Level-1), c.forTerminal(e.Text), e.Lines[0])
	}
	return nil
}

// findSection finds a heading by its text ("## Text" of that level, where there
// is one) or anchor ("#anchor" of that alone). Of several with the same text
// none is preferred.
func findSection(p *corpus.Page, want string) (*doc.Section, error) {
	want = strings.TrimSpace(want)
	marks := len(want) - len(strings.TrimLeft(want, "#"))
	text := strings.TrimSpace(want[marks:])
	level := 0
	if strings.HasPrefix(want[marks:], " ") {
		level = marks
	}
	byAnchor := func(s doc.Section) bool { return s.Anchor == text }
	byText := func(s doc.Section) bool { return s.Text == text }
	ways := []func(doc.Section) bool{
		func(s doc.Section) bool { return byText(s) || byAnchor(s) },
		func(s doc.Section) bool { return strings.EqualFold(s.Text, text) },
	}
	if marks == 1 && level == 0 {
		ways = slices.Insert(ways, 0, byAnchor)
	}
	for _, way := range ways {
		found := sections(p, way)
		if ofLevel := slices.DeleteFunc(slices.Clone(found), func(s *doc.Section) bool { return s.Level != level }); len(ofLevel) > 0 {
			found = ofLevel
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return nil, severalSections(p, text, found)
		}
	}
	var names []string
	for _, s := range sections(p, func(doc.Section) bool { return true }) {
		names = append(names, s.Text)
	}
	msg := fmt.Sprintf("%s has no section %q", p.Doc.Title, text)
	if near := corpus.NearestNames(text, names); len(near) > 0 {
		msg += "; did you mean " + strings.Join(near, " or ") + "?"
	} else {
		msg += "; --toc lists its sections"
	}
	return nil, contract.Invalid("section", "%s", msg)
}

// sections are the page's headings that fit.
func sections(p *corpus.Page, fits func(doc.Section) bool) []*doc.Section {
	var found []*doc.Section
	for i := range p.Doc.Sections {
		if s := &p.Doc.Sections[i]; s.Level > 0 && fits(*s) {
			found = append(found, s)
		}
	}
	return found
}

func severalSections(p *corpus.Page, text string, found []*doc.Section) error {
	var anchors, places []string
	for _, s := range found {
		anchors = append(anchors, s.Anchor)
		places = append(places, fmt.Sprintf("#%s (line %d)", s.Anchor, s.Tree.StartLine))
	}
	e := contract.Invalid("section", "%s has %d sections %q: %s; give one by its anchor: --section '#%s'", p.Doc.Title, len(found), text, strings.Join(places, ", "), anchors[len(anchors)-1])
	e.Details["candidates"] = anchors
	return e
}

// setAlone means that a doc set was named where a page is wanted.
type setAlone struct{ set store.Set }

func (e *setAlone) Error() string {
	return fmt.Sprintf("%s is a doc set and no page; give %s/PAGE (docent read %s --toc lists its pages)", e.set.Ref, e.set.Ref, e.set.Ref)
}

// Unwrap makes it an error of the input.
func (e *setAlone) Unwrap() error { return contract.Invalid("page", "%s", e.Error()) }

// printPages prints what `docent read` can print of a doc set.
func (c *command) printPages(ctx context.Context, a *app.App, set store.Set) error {
	type entry struct {
		Path  string `json:"file_path"`
		Title string `json:"page_title"`
		Lines int    `json:"lines"`
	}
	docs, err := a.Library.Catalog.Documents(ctx, set.ID)
	if err != nil {
		return err
	}
	pages := []entry{}
	for _, d := range docs {
		pages = append(pages, entry{d.Path, d.Title, d.Lines})
	}
	if c.json {
		return c.printJSON(map[string]any{"doc_set": set.Ref.String(), "pages": pages})
	}
	for _, p := range pages {
		fmt.Fprintf(c.io.Out, "%s/%s  (%s)\n", clean(set.Ref.String()), clean(p.Path), clean(p.Title))
	}
	return nil
}

// blockFolder is where a cited block says that doc sets lie: md_docs/SET/PAGE.
const blockFolder = "md_docs/"

// findPage finds a page by SET/PAGE, also as a cited block writes it, or by PAGE
// alone among the sets narrowed to.
func (c *command) findPage(ctx context.Context, a *app.App, name string) (store.Set, string, error) {
	none := func(err error) (store.Set, string, error) { return store.Set{}, "", err }
	sets, err := c.chosen(ctx, a, c.sets)
	if err != nil {
		return none(err)
	}
	if rest, ok := strings.CutPrefix(name, blockFolder); ok {
		if set, _, _ := strings.Cut(rest, "/"); strings.ContainsAny(set, ":@") {
			name = rest
		}
	}
	page := name
	var unknown error // the doc set that the name would be of
	head, rest, ok := strings.Cut(name, "/")
	if ok {
		one, err := a.Library.Resolve(ctx, []string{head})
		switch {
		case err == nil:
			sets, page = one, rest
		case len(c.sets) == 0 && strings.Contains(head, "@"):
			return none(err)
		case len(c.sets) == 0:
			unknown = err
		}
	}
	type candidate struct {
		set  store.Set
		path string
	}
	var found []candidate
	var titles []string         // for a name that is near to none of them
	full := map[string]string{} // the same with the doc set
	for _, fold := range []bool{false, true} {
		for _, s := range sets {
			docs, err := a.Library.Catalog.Documents(ctx, s.ID)
			if err != nil {
				return none(err)
			}
			for _, d := range docs {
				if _, ok := full[d.Title]; !ok {
					titles = append(titles, d.Title)
					full[d.Title] = s.Ref.Name + "/" + d.Title
				}
				if strings.HasPrefix(d.Path, head+"/") {
					unknown = nil // a folder of pages
				}
				if pageMatches(d, page, fold) {
					found = append(found, candidate{s, d.Path})
				}
			}
		}
		if len(found) > 0 {
			break
		}
	}
	switch {
	case len(found) == 1:
		return found[0].set, found[0].path, nil
	case len(found) == 0 && unknown != nil:
		return none(unknown)
	case len(found) == 0:
		if one, err := a.Library.Resolve(ctx, []string{strings.TrimSuffix(name, "/")}); err == nil {
			return none(&setAlone{one[0]})
		}
		msg := fmt.Sprintf("there is no page %q", name)
		near := corpus.NearestNames(page, titles)
		for i, title := range near {
			near[i] = full[title]
		}
		if len(near) > 0 {
			msg += "; did you mean " + strings.Join(near, " or ") + "?"
		} else {
			msg += "; docent search finds pages by what they say"
		}
		return none(contract.Invalid("page", "%s", msg))
	}
	var names []string
	for _, f := range found {
		names = append(names, f.set.Ref.String()+"/"+f.path)
	}
	e := contract.Invalid("page", "%q is the name of %d pages: %s", name, len(found), strings.Join(names, ", "))
	e.Details["candidates"] = names
	return none(e)
}

// pageMatches: by path (also without its ending or docContent.md) or title;
// with fold whatever the case, and by first heading.
func pageMatches(d store.Document, want string, fold bool) bool {
	same := func(a, b string) bool { return a == b }
	if fold {
		same = strings.EqualFold
	}
	bare := strings.TrimSuffix(d.Path, "/"+doc.ContentFile)
	if i := strings.LastIndexByte(bare, '.'); i > strings.LastIndexByte(bare, '/') {
		if same(bare[:i], want) {
			return true
		}
	}
	return same(d.Path, want) || same(bare, want) || same(d.Title, want) || fold && same(d.H1, want)
}

func (c *command) verifyCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "verify [FILE|-]",
		Short:   "prove an AOP-FINAL block line by line against the sources",
		Example: `  docent ask "what does verify do" | docent verify`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("docent verify takes one file, or - for standard input")
			}
			file := "-"
			if len(args) == 1 {
				file = args[0]
			}
			if file == "-" && c.io.InTTY {
				return usage("give a file, or the block on standard input: docent ask … | docent verify")
			}
			return c.verify(cmd.Context(), file)
		},
	}
}
