package objects

import (
	"slices"
	"testing"
)

// A line is a signature, unless a backslash or an open parenthesis joins it with the next.
func TestSignatures(t *testing.T) {
	t.Parallel()
	for _, of := range []struct{ lines, want []string }{
		{[]string{"light(wick)", "  douse()"}, []string{"light(wick)", "douse()"}},
		{[]string{"light(wick, \\", "      oil)"}, []string{"light(wick, oil)"}},
		{[]string{"light(wick,", "      oil)", "douse()"}, []string{"light(wick, oil)", "douse()"}},
		{[]string{"light(wick", "douse()"}, []string{"light(wick", "douse()"}},
		{[]string{`--wick=C:\\lamps`}, []string{`--wick=C:\lamps`}},
		{nil, nil},
	} {
		if got := Signatures(of.lines); !slices.Equal(got, of.want) {
			t.Errorf("%q: %q, not %q", of.lines, got, of.want)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for signature, want := range map[string]string{
		"CONFIG lamp.wick.length INT 5": "lamp.wick.length",
		"lamp.wick.length":              "lamp.wick.length",
		"light the wick":                "light",
	} {
		if got := OwnName(signature); got != want {
			t.Errorf("the name in %q is %q", signature, got)
		}
	}
	for signature, want := range map[string]string{"int *lamp_light(struct wick *w)": "lamp_light", "char wicks[4]": "wicks", "*": ""} {
		if got := NameInC(signature); got != want {
			t.Errorf("the name in %q is %q", signature, got)
		}
	}
	if !IsPython("coroutinemethod") || IsPython("confval") || !IsTypeWord("INT") || IsTypeWord("wick") || Prefix("staticmethod") != "static" {
		t.Error("a word is taken for another kind")
	}
}
