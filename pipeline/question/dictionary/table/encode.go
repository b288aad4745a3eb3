package table

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
)

// Entry is one key with its glosses, the best first.
type Entry struct {
	Key     string
	Glosses []Gloss
}

// Contents is what a table is made of.
type Contents struct {
	Language string
	Source   string
	Folds    map[rune]rune
	Entries  []Entry             // no key twice
	Forms    map[string][]string // another form of a word, and its keys, the likeliest first
}

// Encode makes a table: the same contents give the same bytes. Weights are
// divided by the key's largest; forms whose keys do not exist are left out.
func Encode(c Contents) []byte {
	vocab, ids := vocabulary(c.Entries)
	entries := slices.SortedFunc(slices.Values(c.Entries), func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
	number := make(map[string]int, len(entries))
	keys, values := []string{}, []string{}
	for i, e := range entries {
		number[e.Key] = i
		keys = append(keys, e.Key)
		values = append(values, encodeGlosses(e.Glosses, ids))
	}
	formKeys, formValues := []string{}, []string{}
	for _, f := range slices.Sorted(maps.Keys(c.Forms)) {
		var v []byte
		for _, k := range c.Forms[f] {
			if id, ok := number[k]; ok {
				v = binary.AppendUvarint(v, uint64(id))
			}
		}
		if len(v) > 0 {
			formKeys = append(formKeys, f)
			formValues = append(formValues, string(v))
		}
	}
	out := []byte(magic)
	out = appendText(out, c.Language)
	out = appendText(out, c.Source)
	out = binary.AppendUvarint(out, uint64(len(c.Folds)))
	for _, r := range slices.Sorted(maps.Keys(c.Folds)) {
		out = binary.AppendUvarint(out, uint64(r))
		out = binary.AppendUvarint(out, uint64(c.Folds[r]))
	}
	out = appendSection(out, vocab, nil)
	out = appendSection(out, keys, values)
	return appendSection(out, formKeys, formValues)
}

// Contents is what the table was made of: Encode makes the same bytes of it. It is for the
// command that makes the tables.
func (t *Table) Contents() Contents {
	c := Contents{Language: t.Language, Source: t.Source, Folds: maps.Clone(t.folds), Forms: map[string][]string{}}
	for id := range t.keys.n {
		c.Entries = append(c.Entries, Entry{t.Key(id), t.Glosses(id)})
	}
	for i := range t.forms.n {
		form, _ := t.forms.itemAt(i)
		for _, id := range t.KeysOfForm(form) {
			c.Forms[form] = append(c.Forms[form], t.Key(id))
		}
	}
	return c
}

// vocabulary numbers the English words by how often they occur, so that the
// frequent ones have short numbers.
func vocabulary(entries []Entry) ([]string, map[string]int) {
	count := map[string]int{}
	for _, e := range entries {
		for _, g := range e.Glosses {
			for _, w := range strings.Fields(g.Text) {
				count[w]++
			}
		}
	}
	words := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	ids := make(map[string]int, len(words))
	for i, w := range words {
		ids[w] = i
	}
	return words, ids
}

func encodeGlosses(glosses []Gloss, ids map[string]int) string {
	best := 0.0
	for _, g := range glosses {
		best = max(best, g.Weight)
	}
	var v []byte
	for _, g := range glosses {
		words := strings.Fields(g.Text)
		if len(words) == 0 || len(words) > MaxWords || best <= 0 {
			continue
		}
		weight := byte(max(1, math.Round(g.Weight/best*maxWeight)))
		v = append(v, weight<<2|byte(len(words)))
		for _, w := range words {
			v = binary.AppendUvarint(v, uint64(ids[w]))
		}
	}
	return string(v)
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// appendSection writes items in blocks; keys without values are texts and need
// not be sorted.
func appendSection(out []byte, keys, values []string) []byte {
	var offsets, data []byte
	for i, k := range keys {
		if i%blockKeys == 0 {
			offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(data)))
		}
		if values == nil {
			data = appendText(data, k)
			continue
		}
		shared := 0
		if i%blockKeys > 0 {
			for last := keys[i-1]; shared < len(k) && shared < len(last) && k[shared] == last[shared]; {
				shared++
			}
		}
		data = binary.AppendUvarint(data, uint64(shared))
		data = appendText(data, k[shared:])
		data = appendText(data, values[i])
	}
	out = binary.AppendUvarint(out, uint64(len(keys)))
	out = binary.AppendUvarint(out, blockKeys)
	out = appendText(out, string(offsets))
	return appendText(out, string(data))
}
