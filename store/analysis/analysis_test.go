package analysis

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ text, want string }{
		{"How do I create Hooks?", "creat hook"},
		{"--feature-gates", "--feature-gates featureg featur gate"},
		{"IFN-γ IFN-gamma", "ifngamma ifn gamma ifngamma ifn gamma"},
		{"TNFα α 10µs β1 TGF-β1", "tnfalpha alpha 10mus beta1 tgfbeta1 tgf beta1"},
		{"γράμμα ώρα", "γράμμα ώρα"},
		{"e-mail email IL-6 IL6", "email e mail email il6 il 6 il6"},
		{"2021-11-21 a-b_c x-fooBar", "2021-11-21 2021 11 21 a-b_c b c x-foobar x foobar foo bar"},
		{"use --json here", "use --json json"},
		{"foo.bar(baz)", "foo.bar foo bar baz"},
		{"x-y_z", "x-y_z x y z"},
		{"C++ and C# and .NET", "c++ c c# c .net net"},
		{"PreToolUse", "pretooluse pre tool use"},
		{"HTTPServer APIs", "httpserver http server api"},
		{"hooks.PreToolUse", "hooks.pretooluse hook pretooluse pre tool use"},
		{"std::vec::Vec", "std::vec::vec std vec vec"},
		{"Café naïve Größe", "cafe naiv gross"},
		{"配置相关 hooks", "配置 置相 相关 hook"},
		{"键", "键"},
		{"the user's files", "user file"},
		{"a / b - c", "b c"},
		{"trailing. dots... and-", "trail dot"},
		{"\xff\xfebad\xffbytes", "bad byte"},
		{"📦 ✓ — …", ""},
		{"k8s v1.31", "k8s v1.31 v1 31"},
		{"~/.claude/settings.json", "claude/settings.json claud set json"},
	} {
		if got := strings.Join(New().Terms(tc.text), " "); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.text, got, tc.want)
		}
	}
}

func TestPositionsGrow(t *testing.T) {
	t.Parallel()
	last := -1
	for _, tok := range New().Tokens("How to configure the PreToolUse hook in settings.json 配置文件") {
		if tok.Pos < last {
			t.Fatalf("position of %q is %d after %d", tok.Term, tok.Pos, last)
		}
		last = tok.Pos
	}
}

func FuzzEach(f *testing.F) {
	for _, s := range []string{"--a-b.c", "C++", "a\xff", "配置hooks", "_", "__a__", "a::b", ".", "--", "’s", "É\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a := New()
		first := a.Terms(s)
		if !slices.Equal(first, a.Terms(s)) {
			t.Fatal("a second analysis differs")
		}
		for _, term := range first {
			if term == "" || len(term) > maxTerm {
				t.Fatalf("bad term %q", term)
			}
			if utf8.ValidString(s) && !utf8.ValidString(term) {
				t.Fatalf("term %q is not UTF-8", term)
			}
		}
	})
}

// What people type for "does not" is a function word, with and without its apostrophe.
func TestContractionsAreStopWords(t *testing.T) {
	t.Parallel()
	a := New()
	for _, text := range []string{"doesn't", "doesnt", "dont", "don’t", "isn't", "isnt", "cant", "couldn't", "wouldnt", "whats"} {
		if terms := a.Terms(text); len(terms) > 0 {
			t.Errorf("%q gives %q", text, terms)
		}
	}
}
