package synonym

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func book(t *testing.T, texts ...string) *Book {
	t.Helper()
	var all []Group
	for i, text := range texts {
		groups, faults := ParseList(fmt.Sprintf("list%d.txt", i), []byte(text))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		all = append(all, groups...)
	}
	return New(all)
}

func in(b *Book, question string) string {
	var out []string
	for _, f := range b.In(question, strings.Fields(question)) {
		out = append(out, f.Words+"="+strings.Join(f.Also, "|"))
	}
	return strings.Join(out, "; ")
}

func TestIn(t *testing.T) {
	t.Parallel()
	b := book(t, "sign-in,login,authenticate,log in\nturn off, disable,switch off\ndelete,remove\nlantern,oil lamp\noil lamp, hurricane light\n油灯,lantern\nplugin,add-on\n")
	for question, want := range map[string]string{
		"how do I authenticate":           "authenticate=sign-in|login|log in",
		"logging in fails":                "logging in=sign-in|login|authenticate",
		"turn telemetry off":              "turn off=disable|switch off",
		"turn all of the many lights off": "", // too far from each other
		"turned it off and deleted it":    "turned off=disable|switch off; deleted=remove",
		"delete or remove":                "", // the question says both
		"add a thing":                     "", // no add-on
		"an add-on":                       "add-on=plugin",
		"an oil lamp":                     "oil lamp=lantern; oil lamp=hurricane light",
		"oil":                             "",
		"怎么修油灯":                           "油灯=lantern",
		"":                                "",
	} {
		if got := in(b, question); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
	// An empty word ends a part.
	if f := b.In("log in", []string{"log", "", "in"}); len(f) > 0 {
		t.Errorf("a term goes over what ends a part: %v", f)
	}
	if f := (*Book)(nil).In("lantern", []string{"lantern"}); f != nil {
		t.Errorf("no book finds %v", f)
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 20 {
		fmt.Fprintf(&text, "wick%d", i)
		for k := range 20 {
			fmt.Fprintf(&text, ",other%dx%d", i, k)
		}
		text.WriteByte('\n')
	}
	b := book(t, text.String())
	var words []string
	for i := range 20 {
		words = append(words, fmt.Sprintf("wick%d", i))
	}
	found := b.In("", words)
	if len(found) != mostFound || len(found[0].Also) != mostAlso {
		t.Errorf("%d parts, the first with %d others", len(found), len(found[0].Also))
	}
}

// Abbreviations count as they are written; in small letters where they are no word.
func TestAbbreviations(t *testing.T) {
	t.Parallel()
	groups, faults := ParseList("names.TSV", []byte("# short and long\nJWT\tJSON Web Token\nART\tAmber Red Tint\n"))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	b := New(groups)
	for question, want := range map[string]string{
		"verify a jwt":    "jwt=JSON Web Token",
		"JWT":             "JWT=JSON Web Token",
		"the art of oil":  "",
		"the ART of oil":  "ART=Amber Red Tint",
		"json web tokens": "json web tokens=JWT",
	} {
		if got := in(b, question); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, file, text string
		groups           int
		faults           []string
	}{
		{"a mark at the beginning, CRLF, comments", "a.txt", "\ufeff# words\r\n\r\nwick, wicks ,lamp\r\n", 1, nil},
		{"a term alone", "a.txt", "wick\nlamp,light\n", 1, []string{"a.txt:1: one term alone: a line needs two that differ"}},
		{"the same twice", "a.txt", "wick,Wick\n", 0, []string{"a.txt:1: one term alone: a line needs two that differ"}},
		{"a loop", "a.txt", "wick,lamp\nlamp,wick\nwick,lamp\n", 2, nil},
		{"too many words", "a.txt", "a b c d e f,wick\n", 0, []string{`a.txt:1: "a b c d e f" has more than 5 words; the line does not count`}},
		{"what cannot be printed", "a.txt", "wi\ack,lamp\n", 0, []string{`a.txt:1: "wick" has characters that cannot be printed; the line does not count`}},
		{"signs", "a.txt", "!!,lamp\n", 0, []string{`a.txt:1: "!!" has neither a letter nor a digit; the line does not count`}},
		{"no tab", "a.tsv", "JWT JSON Web Token\n", 0, []string{"a.tsv:1: no tab: a line is an abbreviation, a tab and its long form"}},
		{"not UTF-8", "a.txt", "wick,\xff\n", 0, []string{"a.txt: it is not UTF-8: save it as UTF-8"}},
		{"many terms", "a.txt", strings.Repeat("wick1,wick2,", 1) + terms(40) + "\n", 0, []string{"a.txt:1: 42 terms; at most 32 mean the same"}},
	} {
		groups, faults := ParseList(tt.file, []byte(tt.text))
		var got []string
		for _, f := range faults {
			got = append(got, f.Error())
		}
		if len(groups) != tt.groups || !slices.Equal(got, tt.faults) {
			t.Errorf("%s: %d groups, %q", tt.name, len(groups), got)
		}
	}
	if _, faults := ParseList("a.txt", make([]byte, MaxBytes+1)); len(faults) != 1 || !strings.Contains(faults[0].Error(), "at most") {
		t.Errorf("a large file: %v", faults)
	}
	groups, faults := ParseList("a.txt", []byte(lines(MaxGroups+5)))
	if len(groups) != MaxGroups || len(faults) != 1 || faults[0].Line != MaxGroups+1 {
		t.Errorf("%d groups, %v", len(groups), faults)
	}
	if _, faults := ParseList("a.txt", []byte(strings.Repeat("wick\n", 100))); len(faults) != mostFaults+1 {
		t.Errorf("%d faults are told", len(faults))
	}
}

func terms(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("term%d", i)
	}
	return strings.Join(out, ",")
}

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "wick%d,lamp%d\n", i, i)
	}
	return b.String()
}

func FuzzParse(f *testing.F) {
	f.Add("a,b\nlog in, sign in", "how do I log in")
	f.Add("JWT\tJSON Web Token", "jwt")
	f.Fuzz(func(t *testing.T, text, question string) {
		for _, file := range []string{"a.txt", "a.tsv"} {
			groups, _ := ParseList(file, []byte(text))
			found := New(groups).In(question, strings.Fields(question))
			if len(found) > mostFound {
				t.Errorf("%d parts", len(found))
			}
			for _, x := range found {
				if len(x.Also) > mostAlso {
					t.Errorf("%d others of %q", len(x.Also), x.Words)
				}
			}
		}
	})
}

func BenchmarkIn(b *testing.B) {
	groups, _ := ParseList("a.txt", []byte(lines(MaxGroups)))
	book := New(groups)
	words := strings.Fields("how do I trim wick77 of lamp4711 without a knife")
	for b.Loop() {
		book.In("", words)
	}
}
