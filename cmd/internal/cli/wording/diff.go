package wording

import (
	"cmp"
	"fmt"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/knowledge/versions"
	"docent/pipeline/service/versioning"
	"docent/pipeline/text/plural"
	"docent/store/doc"
)

// PagesOf counts pages.
func PagesOf(n int) string { return plural.Count(n, "page", "pages") }

// CountsOf are counts in words: "2 added, 1 removed".
func CountsOf(c versions.Counts) string {
	var out []string
	for _, x := range []struct {
		n    int
		word string
	}{{c.Added, "added"}, {c.Removed, "removed"}, {c.Renamed, "renamed"}, {c.Changed, "changed"}, {c.Moved, "moved"},
		{c.Unchanged, "the same"}} {
		if x.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", x.n, x.word))
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}

// DiffSigns are the signs of what became of pages and sections, and their colours on a
// terminal.
var DiffSigns = map[versions.Status][2]string{
	versions.Added: {"+", "\x1b[32m"}, versions.Removed: {"-", "\x1b[31m"}, versions.Renamed: {">", "\x1b[36m"},
	versions.Changed: {"~", "\x1b[33m"}, versions.Moved: {">", "\x1b[36m"}, versions.Same: {"=", ""},
}

// PageLine names a page of a diff by its title, as all lists of pages do, with its path behind it: of a page
// that was renamed both.
func PageLine(page versioning.DiffPage) string {
	switch before, after := page.Before, page.After; {
	case after == nil:
		return titledPath(before.Title, before.Path)
	case before == nil || before.Path == after.Path:
		return titledPath(after.Title, after.Path)
	case before.Title == after.Title:
		return titledPath(after.Title, before.Path+" → "+after.Path)
	default:
		return titledPath(before.Title, before.Path) + " → " + titledPath(after.Title, after.Path)
	}
}

// titledPath is a title with a path; the path alone where the page has no other title.
func titledPath(title, path string) string {
	if title == "" || title == path {
		return path
	}
	return title + " (" + path + ")"
}

// Counted are the sections of a page in words.
func Counted(page versioning.DiffPage) string {
	n := page.Counts
	n.Unchanged = 0
	if n == (versions.Counts{}) {
		return ""
	}
	return "  (sections: " + CountsOf(n) + ")"
}

// ShownPath is a section path as people read it at all doors. Programs get it with doc.PathSeparator.
func ShownPath(path string) string {
	return strings.ReplaceAll(path, doc.PathSeparator, contract.SectionPath)
}

// SectionLine says which section it is and what became of it, without what all sections
// of the page begin with.
func SectionLine(page versioning.DiffPage, s versioning.DiffSection, shared string) string {
	full := func(at *versioning.SectionPlace) string {
		return cmp.Or(ShownPath(at.Section), "(before the first heading)")
	}
	name := func(at *versioning.SectionPlace) string { return strings.TrimPrefix(full(at), ShownPath(shared)) }
	what := string(s.Status)
	if s.Edited {
		what += " and changed"
	}
	switch {
	case s.After == nil:
		return name(s.Before) + "  " + what
	case s.Before == nil:
		return name(s.After) + "  " + what
	case s.Before.Path != s.After.Path && page.After != nil && s.After.Path == page.After.Path:
		return name(s.After) + "  " + what + ", from " + s.Before.Path + ": " + full(s.Before)
	case s.Before.Path != s.After.Path && (page.Before == nil || page.After == nil || s.Before.Path != page.Before.Path ||
		s.After.Path != page.After.Path):
		return name(s.Before) + "  " + what + ", to " + s.After.Path + ": " + full(s.After)
	case name(s.Before) != name(s.After):
		return name(s.After) + "  " + what + ", was " + name(s.Before)
	}
	return name(s.After) + "  " + what
}

// ChangeLines are the lines of a change in both versions, as diff -u has them.
func ChangeLines(ch versioning.LineChange) string {
	side := func(sign string, lines *[2]int) string {
		switch {
		case lines == nil:
			return ""
		case lines[0] == lines[1]:
			return fmt.Sprintf(" %s%d", sign, lines[0])
		}
		return fmt.Sprintf(" %s%d–%d", sign, lines[0], lines[1])
	}
	return "@@" + side("-", ch.BeforeLines) + side("+", ch.AfterLines) + " @@"
}
