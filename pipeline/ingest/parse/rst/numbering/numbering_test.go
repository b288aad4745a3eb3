package numbering

import "testing"

// The mark of an item is read by itself, and as the list that it may continue asks.
func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Mark{
		"1. Oil":     {arabic, 1, 2, 3, '.'},
		"(b) Oil":    {lowerAlpha, 2, 3, 4, '('},
		"iv)  Oil":   {lowerRoman, 4, 3, 5, ')'},
		"XC. Oil":    {upperRoman, 90, 3, 4, '.'},
		"#. Oil":     {automatic, 1, 2, 3, '.'},
		"A.":         {upperAlpha, 1, 2, 3, '.'},
		"Lamp. Oil":  {},
		"1.5 litres": {},
		"1 Oil":      {},
		"":           {},
	} {
		if got, ok := Read(text, 0); ok != (want != Mark{}) || ok && got != want {
			t.Errorf("%q: %+v, %v", text, got, ok)
		}
	}
	if got, _ := Read("i. Oil", lowerAlpha); got.Sequence != lowerAlpha || got.Number != 9 {
		t.Errorf("behind h, i is %+v", got)
	}
	first := Mark{Sequence: arabic, Number: 3, form: '.'}
	for text, want := range map[string]bool{"5. Oil": true, "#. Oil": true, "6. Oil": false, "5) Oil": false, "v. Oil": false} {
		if next, ok := Read(text, arabic); !ok || next.Follows(first, 4) != want {
			t.Errorf("%q follows 4: %v", text, !want)
		}
	}
}
