package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/contract"
	"docent/pipeline/library"
	"docent/store/catalog"
	"docent/store/doc"
)

func (c *command) readCmd() *cobra.Command {
	var section string
	var toc bool
	cmd := &cobra.Command{
		Use:   "read SET/PAGE",
		Short: "a page, a section of it, or its table of contents",
		Long: `Prints a page, named by its path in the doc set or its title: rendered on a
terminal, as it stands in the file in a pipe.`,
		Example: `  docent read "Docent_Manual/Getting started" --toc`,
		Args:    minArgs(1, "a page"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(a *app.App) error {
				return c.read(cmd.Context(), a, strings.Join(args, " "), section, toc)
			})
		},
	}
	cmd.Flags().StringVar(&section, "section", "", "only the section under this `HEADING` (or anchor)")
	cmd.Flags().BoolVar(&toc, "toc", false, "the page's headings")
	return cmd
}

func (c *command) read(ctx context.Context, a *app.App, name, section string, toc bool) error {
	set, path, err := c.findPage(ctx, a, name)
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
	body, span := p.Source, doc.Span{StartLine: 1, EndLine: p.Doc.Lines, End: len(p.Source)}
	var sec *doc.Section
	if section != "" {
		if sec, err = findSection(p, section); err != nil {
			return err
		}
		span = sec.Tree
		body = p.Source[span.Start:span.End]
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

func (c *command) printTOC(p *library.Page) error {
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

// findSection finds a heading by its text or anchor.
func findSection(p *library.Page, want string) (*doc.Section, error) {
	want = strings.TrimSpace(strings.TrimLeft(want, "# "))
	var names []string
	for _, exact := range []bool{true, false} {
		for i := range p.Doc.Sections {
			s := &p.Doc.Sections[i]
			if s.Level == 0 {
				continue
			}
			if s.Text == want || s.Anchor == want || !exact && strings.EqualFold(s.Text, want) {
				return s, nil
			}
			if exact {
				names = append(names, s.Text)
			}
		}
	}
	msg := fmt.Sprintf("%s has no section %q", p.Doc.Title, want)
	if near := library.NearestNames(want, names); len(near) > 0 {
		msg += "; did you mean " + strings.Join(near, " or ") + "?"
	} else {
		msg += "; --toc lists its sections"
	}
	return nil, contract.Invalid("section", "%s", msg)
}

// findPage finds a page by SET/PAGE, or PAGE alone among the sets narrowed to.
func (c *command) findPage(ctx context.Context, a *app.App, name string) (catalog.Set, string, error) {
	sets, err := c.chosen(ctx, a, c.sets)
	if err != nil {
		return catalog.Set{}, "", err
	}
	page := name
	if head, rest, ok := strings.Cut(name, "/"); ok {
		if one, err := a.Library.Resolve(ctx, []string{head}); err == nil {
			sets, page = one, rest
		} else if len(c.sets) == 0 && strings.Contains(head, "@") {
			return catalog.Set{}, "", err
		}
	}
	type candidate struct {
		set  catalog.Set
		path string
	}
	var found []candidate
	var titles []string         // for a name that is near to none of them
	full := map[string]string{} // the same with the doc set
	for _, fold := range []bool{false, true} {
		for _, s := range sets {
			docs, err := a.Library.Catalog.Documents(ctx, s.ID)
			if err != nil {
				return catalog.Set{}, "", err
			}
			for _, d := range docs {
				if _, ok := full[d.Title]; !ok {
					titles = append(titles, d.Title)
					full[d.Title] = s.Ref.Name + "/" + d.Title
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
	switch len(found) {
	case 1:
		return found[0].set, found[0].path, nil
	case 0:
		msg := fmt.Sprintf("there is no page %q", name)
		near := library.NearestNames(page, titles)
		for i, title := range near {
			near[i] = full[title]
		}
		if len(near) > 0 {
			msg += "; did you mean " + strings.Join(near, " or ") + "?"
		} else {
			msg += "; docent search finds pages by what they say"
		}
		return catalog.Set{}, "", contract.Invalid("page", "%s", msg)
	}
	var names []string
	for _, f := range found {
		names = append(names, f.set.Ref.String()+"/"+f.path)
	}
	e := contract.Invalid("page", "%q is the name of %d pages: %s", name, len(found), strings.Join(names, ", "))
	e.Details["candidates"] = names
	return catalog.Set{}, "", e
}

// pageMatches: by path (also without its ending or docContent.md) or title;
// with fold whatever the case, and by first heading.
func pageMatches(d catalog.Document, want string, fold bool) bool {
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
