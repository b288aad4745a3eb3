package fidelity

import (
	"encoding/json"
	"slices"
)

// notebook is what people wrote into a notebook. Outputs are not counted: long ones are left out.
type notebook struct {
	Cells      []notebookCell
	Worksheets []struct{ Cells []notebookCell }
}

type notebookCell struct {
	Kind     string          `json:"cell_type"`
	Source   json.RawMessage `json:"source"`
	Input    json.RawMessage `json:"input"` // of code, in notebooks before version 4
	Metadata struct {
		Tags     []string
		NBSphinx string
	}
}

// scanNotebook takes the words of the cells of a notebook. Of a file that is no JSON all words count.
func scanNotebook(t *tally, src []byte) {
	var book notebook
	if err := json.Unmarshal(src, &book); err != nil {
		t.addText(src)
		return
	}
	for _, sheet := range book.Worksheets {
		book.Cells = append(book.Cells, sheet.Cells...)
	}
	for _, c := range book.Cells {
		isHidden := func(tag string) bool {
			return tag == "remove-cell" || tag == "remove_cell" ||
				c.Kind == "code" && slices.Contains([]string{"remove-input", "remove_input", "hide-input", "hide_input"}, tag)
		}
		if c.Kind == "raw" || c.Metadata.NBSphinx == "hidden" || slices.ContainsFunc(c.Metadata.Tags, isHidden) {
			continue
		}
		for _, raw := range []json.RawMessage{c.Source, c.Input} {
			addSource(t, raw)
		}
	}
}

// addSource adds a text, or a list of texts that follow each other.
func addSource(t *tally, raw json.RawMessage) {
	var one string
	var many []string
	if json.Unmarshal(raw, &one) != nil && json.Unmarshal(raw, &many) != nil {
		return
	}
	t.addString(one)
	for _, s := range many {
		t.addString(s)
	}
	t.endWord()
}
