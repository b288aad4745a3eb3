package anchors

import (
	"bytes"

	"docent/pipeline/text/pattern"
)

// builderPlace is a place in the text of pages of Elastic's docs-builder.
var builderPlace = pattern.Lazy(`\$\$\$([^\s$][^$]{0,200})\$\$\$`)

// readBuilderPlaces takes the names of such places.
func (f *finder) readBuilderPlaces(raw []byte) {
	if !bytes.Contains(raw, []byte("$$$")) {
		return
	}
	for _, m := range builderPlace().FindAllSubmatch(raw, -1) {
		f.takeName(string(m[1]))
	}
}
