package tending

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/service/care"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/text/plural"
	"docent/store"
)

// statusView says how a home stands, or the pages of a doc set.
func statusView(c *invocation.Call) driver.View {
	return driver.View{
		Use: "[SET]",
		Long: `Says what there is. With a doc set, says of each of its pages whether the index has
it as it is on disk, and what could not be read; -v lists those without a fault too,
and the files that no parser reads.`,
		Example:  `  docent status --json`,
		Args:     "a doc set or nothing",
		Complete: completing.Sets(c),
		Text: func(answer any, to driver.Paper) {
			switch s := answer.(type) {
			case care.Status:
				writeStatus(s, to)
			case care.PagesAnswer:
				writePages(s, to)
			}
		},
	}
}

// writeStatus says how a home stands, in rows.
func writeStatus(st care.Status, to driver.Paper) {
	row := func(name, format string, args ...any) {
		to.Line(fmt.Sprintf("%-10s ", name) + fmt.Sprintf(format, args...))
	}
	row("version", "%s", st.Version)
	row("home", "%s", st.Home)
	row("config", "%s", st.Config)
	row("engine", "%s (no model is needed)", st.Engine)
	stale := ""
	if st.Stale > 0 {
		stale = fmt.Sprintf(", of which %d not fresh (docent sets lists them)", st.Stale)
	}
	row("doc sets", "%s%s", setsText(st.Sets), stale)
	row("pages", "%d with %d sections in %d passages, %s", st.Pages, st.Sections, st.Passages, console.Bytes(st.Bytes))
	index := console.Bytes(st.Index)
	if !isInFolder(st.Stores.Index, st.Home) {
		index += " at " + st.Stores.Index
	}
	row("index", "%s", index)
	if !isInFolder(st.Stores.Catalog, st.Home) {
		row("catalog", "%s", st.Stores.Catalog)
	}
	if len(st.Uploads) > 0 {
		row("files", "%s", uploadsText(st.Uploads))
	}
	if len(st.Models) > 0 {
		row("vectors", "of %s by %s", plural.Count(st.Embedded, "doc set", "doc sets"), strings.Join(st.Models, ", "))
	}
	for _, r := range st.Rows {
		row(r.Name, "%s", r.Text)
	}
	if st.Unsettled > 0 {
		row("learned", "vectors of %s: %s folded in since they were learned; docent update --settle learns them anew",
			plural.Count(st.Unsettled, "doc set", "doc sets"), plural.Count(st.Folded, "passage", "passages"))
	}
	if files, failed := st.LeftOut(); files+failed > 0 {
		var parts []string
		if files > 0 {
			parts = append(parts, plural.Count(files, "file that is no page", "files that are no pages"))
		}
		if failed > 0 {
			parts = append(parts, plural.Count(failed, "page", "pages")+" that could not be indexed")
		}
		row("left out", "%s (docent status SET counts and lists them)", strings.Join(parts, ", "))
	}
	for _, m := range st.Missing {
		row("missing", "%s: %s, and there are %s of that format; %s", m.Program, m.For, plural.Count(m.Files, "file", "files"), m.Mend)
	}
}

// isInFolder reports whether a store lies in the home's folder: then its place needs no mention.
func isInFolder(store, folder string) bool {
	path, err := filepath.Rel(folder, store)
	return err == nil && filepath.IsLocal(path)
}

// writePages says how the pages of a doc set stand.
func writePages(answer care.PagesAnswer, to driver.Paper) {
	counts := map[string]int{}
	for _, p := range answer.Pages {
		counts[p.State]++
		if p.State != library.PageFresh || to.Verbose {
			line := fmt.Sprintf("%-8s %s", p.State, p.Path)
			if to.Verbose && p.Domain != "" {
				line += "  " + p.Domain
				if p.Routing != nil {
					line += fmt.Sprintf(" (%s, %s, index %s)", p.Routing.Reason, p.Routing.Extractor, p.Routing.Index)
				}
			}
			if to.Verbose && p.Words.Source > 0 {
				line += ", " + p.Words.String()
			}
			if p.Reason != "" {
				line += " (" + p.Reason + ")"
			}
			to.Line(line)
		}
		for _, w := range p.Warnings {
			to.Line(fmt.Sprintf("%-8s %s: %s", "warning", p.Path, w))
		}
	}
	if to.Verbose {
		for _, path := range answer.Unread.Paths {
			to.Line(fmt.Sprintf("%-8s %s (no parser reads it)", "unread", path))
		}
		for _, r := range answer.Unread.Others {
			for _, path := range r.Paths {
				to.Line(fmt.Sprintf("%-8s %s (%s)", "unread", path, r.Reason))
			}
		}
	}
	if o := answer.Origin; o != nil {
		to.Line(fmt.Sprintf("%-8s %s", "source", originText(o)))
	}
	// Only files in the index are pages, here and in the library.
	inIndex := []string{library.PageFresh, library.PageChanged, library.PageGone}
	n := 0
	for _, state := range inIndex {
		n += counts[state]
	}
	text := fmt.Sprintf("%s: %s", answer.Set, plural.Count(n, "page", "pages"))
	for _, state := range inIndex {
		if n := counts[state]; n > 0 {
			text += fmt.Sprintf(", %d %s", n, state)
		}
	}
	sep := "; beside them "
	for _, state := range []string{library.PageNew, library.PageWaiting, library.PageFailed, library.PageLeftOut} {
		if n := counts[state]; n > 0 {
			text += fmt.Sprintf("%s%d %s", sep, n, state)
			sep = ", "
		}
	}
	if answer.Words.Source > 0 {
		text += fmt.Sprintf("; of the words of their files %s %% arrive", answer.Words.Percent())
	}
	if left := answer.Unread.String(); left != "" {
		text += "; left out: " + left
	}
	to.Line(text)
}

// setsText counts doc sets as the app does: the manual in addition to a person's own.
func setsText(sets []library.SetInfo) string {
	if len(sets) > 1 && slices.ContainsFunc(sets, func(s library.SetInfo) bool { return s.Set == home.ManualRef().String() }) {
		return fmt.Sprintf("%d and the manual", len(sets)-1)
	}
	return fmt.Sprint(len(sets))
}

// uploadsText says how the files stand that were handed in.
func uploadsText(counts map[string]int) string {
	waiting, failed := counts[store.UploadPending]+counts[store.UploadProcessing], counts[store.UploadFailed]
	text := plural.Count(waiting+failed+counts[store.UploadCompleted], "was handed in", "were handed in")
	if waiting > 0 {
		text += fmt.Sprintf(", %d waiting (docent worker takes them)", waiting)
	}
	if failed > 0 {
		text += fmt.Sprintf(", %d failed (docent jobs says why)", failed)
	}
	return text
}

// originText says where documents came from.
func originText(o *contract.Origin) string {
	text := o.Source
	if o.Ref != "" {
		text += ", " + o.Ref
	}
	if o.Commit != "" {
		text += " at " + o.Commit[:min(12, len(o.Commit))]
	}
	text += ", fetched " + o.Fetched.Format(time.DateOnly)
	if o.Licence != "" {
		text += "; licence: " + o.Licence
	}
	return console.OneLine(text)
}
