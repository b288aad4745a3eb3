package embed

import (
	"math"
	"strings"
	"testing"
)

func TestTokensAreRatherTooMany(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"abc def", 3},
		{"{{--}}", 6},
		{"配置探针", 4},
		{"kubectl get pods -n 10", 8},
		{"проба", 4},
		{"🙂", 2},
	} {
		if got := estimateTokens(tt.text); got != tt.want {
			t.Errorf("tokens(%q) = %d, want %d", tt.text, got, tt.want)
		}
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		most       int
		want       []string
	}{
		{"it fits", "one line\nand two\n", 20, []string{"one line\nand two\n"}},
		{"between lines", "aaa aaa aa\nbbb bbb bb\nccc ccc cc\nddd ddd dd\n", 8, []string{"aaa aaa aa\nbbb bbb bb\n", "ccc ccc cc\nddd ddd dd\n"}},
		{"between words", "aaa aaa aaa aaa\nb\n", 3, []string{"aaa aaa ", "aaa aaa\n", "b\n"}},
		{"anywhere", strings.Repeat("x", 20), 3, []string{"xxxxxxxxx", "xxxxxxxxx", "xx"}},
		{"Chinese", "配置存活探针并重启容器", 4, []string{"配置存活", "探针并重", "启容器"}},
		{"room for nothing", "🙂🙂", 1, []string{"🙂", "🙂"}},
	} {
		got := splitText(tt.text, tt.most)
		if strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("one line\nand another, longer one\n\n\tcode()\n", 4)
	f.Add("配置 probe \xff\xfe", 1)
	f.Add(strings.Repeat("word ", 300), 7)
	f.Fuzz(func(t *testing.T, text string, most int) {
		parts := splitText(text, most)
		if strings.Join(parts, "") != text {
			t.Errorf("the parts of %q are %q", text, parts)
		}
		for _, p := range parts {
			if n := estimateTokens(p); n > max(2, most) || p == "" && text != "" {
				t.Errorf("the part %q of %q has %d tokens, may have %d", p, text, n, most)
			}
		}
	})
}

func TestMean(t *testing.T) {
	t.Parallel()
	got := weightedMean([][]float32{{1, 0}, {0, 1}}, []int{3, 1})
	if want := []float32{float32(3 / math.Sqrt(10)), float32(1 / math.Sqrt(10))}; got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%v, want %v", got, want)
	}
	if got := weightedMean([][]float32{{1, 0}, {-1, 0}}, []int{2, 2}); got[0] != 1 || got[1] != 0 {
		t.Errorf("of opposites: %v", got)
	}
}
