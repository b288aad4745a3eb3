package docx

import (
	"context"

	"docent/pipeline/ingest/parse/office"
)

// The attributes that are kept, the elements that are left out, and those that hold text.
var (
	wanted = map[string]bool{"val": true, "id": true, "styleId": true, "numId": true, "abstractNumId": true, "ilvl": true, "name": true,
		"descr": true, "anchor": true,
		"ascii": true, "hAnsi": true, "type": true, "Target": true, "TargetMode": true, "Id": true, "instr": true, "default": true}

	// How text looks is not asked, and half of a part.
	unread = map[string]bool{"sz": true, "szCs": true, "color": true, "spacing": true, "ind": true, "jc": true, "kern": true, "lang": true,
		"noProof": true, "proofErr": true,
		"bookmarkEnd": true, "sectPr": true, "tblPr": true, "tblGrid": true, "tblBorders": true, "shd": true, "bCs": true, "iCs": true,
		"keepNext": true, "keepLines": true, "tabs": true,
		"contextualSpacing": true, "widowControl": true, "latentStyles": true, "pBdr": true, "bdr": true, "rPrChange": true,
		"pPrChange": true, "snapToGrid": true, "tcW": true, "tcBorders": true}

	texts = map[string]bool{"t": true, "title": true, "subject": true, "keywords": true, "description": true, "delText": true}
)

// readPart reads a part; false: it is damaged, or too large, and the beginning was read.
func readPart(ctx context.Context, data []byte) (root *office.Node, whole bool) {
	return office.ReadSome(ctx, data, office.Filter{Attrs: wanted, Without: unread, Texts: texts})
}

// valueOf is the attribute val of a child, or "".
func valueOf(n *office.Node, child string) string { return n.Child(child).Attr("val") }

// isSwitchedOn reports whether a child is there that switches something on.
func isSwitchedOn(n *office.Node, child string) bool {
	c := n.Child(child)
	if c == nil {
		return false
	}
	v := c.Attr("val")
	return v != "0" && v != "false" && v != "off" && v != "none"
}
