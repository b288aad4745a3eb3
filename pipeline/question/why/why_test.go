package why_test

import (
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/question/why"
)

func TestSentence(t *testing.T) {
	t.Parallel()
	part := func(query, field, term string) contract.ExplainPart {
		return contract.ExplainPart{Query: query, Field: field, Term: term, Value: 1}
	}
	const q = "what is lifetime elision in a signature"
	for _, tt := range []struct {
		name, title, heading string
		parts                []contract.ExplainPart
		want                 string
	}{
		{"nothing is known", "Lifetimes", "## Elision", nil, ""},
		{"title and text", "Lifetime elision", "# Lifetime elision", []contract.ExplainPart{
			part(q, "title", "lifetim"), part(q, "title", "elis"), part(q, "body", "lifetim"), part(q, "body", "elis"), part(q, "body", "signatur")},
			"title has “Lifetime elision”; 3 of 3 words in this section"},
		{"the heading before the title", "Lifetimes", "## The Elision, of a signature!", []contract.ExplainPart{
			part(q, "title", "lifetim"), part(q, "heading", "elis"), part(q, "heading", "signatur")},
			"heading has “Elision, of a signature”; 2 of 3 words in this section"},
		{"the text alone", "Names", "## More", []contract.ExplainPart{part(q, "body", "elis"), part("(feedback)", "body", "borrow")},
			"1 of 3 words in this section"},
		{"the query that counts most", "Names", "## Wicks", []contract.ExplainPart{part(q, "body", "elis"),
			{Query: "wick", Field: "heading", Term: "wick", Value: 5}}, "heading has “Wicks”; 1 of 1 word in this section"},
		{"no word", "Names", "## More", []contract.ExplainPart{part("(feedback)", "body", "borrow"), part(q, "meaning", "cosine")},
			"like the question in meaning; it has none of its words"},
		{"another word in the heading", "Names", "## Forced rollback", []contract.ExplainPart{part(q, "body", "elis"),
			part(contract.OtherWords, "heading", "rollback"), part(contract.OtherWords, "body", "elis")},
			"1 of 3 words in this section; heading has “rollback”, another word for the question's"},
		{"other words in the text", "Names", "## More", []contract.ExplainPart{part(q, "body", "elis"), part(contract.OtherWords, "body", "revert")},
			"1 of 3 words in this section"},
		{"other words alone", "Names", "## More", []contract.ExplainPart{part(contract.OtherWords, "body", "revert")},
			"it has other words for the question's, and none of its own"},
		{"no spaces", "灯芯", "# 灯芯", []contract.ExplainPart{part("更换灯芯", "title", "灯芯")}, "title has “灯芯”"},
		{"a bracket that is closed", "git-revert(1),", "# More", []contract.ExplainPart{part("revert", "title", "revert"), part("revert", "body", "revert")},
			"title has “git-revert(1)”; 1 of 1 word in this section"},
		{"a bracket that is not opened", "Wicks (and oil)", "# More", []contract.ExplainPart{part("oil", "title", "oil"), part("oil", "body", "oil")},
			"title has “oil”; 1 of 1 word in this section"},
		{"hostile", "a\x1b[31mb", "# wick\x1b[31m", []contract.ExplainPart{part("wick", "heading", "wick")},
			"heading has “wick”; 1 of 1 word in this section"},
	} {
		h := contract.Heading{Text: tt.heading}
		if tt.parts != nil {
			h.Explain = &contract.Explain{Parts: tt.parts}
		}
		if got := why.Sentence(contract.Result{PageTitle: tt.title}, h); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
