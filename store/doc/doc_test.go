package doc

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseRef(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   string
		want Ref
		ok   bool
	}{
		{"Lantern@1.2", Ref{"Lantern", "1.2"}, true},
		{"Lantern:1.2", Ref{"Lantern", "1.2"}, true},
		{" Lantern ", Ref{"Lantern", ""}, true},
		{"灯塔@latest", Ref{"灯塔", "latest"}, true},
		{"a b@c d", Ref{"a b", "c d"}, true},
		{"", Ref{}, false},
		{"@", Ref{}, false},
		{"@1", Ref{}, false},
		{"A@", Ref{}, false},
		{"A:", Ref{}, false},
		{"A@1@2", Ref{}, false},
		{"A/B@1", Ref{}, false},
		{"..", Ref{}, false},
		{"A@..", Ref{}, false},
		{"A,B", Ref{}, false},
		{"A\nB", Ref{}, false},
		{strings.Repeat("x", 201), Ref{}, false},
	} {
		got, err := ParseRef(tt.in)
		if got != tt.want || (err == nil) != tt.ok {
			t.Errorf("ParseRef(%.30q) is %+v, %v", tt.in, got, err)
		}
	}
}

// A valid name is the same after writing and reading, in both forms.
func TestRefRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r, err := ParseRef(rapid.String().Draw(t, "name") + "@" + rapid.String().Draw(t, "version"))
		if err != nil {
			return
		}
		for _, form := range []string{r.String(), r.ColonForm()} {
			if again, err := ParseRef(form); err != nil || again != r {
				t.Fatalf("%q is read as %+v, %v; was %+v", form, again, err, r)
			}
		}
	})
}

func TestCountLines(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]int{"": 0, "a": 1, "a\n": 1, "a\nb": 2, "\n": 1, "\n\n": 2, "a\r\nb\r\n": 2} {
		if got := CountLines([]byte(src)); got != want {
			t.Errorf("%q has %d lines, want %d", src, got, want)
		}
	}
}

func TestSectionsAndSpans(t *testing.T) {
	t.Parallel()
	if got := (Section{Level: 2, Text: "Create Skills"}).Heading(); got != "## Create Skills" {
		t.Errorf("heading %q", got)
	}
	if got := (Section{}).Heading(); got != "" {
		t.Errorf("the preamble's heading is %q", got)
	}
	if got := (Span{StartLine: 3, EndLine: 5}).Lines(); got != 3 {
		t.Errorf("%d lines", got)
	}
	if got := (Span{StartLine: 3, EndLine: 2}).Lines(); got != 0 {
		t.Errorf("an empty span has %d lines", got)
	}
}
