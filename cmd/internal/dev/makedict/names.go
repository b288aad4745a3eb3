package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"docent/pipeline/question/dictionary/table"
)

// nameWeight is the weight of the name of a place, a language, a currency or a thing.
const nameWeight = 1.2

// readCLDR adds the names that the Unicode Common Locale Data Repository has in every
// language, from its npm packages: territories, languages, currencies, cities with a time
// zone, months, days, units, and the short names of emoji.
func readCLDR(from sources, d *draft) error {
	locale := d.language
	for _, f := range []struct {
		path string
		take func(path string) bool
	}{
		{"cldr-localenames-full/package/main/%s/territories.json", nil},
		{"cldr-localenames-full/package/main/%s/languages.json", nil},
		{"cldr-localenames-full/package/main/%s/scripts.json", nil},
		{"cldr-numbers-full/package/main/%s/currencies.json", endsIn("displayName")},
		{"cldr-dates-full/package/main/%s/timeZoneNames.json", endsIn("exemplarCity")},
		{"cldr-dates-full/package/main/%s/dateFields.json", endsIn("displayName")},
		{"cldr-units-full/package/main/%s/units.json", func(p string) bool {
			return strings.HasSuffix(p, "/displayName") && strings.Contains(p, "/long/")
		}},
		{"cldr-annotations-full/package/annotations/%s/annotations.json", endsIn("tts/0")},
	} {
		english, err := flatten(from, fmt.Sprintf(f.path, "en"))
		if err != nil {
			return err
		}
		foreign, err := flatten(from, fmt.Sprintf(f.path, locale))
		if err != nil {
			return err
		}
		for _, path := range sortedKeys(foreign) {
			e := english[path]
			if zone, ok := strings.CutSuffix(path, "/exemplarCity"); ok && e == "" {
				e = strings.ReplaceAll(zone[strings.LastIndexByte(zone, '/')+1:], "_", " ")
			}
			if f.take == nil || f.take(path) {
				d.addName(foreign[path], e)
			}
		}
	}
	return nil
}

func endsIn(name string) func(string) bool {
	return func(path string) bool { return strings.HasSuffix(path, "/"+name) }
}

// addName adds a name with its English one. In a language that takes most names as they
// are it adds those that differ.
func (d *draft) addName(foreign, english string) {
	foreign, _, _ = strings.Cut(unbracket(foreign), ",")
	key := strings.Join(strings.Fields(strings.Map(d.fold, table.Normal(d.language, foreign))), " ")
	if !foreignOnly(d.language, key) || len(strings.Fields(key)) > longestForeign {
		return
	}
	for _, g := range clean(english) {
		if !strings.EqualFold(g, key) {
			d.add(key, g, nameWeight)
			d.keep(key)
		}
	}
}

// flatten gives the strings of a JSON file by their paths, without the language and its
// identity.
func flatten(from sources, name string) (map[string]string, error) {
	path := filepath.Join(from.dictionaries, "npm", name)
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	out := map[string]string{}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case string:
			out[at] = v
		case []any:
			for i, x := range v {
				walk(fmt.Sprintf("%s/%d", at, i), x)
			}
		case map[string]any:
			for k, x := range v {
				switch k {
				case "identity":
				case "main", "en", filepath.Base(filepath.Dir(name)), strings.TrimSuffix(filepath.Base(name), ".json"):
					walk(at, x)
				default:
					walk(at+"/"+k, x)
				}
			}
		}
	}
	walk("", tree)
	return out, nil
}

// readThings adds the names of shops, buildings, roads and other things of a map, from the
// translations of the tagging schema of the map editor iD.
func readThings(from sources, d *draft) error {
	locale := d.language
	if locale == "zh" {
		locale = "zh-CN"
	}
	english, err := flatten(from, "id-tagging-schema/package/dist/translations/en.json")
	if err != nil {
		return err
	}
	foreign, err := flatten(from, "id-tagging-schema/package/dist/translations/"+locale+".json")
	if err != nil {
		return err
	}
	for _, path := range sortedKeys(foreign) {
		// A choice of a field may be called "yes", "other" or "1".
		if strings.HasSuffix(path, "/name") && strings.Contains(path, "/presets/presets/") {
			d.addName(foreign[path], english[path])
		}
	}
	return nil
}

// readPlaces adds the names of Natural Earth's populated places.
func readPlaces(from sources, d *draft) error {
	path := filepath.Join(from.dictionaries, "natural-earth", "ne_10m_populated_places.json")
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var file struct {
		Features []struct{ Properties map[string]any }
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return &fs.PathError{Op: "read", Path: path, Err: err}
	}
	if len(file.Features) == 0 {
		return &fs.PathError{Op: "read", Path: path, Err: errors.New("no places")}
	}
	for _, f := range file.Features {
		foreign, _ := f.Properties["NAME_"+strings.ToUpper(d.language)].(string)
		english, _ := f.Properties["NAME_EN"].(string)
		if english == "" {
			english, _ = f.Properties["NAME"].(string)
		}
		d.addName(foreign, english)
	}
	return nil
}
