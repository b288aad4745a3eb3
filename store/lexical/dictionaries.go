package lexical

import (
	"errors"

	index "github.com/blevesearch/bleve_index_api"

	"docent/store"
)

// dictionaries walks the dictionaries of several fields side by side, term by term.
// Listing and sorting their terms instead took 200 MB for a million of them.
type dictionaries struct {
	cursors []cursor
	fields  []store.Field // of the last term
}

// cursor is the place in one field's dictionary.
type cursor struct {
	field store.Field
	dict  index.FieldDict
	entry *index.DictEntry // nil at the end
}

// dictionaries opens the dictionaries of the fields whose weight is not 0.
func (r *Reader) dictionaries(weights [store.NumFields]float64) (_ *dictionaries, err error) {
	d := &dictionaries{}
	defer func() {
		if err != nil {
			err = errors.Join(r.unreadError("read the terms", err), d.close())
		}
	}()
	for field := range store.NumFields {
		if weights[field] == 0 {
			continue
		}
		dict, err := r.rd.FieldDict(field.String())
		if err != nil {
			return nil, err
		}
		d.cursors = append(d.cursors, cursor{field: field, dict: dict})
		c := &d.cursors[len(d.cursors)-1]
		if c.entry, err = dict.Next(); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// next gives the next term in the order of bytes, and the fields that have it, which are
// d's until the next call. No fields: there are no more terms. The dictionaries' own
// counts are not given: behind a term of one posting, zap counts 1 for others too, and in
// an index of several segments they count deleted postings.
func (d *dictionaries) next() (term string, fields []store.Field, err error) {
	d.fields = d.fields[:0]
	for _, c := range d.cursors {
		if c.entry != nil && (len(d.fields) == 0 || c.entry.Term < term) {
			term, d.fields = c.entry.Term, append(d.fields[:0], c.field)
		} else if c.entry != nil && c.entry.Term == term {
			d.fields = append(d.fields, c.field)
		}
	}
	for i := range d.cursors {
		c := &d.cursors[i]
		if c.entry == nil || c.entry.Term != term || len(d.fields) == 0 {
			continue
		}
		if c.entry, err = c.dict.Next(); err != nil {
			return "", nil, err
		}
	}
	return term, d.fields, nil
}

func (d *dictionaries) close() error {
	var err error
	for _, c := range d.cursors {
		err = errors.Join(err, c.dict.Close())
	}
	return err
}
