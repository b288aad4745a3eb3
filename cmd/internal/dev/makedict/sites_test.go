package main

import (
	"slices"
	"testing"
)

// A site has its languages as folders, or as endings of names. The title stands apart from
// the text, anchors stand in braces.
func TestReadSite(t *testing.T) {
	t.Parallel()
	mirrors := t.TempDir()
	site := makeRepository(t, mirrors, "a+site", map[string]string{
		"docs/en/lamp.md":  "---\ntitle: 'Lamps'\nweight: 1\n---\nFill the lamp.\n\n## Turn it off {#off}\n\n{{< note >}} Close the valve {{< /note >}}\n",
		"docs/ja/lamp.md":  "<!-- a\ncopy -->\n---\ntitle: ランプ\n---\nランプを満たす。\n\n## 消す {#off}\n\n{{< note >}} 弁を閉じる {{< /note >}}\n",
		"docs/ja/new.md":   "---\ntitle: 新しい\n---\n\n## 点ける {#turn-it-on}\n",
		"pages/wick.en.md": "# Wick\n\nTrim it.\n",
		"pages/wick.md":    "# 芯\n\n切る。\n",
	})
	for _, c := range []struct {
		foreign, english string
		want             []message
	}{
		{"docs/ja/**.md", "docs/en/**.md", []message{{"Lamps", "ランプ"}, {"Fill the lamp.", "ランプを満たす"}, {"Turn it off", "消す"},
			{"Close the valve", "弁を閉じる"}, {"turn it on", "点ける"}}},
		{"pages/**.md", "pages/**.en.md", []message{{"Wick", "芯"}, {"Trim it.", "切る"}}},
	} {
		foreign, english := site, site
		foreign.pattern, english.pattern = c.foreign, c.english
		got, err := readParallel(mirrors, []parallel{{&foreign, &english}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", c.foreign, got)
		}
	}
}

func TestReadPeople(t *testing.T) {
	t.Parallel()
	from := sources{t.TempDir(), t.TempDir()}
	r := makeRepository(t, from.mirrors, "a+names", map[string]string{
		"names_20": "ada\t阿 達\t4\nadda\t阿 達\t1\nole\t奥 莱\t1\nlamp\t灯 火\t9\n", "names_80": "adah\t阿 達\t2\nottoline\t奥 托 琳\t1\r\nno names here\n"})
	r.pattern = "names_[28]0"
	d := newDraft("zh")
	d.folds['達'] = '达'
	d.add("灯火", "light", 1)
	if err := readPeople(from, r, d); err != nil {
		t.Fatal(err)
	}
	if g := d.glosses("阿达", nil); len(g) != 2 || g[0].Text != "Ada" || g[1].Text != "Adah" || g[1].Weight != g[0].Weight/2 {
		t.Errorf("阿达: %v", g)
	}
	if d.entries["奥托琳"] == nil || d.entries["奥莱"] != nil {
		t.Error("a long name that one person has is added, a short one is not")
	}
	if len(d.entries["灯火"].glosses) != 1 {
		t.Errorf("a word became a name: %v", d.entries["灯火"].glosses)
	}
	r = makeRepository(t, from.mirrors, "a+broken", map[string]string{"names": "ada\t阿 达\tmany\n"})
	r.pattern = "names"
	if err := readPeople(from, r, newDraft("zh")); err == nil {
		t.Error("a name that many people have passes")
	}
}

func TestReadSynonyms(t *testing.T) {
	t.Parallel()
	from := sources{t.TempDir(), t.TempDir()}
	r := makeRepository(t, from.mirrors, "a+synonyms", map[string]string{"synonyms.txt": "\n000001,1,0,1,0,0,0,(),灯,,\n000001,1,0,2,0,0,0,(),ランプ,,\n" +
		"000001,1,0,2,0,0,1,(),lamp,,\n000001,1,0,2,0,1,1,(),LMP,,\n\n000002,1,0,1,0,0,0,(),芯,,\n000002,1,0,1,0,0,1,(),wick,,\n"})
	r.pattern = "synonyms.txt"
	d := newDraft("ja")
	if err := readSynonyms(from, r, d); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]float64{"ランプ": 1, "灯": sameGroupWeight, "芯": 1} {
		if g := d.glosses(key, nil); len(g) != 1 || g[0].Weight != want {
			t.Errorf("%s: %v", key, g)
		}
	}
	if len(d.entries) != 3 || d.entries["ランプ"].glosses[0].Text != "lamp" {
		t.Errorf("%v", d.entries)
	}
}
