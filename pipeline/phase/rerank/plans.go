package rerank

import (
	"slices"
	"strings"

	"docent/pipeline/contract"
)

// planFolders are names of folders whose pages say how a program might be built: proposals,
// requests for comments, records of decisions. Many repositories have them next to the
// documentation. They use its words, often more of them than the page that tells how the program is used.
var planFolders = []string{"design", "designs", "design-docs", "design_docs", "designdocs", "proposal", "proposals", "rfc", "rfcs",
	"adr", "adrs", "kep", "keps", "decisions", "design-proposals"}

// planWords are beginnings of words by which a question asks for such pages.
var planWords = []string{"design", "propos", "rfc", "adr", "kep", "decision", "decide", "rationale", "alternativ", "why"}

// weightPlan is the trait of a page that says how a program might be built.
const weightPlan = -1.2

// liesAmongPlans reports whether a page lies in a folder of plans.
func liesAmongPlans(file string) bool {
	parts := strings.Split(strings.ToLower(file), "/")
	return slices.ContainsFunc(parts[:len(parts)-1], func(p string) bool { return slices.Contains(planFolders, p) })
}

// usedSets are the doc sets of results that have pages outside of folders of plans. Where all
// pages are plans, they are what the doc set is about.
func usedSets(results []contract.Result) map[string]bool {
	out := map[string]bool{}
	for _, r := range results {
		if !liesAmongPlans(r.FilePath) {
			out[r.DocSet] = true
		}
	}
	return out
}

// asksForPlans reports whether a question has a word by which it asks for plans.
func asksForPlans(in *contract.Context) bool {
	for word := range strings.FieldsSeq(strings.ToLower(in.Question)) {
		if slices.ContainsFunc(planWords, func(w string) bool { return strings.HasPrefix(word, w) }) {
			return true
		}
	}
	return false
}
