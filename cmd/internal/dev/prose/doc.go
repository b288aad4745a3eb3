// Command prose measures the English of the comments, the README and the manual. It counts
// turns of phrase that mark a translated text, per package and per page:
//
//	make prose                     counts, and fails where a figure is exceeded
//	make prose LIST=pipeline/eval  lists the marked turns of a package or page
//	make prose-lower               writes lower figures after a rewrite
//
// Terms. A mark is a pattern for such a turn: a relative clause in place of a noun ("what
// is left" for "the rest"), "none" as a noun, "beside" for "next to", "says whether" for
// "reports whether". A marked turn is one match. A figure is the number of marked turns of a
// package or page, in testdata/prose/figures.
//
// A package or page may not exceed its figure, and without a figure it may have 2 marked
// turns per 100 lines, as may the whole tree. Figures only fall: the tool refuses to raise
// one. Files that move to another package take their turns with them, so the sum of all
// figures counts there.
//
// Lines are comment lines with text, and lines of a page outside of code blocks. Comments
// of tests count: they are read as often. Quotations, code, generated files, directives
// and folders named testdata do not count.
//
// Calibration with this list, Go 1.26: net/http .3 turns per 100 comment lines,
// cmd/go/internal .2, encoding .2, cmd/compile .1, database/sql .1, go/types .03, crypto
// .03. A pattern that idiomatic comments use was left out, such as "besides", "what to do"
// and "as such".
//
// Rejected: a linter with a dictionary of style (Vale, write-good): their rules are for
// marketing texts and passive voice, and find none of these turns. Rejected: percentages as
// figures: two changes of one package would always be in conflict, and a comment that is
// deleted would raise the figure.
//
// -names prints the average length of function names in letters and the share of names
// with at most four. These are not asserted.
//
// It refuses to judge names of tests, error messages and help texts: goldens and txtar
// stories show those to a reviewer.
package main
