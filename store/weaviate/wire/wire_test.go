package wire_test

import (
	"bytes"
	"encoding/hex"
	"maps"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"docent/store/weaviate/wire"
)

// The bytes of the requests were compared with those that a real engine takes: what they ask for is in the conformance
// tests of the store. Here they must not change by accident.
func TestEncode(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		search wire.Search
		want   string
	}{
		"a ranking": {wire.Search{Collection: "C", Tenant: "t", Limit: 300, Ranking: &wire.Ranking{Query: "oil oil", Property: "terms"}},
			"0a01435201" + "74" + "a20100" + "aa01020801" + "f001ac02" + "d202100a076f696c206f696c12057465726d73" + "b00601"},
		"a vector": {wire.Search{Collection: "C", Tenant: "t", Limit: 1, Vector: []float32{1, -2}, Properties: []string{"doc"}},
			"0a0143520174" + "a201050a03646f63" + "aa01020801" + "f00101" + "da020e4a0c1a080000803f000000c02001" + "b00601"},
		"a condition": {wire.Search{Collection: "C", Tenant: "t", Filter: &wire.Filter{Operator: wire.And, Operands: []wire.Filter{
			{Operator: wire.ContainsAny, Property: "_id", Texts: []string{"a", "b"}},
			{Operator: wire.LessThanEqual, Property: "born", Number: 7}}}},
			"0a0143520174" + "a20100" + "aa01020801" + "f00100" +
				"c2022508071a12080c4a060a01610a0162a201050a035f69641a0d08062807a201060a04626f726e" + "b00601"},
	} {
		if got := hex.EncodeToString(of.search.Encode()); got != of.want {
			t.Errorf("%s:\n%s, want\n%s", name, got, of.want)
		}
	}
}

// message is a field that has a message of some fields, or bytes.
func message(field protowire.Number, of ...[]byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, field, protowire.BytesType), bytes.Join(of, nil))
}

// reply is an answer with two objects: one of an id that begins with zeros, and one with properties.
func reply() []byte {
	took := protowire.AppendFixed32(protowire.AppendTag(nil, 1, protowire.Fixed32Type), 7)
	number := protowire.AppendVarint(protowire.AppendTag(nil, 8, protowire.VarintType), 42)
	properties := message(1, message(11,
		message(1, message(1, []byte("doc")), message(2, number)),
		message(1, message(1, []byte("detail")), message(2, message(13, []byte("some text"))))))
	return slices.Concat(took,
		message(2, message(2, message(20, []byte{1, 2, 3, 4, 5, 6, 7, 8, 9}))),
		message(2, properties, message(2, message(20, bytes.Repeat([]byte{9}, 16)))))
}

func TestResults(t *testing.T) {
	t.Parallel()
	list, err := wire.Results(reply())
	if err != nil || len(list) != 2 {
		t.Fatalf("%d objects, %v", len(list), err)
	}
	if got := list[0].ID.String(); got != "00000000-0000-0001-0203-040506070809" {
		t.Errorf("an id that begins with zeros is %s", got)
	}
	texts, numbers := map[string]string{}, map[string]int64{}
	if err := list[1].Each(func(name, text string, number int64) { texts[name], numbers[name] = text, number }); err != nil {
		t.Error(err)
	}
	if !maps.Equal(texts, map[string]string{"doc": "", "detail": "some text"}) || numbers["doc"] != 42 {
		t.Errorf("%v, %v", texts, numbers)
	}
}

// An answer that was cut, or is another one, is an error and never a panic.
func FuzzResults(f *testing.F) {
	raw := reply()
	for i := range raw {
		f.Add(raw[:i])
	}
	f.Add(raw)
	f.Fuzz(func(t *testing.T, raw []byte) {
		list, err := wire.Results(raw)
		if err != nil && list != nil {
			t.Errorf("%d objects beside %v", len(list), err)
		}
		for _, one := range list {
			_ = one.Each(func(string, string, int64) {})
		}
	})
}
