package lexical

import (
	index "github.com/blevesearch/bleve_index_api"

	"docent/store"
	"docent/store/analysis"
)

// document is a passage as scorch takes it: no stored text, no term vectors, no
// doc values; only terms with their frequencies and the fields' lengths.
type document struct {
	id     string // set when the catalog's number is known
	chunk  int
	part   int
	fields []*field
}

func newDocument(a *analysis.Analyzer, p store.Passage) (*document, [store.NumFields]int) {
	d := &document{chunk: p.Chunk, part: p.Part, fields: make([]*field, 0, int(store.NumFields)+2)}
	var lengths [store.NumFields]int
	for f := range store.NumFields {
		if p.Fields[f] == "" {
			continue
		}
		var fl *field
		if f == store.Name {
			fl = newName(p.Fields[f])
		} else {
			fl = newField(a, f.String(), p.Fields[f])
		}
		lengths[f] = fl.length
		if fl.length > 0 {
			d.fields = append(d.fields, fl)
		}
	}
	if fl := newAbbreviations(a, p.Abbreviations); fl.length > 0 {
		d.fields = append(d.fields, fl)
	}
	return d, lengths
}

func newField(a *analysis.Analyzer, name, text string) *field {
	fl := &field{name: name, options: index.IndexField, size: len(text), freqs: index.TokenFrequencies{}}
	a.EachToken(text, func(t analysis.Token) {
		if t.Kind == analysis.Stop {
			return
		}
		fl.length++
		tf, ok := fl.freqs[t.Term]
		if !ok {
			tf = &index.TokenFreq{Term: []byte(t.Term)}
			fl.freqs[string(tf.Term)] = tf
		}
		tf.SetFrequency(tf.Frequency() + 1)
	})
	return fl
}

// newName makes the field of one term.
func newName(text string) *field {
	fl := &field{name: store.Name.String(), options: index.IndexField, size: len(text), freqs: index.TokenFrequencies{}}
	if t := analysis.NameTerm(text); t != "" {
		tf := &index.TokenFreq{Term: []byte(t)}
		tf.SetFrequency(1)
		fl.freqs[t], fl.length = tf, 1
	}
	return fl
}

func (d *document) ID() string { return d.id }

func (d *document) Size() int { return len(d.id) }

func (d *document) VisitFields(visit index.FieldVisitor) {
	for _, f := range d.fields {
		visit(f)
	}
}

func (d *document) VisitComposite(index.CompositeFieldVisitor) {}

func (d *document) HasComposite() bool { return false }

func (d *document) NumPlainTextBytes() uint64 {
	n := 0
	for _, f := range d.fields {
		n += f.size
	}
	return uint64(n)
}

// AddIDField adds the field by which scorch finds a document again.
func (d *document) AddIDField() {
	id := []byte(d.id)
	d.fields = append(d.fields, &field{
		name: "_id", value: id, options: index.IndexField | index.StoreField, length: 1,
		freqs: index.TokenFrequencies{d.id: func() *index.TokenFreq {
			tf := &index.TokenFreq{Term: id}
			tf.SetFrequency(1)
			return tf
		}()},
	})
}

func (d *document) StoredFieldsBytes() uint64 { return uint64(len(d.id)) }

func (d *document) Indexed() bool { return true }

// field is analysed when it is made; Analyze has nothing left to do.
type field struct {
	name    string
	value   []byte
	options index.FieldIndexingOptions
	size    int
	length  int
	freqs   index.TokenFrequencies
}

func (f *field) Name() string                                     { return f.name }
func (f *field) Value() []byte                                    { return f.value }
func (f *field) ArrayPositions() []uint64                         { return nil }
func (f *field) EncodedFieldType() byte                           { return 't' }
func (f *field) Analyze()                                         {}
func (f *field) Options() index.FieldIndexingOptions              { return f.options }
func (f *field) AnalyzedLength() int                              { return f.length }
func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.freqs }
func (f *field) NumPlainTextBytes() uint64                        { return uint64(f.size) }
