package anchors

import (
	"bytes"

	"docent/pipeline/ingest/parse/markdown/transclude"
)

// readBuilderPlaces takes the names of the places in the text of pages of Elastic's docs-builder.
func (f *finder) readBuilderPlaces(raw []byte) {
	if !bytes.Contains(raw, []byte("$$$")) {
		return
	}
	for _, m := range transclude.InlinePlace().FindAllSubmatch(raw, -1) {
		f.takeName(string(m[1]))
	}
}
