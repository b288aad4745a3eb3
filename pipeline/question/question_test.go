package question

import (
	"strings"
	"testing"
	"unicode/utf8"

	"docent/pipeline/contract"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"  hooks \t config ", "hooks   config"},
		{"\x00\x01hooks\x1b[31m", "hooks"},
		{"\x1b]0;title\x07hooks", "hooks"},
		{"a\nb", "a\nb"},
		{"ho\u00adoks\u200b \ufeff", "hooks"},
		{"\u202eabc", "abc"},
		{"👩\u200d💻", "👩\u200d💻"},
		{"bad\xff utf", "bad  utf"},
		{"\x00\x1f \u200b\n", ""},
		{"", ""},
	} {
		if got, cut := CleanQuestion(c.text); got != c.want || cut {
			t.Errorf("Clean(%q) = %q, %v, want %q", c.text, got, cut, c.want)
		}
	}
	long, cut := CleanQuestion(strings.Repeat("配", contract.MaxQuestion))
	if !cut || len(long) > contract.MaxQuestion || len(long) < contract.MaxQuestion-3 || !utf8.ValidString(long) {
		t.Errorf("a long question: %d bytes, cut %v", len(long), cut)
	}
}

func TestShorten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"hooks reference", 20, "hooks reference"},
		{"hooks reference", 15, "hooks reference"},
		{"hooks reference", 10, "hooks"},
		{"a verylongwordindeed", 10, "a verylong"},
		{"配置部署安装", 4, "配置部署"},
	} {
		if got := Shorten(c.text, c.n); got != c.want {
			t.Errorf("Shorten(%q, %d) = %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"how do I configure hooks":         "en",
		"hooks":                            "en",
		"--feature-gates":                  "en",
		"hooks 配置相关":                       "zh",
		"hooks 和 skills":                   "zh",
		"opencode如何创建skills":               "zh",
		"what does the 你好 label mean":      "en",
		"フックの設定方法":                         "ja",
		"훅을 어떻게 설정하나요":                     "ko",
		"как настроить хуки":               "ru",
		"wie konfiguriere ich einen Hook":  "de",
		"comment configurer les hooks":     "fr",
		"cómo se configura el hook":        "es",
		"come si configura un hook":        "it",
		"como eu configuro um hook":        "pt",
		"Pod를 어떻게 삭제하나요":                   "ko",
		"πώς ρυθμίζω":                      "el",
		"🎉":                                "",
		"123 456":                          "",
		"la carte":                         "en",
		"create an agent for la liga data": "en",
	} {
		if got := Language(text); got != want {
			t.Errorf("Language(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	kinds := map[Kind]string{Word: "w", Code: "c", Quoted: "q", Han: "h", Punct: "p", Symbol: "s"}
	for _, c := range []struct{ text, want string }{
		{"hooks配置以及部署", "w:hooks h:配置以及部署"},
		{"what does --feature-gates do?", "w:what w:does c:--feature-gates w:do p:?"},
		{"foo.bar() and snake_case, PreToolUse.", "c:foo.bar() w:and c:snake_case p:, c:PreToolUse p:."},
		{"`foo and bar` \"search and replace\"", "c:foo and bar q:search and replace"},
		{"“完整 内容”里", "q:完整 内容 h:里"},
		{"don't use APIs", "w:don't w:use w:APIs"},
		{"it's 'the one' here", "w:it's q:the one w:here"},
		{"/compact ./a/b.md $HOME @file", "c:/compact c:./a/b.md c:$HOME c:@file"},
		{"C++ v1.31 KEY=value", "w:C++ c:v1.31 c:KEY=value"},
		{"an ` unclosed", "w:an p:` w:unclosed"},
		{"🎉 party", "s:🎉 w:party"},
		{"model/database well-known", "w:model/database w:well-known"},
		// Arguments belong to the name before them; remarks and plurals do not.
		{"what does Some(x) mean", "w:what w:does c:Some(x) w:mean"},
		{"Result<T, E> and Vec<T>::new", "c:Result<T, E> w:and c:Vec<T>::new"},
		{"arr[0] is a.b(c, d=1).e", "c:arr[0] w:is c:a.b(c, d=1).e"},
		{"pod(s) (see below) x<y and z>1", "w:pod p:( w:s p:) p:( w:see w:below p:) c:x<y w:and c:z>1"},
		{"print(\"a b\", end='')", "c:print(\"a b\", end='')"},
		{"fn(unclosed and", "w:fn p:( w:unclosed w:and"},
		{"list[some prose here]", "w:list p:[ w:some w:prose w:here p:]"},
		{"", ""},
	} {
		var got []string
		for _, k := range Tokens(c.text) {
			got = append(got, kinds[k.Kind]+":"+k.Text)
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("Tokens(%q) = %s, want %s", c.text, g, c.want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"a `b` \"c\"", "配置hooks", "--x ./y", "\xff``", "'", "-./{$"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		at := 0
		for _, k := range Tokens(s) {
			if k.Start < at || k.End <= k.Start || k.End > len(s) || k.Text == "" {
				t.Fatalf("token %+v of %q", k, s)
			}
			at = k.End
		}
	})
}
