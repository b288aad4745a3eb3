package dictionary

import (
	"strings"
	"testing"

	"docent/pipeline/question/dictionary/table"
)

// korean is a table of a few words.
func korean(t testing.TB, forms map[string][]string, words ...string) *Dictionary {
	t.Helper()
	c := table.Contents{Language: "ko", Forms: forms}
	for _, w := range words {
		key, gloss, _ := strings.Cut(w, "=")
		c.Entries = append(c.Entries, table.Entry{Key: key, Glosses: []table.Gloss{{Text: gloss, Weight: 1}}})
	}
	d, err := ReadTable(string(table.Encode(c)))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Particles and endings are parted from words, compounds are cut, and what the table does
// not have loses only an ending that can be nothing else.
func TestKorean(t *testing.T) {
	t.Parallel()
	d := korean(t, map[string][]string{"지워": {"지우"}, "지운": {"지우"}}, "서버=server", "환경=environment", "변수=variable",
		"설정=configuration", "추가=add", "경로=path", "지우=delete", "만들=create", "데이터=data", "데이터베이스=database", "환경 변수=env var",
		"서비스=service", "계정=account", "차이=difference", "컨테이너=container")
	for text, want := range map[string]string{
		"서버에서는":         "서버:server 에서는:",
		"환경변수를 설정하려면":   "환경변수:env var 를: 설정:configuration 하려면:",
		"환경 변수":         "환경 변수:env var",
		"경로를 추가":        "경로:path 를: 추가:add",
		"추가하기":          "추가:add 하기:",
		"지워야 합니다":       "지워:delete 야: 합니다:",
		"지운다":           "지운:delete 다:",
		"만들었습니다":        "만들:create 었습니다:",
		"Pod를":          "Pod= 를:",
		"etcd서버의":       "etcd= 서버:server 의:",
		"서비스계정과":        "서비스:service 계정:account 과:",
		"데이터베이스":        "데이터베이스:database",
		"컨테이너의 차이":      "컨테이너:container 의: 차이:difference",
		"쿠버네티스에서":       "쿠버네티스= 에서:",
		"쿠버네티스를":        "쿠버네티스= 를:",
		"레지스트리":         "레지스트리=",
		"어떻게 서버를 시작하나요": "어떻게: 서버:server 를: 시작= 하나요:",
	} {
		var got []string
		for _, w := range d.SplitWords(text) {
			switch {
			case w.Stop:
				got = append(got, w.Text+":")
			case len(w.Glosses) > 0:
				got = append(got, w.Text+":"+w.Glosses[0].Text)
			default:
				got = append(got, w.Text+"=")
			}
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%q is %q, want %q", text, g, want)
		}
	}
	check(t, d, "환경변수를 "+strings.Repeat("가나다", 40)+"서버")
}
