package search_test

import (
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus/corpustest"
)

// Endings and particles of Japanese stand in every Japanese doc set. They do not say that the documentation which a
// question is about is Japanese; its other words do.
func TestEndingsSayNoLanguage(t *testing.T) {
	t.Parallel()
	in := contract.SearchInput{Query: []string{"change lantern color", "ランタンの色はどうすればよいでしょうか"},
		Context: &contract.Context{Question: "ランタンの色はどうすればよいでしょうか", Translations: []contract.Translation{
			{Word: "ランタン", Terms: []contract.Rendering{{Text: "lantern", Weight: 1}}},
			{Word: "色", Terms: []contract.Rendering{{Text: "color", Weight: 1}}}}}}
	english := map[string]string{
		"color.md": "# The color of the lantern\n\nA painted lantern has another color.\n",
		"oil.md":   "# Oil\n\nThe oil of the lantern is changed each week.\n",
	}
	for _, tt := range []struct{ name, text, want string }{
		{"of something else in Japanese", "# 船\n\n船はどうすればよいでしょうか。綱はどうすればよいでしょうか。\n", "color.md"},
		{"of it in Japanese", "# ランタン\n\nランタンの色を変える。\n", "boat.md"},
	} {
		h := corpustest.New(t)
		h.Add("Lantern@1", english)
		h.Add("Boats@1", map[string]string{"boat.md": tt.text})
		if out := find(t, h, in); len(out.Results) == 0 || out.Results[0].FilePath != tt.want {
			t.Errorf("%s: %s, not %s first", tt.name, paths(out), tt.want)
		}
	}
}
