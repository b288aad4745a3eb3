package fidelity

import (
	"bytes"
)

// catalogText is a catalog of messages while it is read.
type catalogText struct {
	id, text []byte
	into     *[]byte // what a string is added to, nil: it is not shown
	fuzzy    bool
	all      []byte // the texts of the messages, each a paragraph
}

// scanCatalog takes the words of gettext's catalogs: of each message the translation,
// as reStructuredText. Messages without one, headers, contexts and comments are left out.
func scanCatalog(t *tally, src []byte) {
	c := &catalogText{}
	eachLine(src, func(line []byte) { c.readLine(bytes.TrimSpace(line)) })
	c.endMessage()
	scanRST(t, c.all)
}

func (c *catalogText) readLine(line []byte) {
	switch {
	case len(line) == 0:
		return
	case line[0] == '#':
		c.endMessage()
		c.fuzzy = c.fuzzy || bytes.HasPrefix(line, []byte("#,")) && bytes.Contains(line, []byte("fuzzy"))
		return
	case bytes.HasPrefix(line, []byte("msgctxt ")):
		c.endMessage()
		return
	case bytes.HasPrefix(line, []byte("msgid ")):
		c.endMessage()
		c.into = &c.id
	case bytes.HasPrefix(line, []byte("msgid_plural ")):
		c.into = &c.id
		c.id = append(c.id, '\n')
	case bytes.HasPrefix(line, []byte("msgstr")):
		c.into = &c.text
		c.text = append(c.text, '\n')
	case line[0] != '"':
		return
	}
	if start := bytes.IndexByte(line, '"'); start >= 0 && c.into != nil {
		*c.into = addUnquoted(*c.into, line[start+1:])
	}
}

// addUnquoted adds a string up to the quote that closes it.
func addUnquoted(to, line []byte) []byte {
	for i := 0; i < len(line) && line[i] != '"'; i++ {
		c := line[i]
		if c == '\\' && i+1 < len(line) {
			i++
			switch c = line[i]; c {
			case 'n', 't', 'r':
				c = ' '
			}
		}
		to = append(to, c)
	}
	return to
}

// endMessage takes the message that has begun, if one has.
func (c *catalogText) endMessage() {
	if c.into == nil {
		return
	}
	// A message without a translation has nothing to arrive.
	if text := bytes.TrimSpace(c.text); !c.fuzzy && len(text) > 0 && len(bytes.TrimSpace(c.id)) > 0 {
		c.all = append(append(c.all, text...), "\n\n"...)
	}
	c.id, c.text, c.into, c.fuzzy = c.id[:0], c.text[:0], nil, false
}
