package library

import (
	"fmt"
	"strings"

	"docent/pipeline/ingest"
)

// Summary is a report in one line for a person.
func Summary(r ingest.Report) string {
	text := Note(r)
	if left := r.Unread.String(); r.Touched() && left != "" {
		text += "; left out: " + left
	}
	return text
}

// Note is a summary without the files that no parser reads, for the note of an automatic
// update: they were named when the doc set was added, and the note has one line of a terminal.
func Note(r ingest.Report) string {
	pages := fmt.Sprintf("%d pages", r.Pages)
	if r.Pages == 1 {
		pages = "1 page"
	}
	text := fmt.Sprintf("%s: %s", r.Set, pages)
	if r.Touched() {
		var parts []string
		for _, p := range []struct {
			n    int
			what string
		}{{r.Added, "added"}, {r.Changed, "changed"}, {r.Removed, "removed"}, {r.Unchanged, "unchanged"}} {
			if p.n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
			}
		}
		if len(parts) > 0 {
			text += " (" + strings.Join(parts, ", ") + ")"
		}
	} else {
		text += ", nothing changed"
	}
	if r.Pages == 0 && r.Removed > 0 {
		text += "; no page is there any more"
	}
	if r.Touched() {
		failed := 0
		for _, f := range r.Failed {
			if f.Stage != ingest.StageLeftOut {
				failed++
			}
		}
		if n := len(r.Failed) - failed; n > 0 {
			text += fmt.Sprintf("; %d left out", n)
		}
		if failed > 0 {
			text += fmt.Sprintf("; %d could not be indexed", failed)
		}
	}
	return text
}
