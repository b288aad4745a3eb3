package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// files writes files below a new folder of packages.
func files(t *testing.T, texts map[string]string) sources {
	t.Helper()
	from := sources{dictionaries: t.TempDir()}
	for name, text := range texts {
		path := filepath.Join(from.dictionaries, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return from
}

// has fails unless the best gloss of each key is this one; "" is no key.
func has(t *testing.T, d *draft, want map[string]string) {
	t.Helper()
	for key, gloss := range want {
		e := d.entries[key]
		if gloss == "" && e != nil || gloss != "" && (e == nil || e.glosses[0].Text != gloss) {
			t.Errorf("%s is %v, not %q", key, e, gloss)
		}
	}
}

func TestReadCLDR(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	for _, l := range []struct{ language, land, tongue, coin, city, day, length, lamp string }{
		{"en", "Lampland (old)", "Wickish", "lamp dollar", "", "day", "miles", "lamp"},
		{"de", "Lampenland", "Wickisch", "Lampendollar", `, "exemplarCity": "Dochtstadt"`, "Tag", "Meilen", "Lampe"},
	} {
		main := func(text string) string {
			return fmt.Sprintf(`{"main": {%q: {"identity": {"language": %q}, %s}}}`, l.language, l.language, text)
		}
		for name, text := range map[string]string{
			"localenames-full/package/main/%s/territories.json": `"territories": {"LL": "` + l.land + `"}`,
			"localenames-full/package/main/%s/languages.json":   `"languages": {"wi": "` + l.tongue + `"}`,
			"localenames-full/package/main/%s/scripts.json":     `"scripts": {}`,
			"numbers-full/package/main/%s/currencies.json":      `"LLD": {"displayName": "` + l.coin + `", "symbol": "$"}`,
			"dates-full/package/main/%s/timeZoneNames.json":     `"zone": {"Wick_City": {"_type": "zone"` + l.city + `}}`,
			"dates-full/package/main/%s/dateFields.json":        `"day": {"displayName": "` + l.day + `"}`,
			"units-full/package/main/%s/units.json":             `"long": {"length-mile": {"displayName": "` + l.length + `"}}`,
		} {
			texts["npm/cldr-"+fmt.Sprintf(name, l.language)] = main(text)
		}
		texts["npm/cldr-annotations-full/package/annotations/"+l.language+"/annotations.json"] =
			`{"annotations": {"annotations": {"L": {"default": ["x"], "tts": ["` + l.lamp + `"]}}}}`
	}
	from := files(t, texts)
	d := newDraft("de")
	if err := readCLDR(from, d); err != nil {
		t.Fatal(err)
	}
	has(t, d, map[string]string{"lampenland": "Lampland", "wickisch": "Wickish", "lampendollar": "lamp dollar", "dochtstadt": "Wick City",
		"tag": "day", "meilen": "miles", "lampe": "lamp", "$": "", "x": ""})
	if err := readCLDR(from, newDraft("fr")); err == nil {
		t.Error("a language that is not there passes")
	}
}

func TestReadMaps(t *testing.T) {
	t.Parallel()
	thing := `{%q: {"presets": {"presets": {"shop/lamp": {"name": %q, "terms": "wick"}}, "fields": {"a": {"name": %q}}}}}`
	from := files(t, map[string]string{
		"npm/id-tagging-schema/package/dist/translations/en.json": fmt.Sprintf(thing, "en", "Lamp Shop", "Yes"),
		"npm/id-tagging-schema/package/dist/translations/ru.json": fmt.Sprintf(thing, "ru", "Магазин ламп", "Да"),
		"natural-earth/ne_10m_populated_places.json": `{"features": [{"properties": {"NAME": "Wick", "NAME_EN": "Wick City", "NAME_RU": "Вик"}},
			{"properties": {"NAME": "Oil", "NAME_EN": null, "NAME_RU": "Ойл"}}, {"properties": {"NAME": "Lamp", "NAME_RU": "Lamp"}}]}`,
	})
	d := newDraft("ru")
	for _, read := range []func(sources, *draft) error{readThings, readPlaces} {
		if err := read(from, d); err != nil {
			t.Fatal(err)
		}
	}
	has(t, d, map[string]string{"магазин ламп": "Lamp Shop", "да": "", "вик": "Wick City", "ойл": "Oil", "lamp": ""})
	if err := readPlaces(files(t, map[string]string{"natural-earth/ne_10m_populated_places.json": "{}"}), d); err == nil {
		t.Error("a map without places passes")
	}
}

// The lists are compressed: two variants of characters, and three meanings.
const (
	variants = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x23\xac\x43\x55\x00\x00\x06\xdf\x80\x00\x30\x48\x08\x67\xc0\x09\x00\x0f\x00\x27\x6f\xd4\x00\x20\x00\x48\x64\x90\x69\xea\x30\x9e\xa3\x40\x00\x32\x82\x34\x7a\x8d\x00\x03\x6a\x3d\x4f\x8c\x20\x82\x8e\x9d\xeb\x45\xcc\x99\x3c\x85\x0e\x0f\x98\x90\x16\x23\x14\x18\x96\xe0\xb4\x02\x04\xc9\xb9\x73\xf9\x6f\x54\xf8\x77\xa8\x39\x62\x04\xa4\x54\x20\xa0\xa5\xf8\x14\x60\x81\xa0\x5e\xc1\xa0\x73\x31\xfc\x5d\xc9\x14\xe1\x42\x40\x8e\xb1\x0d\x54"
	meanings = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x1b\x5f\xa6\xd9\x00\x00\x12\x5f\x80\x00\x30\x40\x6c\x65\xc8\x0d\x00\x02\x00\x2f\xef\xd5\x00\x20\x00\x48\xaf\x51\x01\xa1\xea\x06\x9b\x48\x1a\x7a\x9e\xa0\xaf\x51\xa8\xf5\x30\x8c\x9a\x0c\x9a\x00\xd3\x32\x7c\xc1\xbd\xdc\x68\x55\x47\x09\x18\x48\x44\x14\x18\xe6\x9a\x9c\xc6\xf2\x04\x88\xc5\x6f\xd6\x4c\x5d\xb0\x54\x55\xfc\x0c\x72\x3d\x1b\xa5\x15\xc5\x49\x22\x10\x70\x2a\xa8\x2e\x28\x37\xf8\xe3\x0d\xb7\xf1\x77\x24\x53\x85\x09\x01\xb5\xfa\x6d\x90"
)

func TestReadUnihanAndWords(t *testing.T) {
	t.Parallel()
	from := files(t, map[string]string{"deb/usr/share/unicode/Unihan_Variants.txt.bz2": variants,
		"deb/usr/share/unicode/Unihan_Readings.txt.bz2":    meanings,
		"deb/usr/lib/python3/dist-packages/jieba/dict.txt": "灯 9 n\n油燈 3 n\nB超 3 n\n"})
	d := newDraft("zh")
	for _, read := range []func(sources, *draft) error{readVariants, readChinese, readDefinitions} {
		if err := read(from, d); err != nil {
			t.Fatal(err)
		}
	}
	if d.fold('燈') != '灯' || d.fold('著') != '著' {
		t.Errorf("%v", d.folds)
	}
	has(t, d, map[string]string{"灯": "lamp", "燈": "", "着": ""}) // 着 is no word of the list
	if got := sortedKeys(d.known); !slices.Equal(got, []string{"油灯", "灯"}) {
		t.Errorf("%q", got)
	}
}

func TestParseSources(t *testing.T) {
	t.Parallel()
	list, err := parseSources("name\tcommit\tfiles\tlanguage\tuse\tlicence\na/b\t01\tdocs/*.md\tde,fr\tdocumentation of c/d\tMIT\n")
	if err != nil || len(list) != 1 || !list[0].matches("docs/a.md") || list[0].matches("a.md") || list[0].matches("docs/a.txt") {
		t.Errorf("%v %v", list, err)
	}
	for _, broken := range []string{"", "a head", "a head\na/b\t01\t*.md"} {
		if _, err := parseSources(broken); err == nil {
			t.Errorf("%q passes", broken)
		}
	}
}

// Each language has translated documentation, pinned to a commit and under a licence that
// lets a binary be passed on.
func TestSourcesAreFree(t *testing.T) {
	t.Parallel()
	all, err := recipes(sourcesFile)
	if err != nil || len(all) != 9 {
		t.Fatalf("%d languages: %v", len(all), err)
	}
	for _, r := range all {
		if len(r.docs) == 0 || !strings.Contains(r.source(), "CC-BY-4.0") {
			t.Errorf("%s: %s", r.language, r.source())
		}
		for _, s := range r.repositories {
			if len(s.commit) != 40 || s.licence == "" || strings.Contains(s.licence, "GPL") || strings.Contains(s.licence, "-SA") || strings.Contains(s.licence, "-NC") {
				t.Errorf("%s: %v", r.language, s)
			}
		}
	}
}
