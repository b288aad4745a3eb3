package catalog

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"docent/store/doc"
)

// Uses are decoded by hand as encoding/json decodes them, and what the hand does not know is left to
// encoding/json.
func TestDecodedUses(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 4))
	pick := func(texts ...string) string { return texts[rnd.IntN(len(texts))] }
	plain := 0
	for range 2000 {
		uses := make([]doc.Use, 1+rnd.IntN(3))
		for i := range uses {
			uses[i] = doc.Use{Path: pick("", "a.md", "ü/é b.md", "{,}.md", `quo"te`, "a&b<c>"), SHA256: pick("", "ab12"),
				Bytes: rnd.Int64N(3), ModTime: rnd.Int64N(3) - 1}
			if rnd.IntN(9) == 0 {
				uses[i].Endings = []string{".md"}
			}
		}
		text := encodeUses(uses)
		got, err := decodeUses(text)
		if err != nil || !reflect.DeepEqual(got, uses) {
			t.Fatalf("%s: %+v, %v", text, got, err)
		}
		if _, ok := decodePlainUses(text); ok {
			plain++
		}
		cut := text[:rnd.IntN(len(text))]
		var want []doc.Use
		if _, err := decodeUses(cut); (err == nil) != (cut == "" || json.Unmarshal([]byte(cut), &want) == nil) {
			t.Fatalf("%s: %v", cut, err)
		}
	}
	if plain < 500 {
		t.Errorf("%d of 2000 texts are decoded by hand", plain)
	}
	for _, odd := range []string{`[]`, `null`, `[{}]`, `[{"mtime":1,"path":"a"}]`, `[{"path":1}]`, `[{"bytes":"1"}]`, `[{"other":1}]`} {
		var want []doc.Use
		werr := json.Unmarshal([]byte(odd), &want)
		if got, err := decodeUses(odd); (err == nil) != (werr == nil) || werr == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v; want %+v, %v", odd, got, err, want, werr)
		}
	}
}
