package ingest

import (
	"docent/pipeline/ingest/chunk"
	"docent/store/doc"

	"docent/pipeline/text/pattern"
)

// referral is how a page says that its text is elsewhere. Short pages that only have a
// link in a sentence are definitions as often as not.
var referral = pattern.Lazy(`(?i)\b(moved|relocated|renamed|redirect\w*)\b|^see\b`)

// mostReferral is the most words of a page that only says where its text is.
const mostReferral = 25

// ownWords counts the words of a page outside of its headings and its lists of links; 0
// for a page that only points to its text.
func ownWords(d doc.Document) int {
	links := map[int]int{} // words of links, by line
	for _, l := range d.Links {
		links[l.Line] += chunk.CountWords(l.Text)
	}
	own, elsewhere := 0, false
	for _, b := range d.Blocks {
		if b.Kind == doc.HeadingRow || b.Kind == doc.Meta || b.Kind == doc.Rule {
			continue
		}
		words, linked := chunk.CountWords(b.Text), 0
		if b.Kind == doc.Code {
			words += chunk.CountWords(b.Code)
		}
		for line := b.Span.StartLine; line <= b.Span.EndLine && len(links) > 0; line++ {
			linked += links[line]
		}
		if linked >= words {
			continue
		}
		own += words
		elsewhere = elsewhere || linked > 0 && referral().MatchString(b.Text)
	}
	if elsewhere && own <= mostReferral {
		return 0
	}
	return own
}
