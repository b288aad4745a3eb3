// Package shorten cuts texts that are too long for a message or a table and marks the cut
// with "…". It refuses to measure columns of a terminal: the app's widgets do.
package shorten

import (
	"strings"
	"unicode/utf8"

	"docent/pipeline/text/spacing"
)

// Bytes is a text of at most so many bytes, cut between characters; the mark of the cut
// comes on top. Invalid bytes of a text that is cut are left out.
func Bytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// Runes is a text of at most so many characters; the mark of the cut comes on top.
func Runes(s string, most int) string {
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

// Line is Bytes of a text in one line, with single spaces between its words.
func Line(s string, most int) string { return Bytes(spacing.Single(s), most) }
