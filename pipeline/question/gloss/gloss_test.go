package gloss

import (
	"strings"
	"testing"
	"unicode/utf8"

	"docent/pipeline/question/dictionary"
	"docent/pipeline/question/lexicon"
)

func TestEveryDictionaryOpens(t *testing.T) {
	t.Parallel()
	for _, l := range dictionary.Languages() {
		if dictionaryOf(l) == nil || !HasDictionary(l) {
			t.Errorf("%s does not open", l)
		}
	}
	if HasDictionary("en") || SplitWords("hello", "en") != nil || SplitWords("γειά", "el") != nil {
		t.Error("there is a dictionary of English or Greek")
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, language, want string }{
		{"如何配置存活探测", "zh", "如何 配置=configuration,configure 存活探测=liveness probe"},
		// 为 is a word of the lexicon, and a part of 因为 and 行为.
		{"因为Pod的行为", "zh", "因为 Pod= 的 行为=behavior"},
		{"как настроить контейнер", "ru", "как настроить=configure контейнер=container"},
		{"wie konfiguriere ich den kubelet", "de", "wie konfiguriere=configure ich den kubelet="},
	} {
		var got []string
		for _, w := range SplitWords(c.text, c.language) {
			if c.text[w.Start:w.End] != w.Text {
				t.Errorf("%q is not at %d:%d of %q", w.Text, w.Start, w.End, c.text)
			}
			s := w.Text
			if len(w.Glosses) > 0 {
				s += "="
				for i, g := range w.Glosses {
					if i < 2 && g.Weight == 1 {
						s += strings.TrimPrefix(","[:min(i, 1)]+g.Text, "")
					}
				}
			} else if w.Entry.Class == lexicon.Unknown {
				s += "="
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: %s, want %s", c.text, s, c.want)
		}
	}
}

func TestEnglish(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{"container": true, "containers": true, "configured": true, "running": true, "carries": true,
		"moon": true, "kubeclt": false, "configre": false, "xqzzt": false, "": false} {
		if English(word) != want {
			t.Errorf("English(%q) is %v", word, !want)
		}
	}
	for word, want := range map[string]bool{"container": true, "containers": true, "configured": true, "running": true, "carries": true, "handled": true,
		"readiness": true, "stopped": true, "watches": true, "developper": false, "livenes": false, "readyness": false, "handleing": false, "": false} {
		if Spelled(word) != want {
			t.Errorf("Spelled(%q) is %v", word, !want)
		}
	}
	for _, w := range EnglishWords("authent") {
		if !strings.HasPrefix(w, "authent") {
			t.Error(w)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("如何配置 Pod 的行为", "zh")
	f.Add("Konfigurationsdatei für x", "de")
	f.Fuzz(func(t *testing.T, text, language string) {
		at := 0
		for _, w := range SplitWords(text, language) {
			if w.Start < at || w.End <= w.Start || w.End > len(text) || text[w.Start:w.End] != w.Text || !utf8.ValidString(w.Text) && utf8.ValidString(text) {
				t.Fatalf("%+v of %q", w, text)
			}
			at = w.End
			for _, g := range w.Glosses {
				if g.Text == "" || !(g.Weight > 0 && g.Weight <= 1) {
					t.Fatalf("%+v of %q", w, text)
				}
			}
		}
		Foreign(text, language)
	})
}
