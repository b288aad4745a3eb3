package dita

import (
	"bytes"

	"docent/pipeline/text/pattern"
)

// root is the first tag of a file, behind declarations and comments.
var root = pattern.Lazy(`<([A-Za-z][\w.:-]*)([^>]*)>`)

var comment = pattern.Lazy(`(?s)<!--.*?-->`)

var hasTitle = pattern.Lazy(`<(title|glossterm|topicref|keydef|mapref|topicmeta|chapter|topic|task|concept|reference)\b`)

// SniffDITA reports whether a file of another ending (.xml) is DITA by its first bytes: by
// its document type, by an attribute of the DITA architecture, or by its first element
// and the required one after it.
func SniffDITA(head []byte) bool {
	text, _ := toUTF8(head)
	text = comment().ReplaceAll(text, nil)
	if i := bytes.Index(text, []byte("<!DOCTYPE")); i >= 0 {
		end := bytes.IndexAny(text[i:], ">[")
		if end < 0 {
			end = len(text) - i
		}
		kind := text[i : i+end]
		return bytes.Contains(kind, []byte("DITA ")) || bytes.Contains(kind, []byte(":dita:")) // a name of a company's own
	}
	m := root().FindSubmatchIndex(text)
	if m == nil {
		return false
	}
	name, attrs := string(text[m[2]:m[3]]), text[m[4]:m[5]]
	if bytes.Contains(attrs, []byte("DITAArchVersion")) || bytes.Contains(attrs, []byte("specializations=")) {
		return true
	}
	if !isTopic[name] && !isMap[name] && name != "dita" {
		return false
	}
	if bytes.Contains(text[:m[0]], []byte(":dita:")) { // a schema named by a processing instruction
		return true
	}
	return hasTitle().Match(text[m[1]:])
}
