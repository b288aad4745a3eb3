package lexicon

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestTable(t *testing.T) {
	t.Parallel()
	if n := len(load().words); n < 700 {
		t.Fatalf("the table has %d words, want at least 700", n)
	}
	seen := map[string]int{}
	for i, line := range strings.Split(source, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) < 2 || classOf(f[1]) == Unknown {
			t.Errorf("line %d: %q has no known class", i+1, line)
			continue
		}
		if at, ok := seen[f[0]]; ok {
			t.Errorf("line %d: %s stands on line %d already", i+1, f[0], at)
		}
		seen[f[0]] = i + 1
		for _, r := range f[0] {
			if !unicode.Is(unicode.Han, r) {
				t.Errorf("line %d: %q has the character %q; words are Chinese characters only", i+1, f[0], r)
			}
		}
		e, _ := Lookup(f[0])
		switch e.Class {
		case Noun, Verb, Modifier:
			if len(e.Glosses) == 0 || len(e.Verbs) > 0 {
				t.Errorf("line %d: %q wants English in the third column only", i+1, line)
			}
		case VerbNoun:
			if len(e.Glosses) == 0 || len(e.Verbs) == 0 {
				t.Errorf("line %d: %q wants English as a noun and as a verb", i+1, line)
			}
		}
		for _, g := range append(e.Glosses, e.Verbs...) {
			if g == "" || g != strings.TrimSpace(g) {
				t.Errorf("line %d: an empty or padded gloss in %q", i+1, line)
			}
		}
	}
}

func TestSegment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"如何配置", "如何/配置"},
		{"配置以及部署", "配置/以及/部署"},
		{"存活探测", "存活探测"},
		{"为容器设置环境变量", "为/容器/设置/环境变量"},
		{"配置文件在哪里", "配置文件/在哪里"},
		{"髑髏配置", "髑髏/配置"},
		{"", ""},
	} {
		var got []string
		for _, p := range Segment(c.text) {
			got = append(got, p.Text)
		}
		if s := strings.Join(got, "/"); s != c.want {
			t.Errorf("Segment(%q) = %s, want %s", c.text, s, c.want)
		}
	}
}

func TestSegmentCoversTheText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("配置部署如何的和探测存活a 髑é")), 0, 40, -1).Draw(t, "text")
		at := 0
		for _, p := range Segment(text) {
			if p.Start != at || p.Text != text[p.Start:p.End] || p.Text == "" {
				t.Fatalf("piece %+v does not begin at %d", p, at)
			}
			at = p.End
		}
		if at != len(text) {
			t.Fatalf("%d of %d bytes covered", at, len(text))
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		parseTable(source)
	}
}
