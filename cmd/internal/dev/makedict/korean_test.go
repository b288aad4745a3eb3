package main

import (
	"slices"
	"testing"
)

// Words and forms are read, and a word of the texts is known by its particles: 파드 by
// four of them, 추가 is none, because 추 has one syllable.
func TestKorean(t *testing.T) {
	t.Parallel()
	from := sources{t.TempDir(), t.TempDir()}
	r := makeRepository(t, from.mirrors, "a+korean", map[string]string{"nouns.txt": "서버\nserver\n파일\n", "verbs.txt": "지우\t지우고, 지워, 지운\n"})
	d := newDraft("ko")
	r.pattern = "nouns.txt"
	if err := readKnown(from, r, d); err != nil {
		t.Fatal(err)
	}
	r.pattern = "verbs.txt"
	if err := readForms(from, r, d); err != nil {
		t.Fatal(err)
	}
	if got := d.extra["지워"]; !slices.Equal(got, []string{"지우"}) || d.extra["지우고"] != nil {
		t.Errorf("forms: %v", d.extra)
	}
	d.knowStems([]message{{"", "파드를 추가 파드는 파드에서, 파드의 추가. 노드를 노드는"}})
	if got := sortedKeys(d.known); !slices.Equal(got, []string{"서버", "지우", "파드", "파일"}) {
		t.Errorf("known: %q", got)
	}
	other := newDraft("ja")
	other.knowStems([]message{{"", "파드를 파드는 파드에서 파드의"}})
	if len(other.known) != 0 {
		t.Errorf("words of another language: %v", other.known)
	}
}

// A compound is written with a space or without: both are one phrase.
func TestLearnKoreanPhrases(t *testing.T) {
	t.Parallel()
	d := learn(t, "ko", repeat([]message{
		{"lamp oil", "등잔 기름"}, {"lamp oil", "등잔 기름"}, {"a lamp", "등잔을"}, {"the oil", "기름은"}, {"wick stand", "심지 받침"},
	}))
	if e := d.entries["등잔"]; e == nil || e.glosses[0].Text != "lamp" {
		t.Errorf("%v", sortedKeys(d.entries))
	}
}
