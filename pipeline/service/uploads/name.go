package uploads

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/text/sanitize"
	"docent/store"
)

// cleanName is a file's name as a person handed it in, without folders of any system and
// without what would steer a terminal: one line of at most 255 bytes, "document" where
// nothing is left.
func cleanName(name string) string {
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.TrimSpace(sanitize.Line(name))
	if name = cutBytes(name, 255); strings.Trim(name, ". ") == "" {
		return "document"
	}
	return name
}

// endings are the ends of the names of each format's files, the usual one first.
var endings = []struct {
	format string
	ends   []string
}{
	{PDF, []string{".pdf"}},
	{JSON, []string{".json"}},
	{Text, []string{".txt", ".text"}},
	{Markdown, []string{".md", ".markdown", ".mdx"}},
}

// formatOf is the format that a name's ending stands for, and its ending in lower case;
// "" for an unknown ending.
func formatOf(name string) (format, ending string) {
	ending = strings.ToLower(path.Ext(name))
	for _, e := range endings {
		for _, end := range e.ends {
			if end == ending {
				return e.format, ending
			}
		}
	}
	return "", ending
}

// pageName is the name of a file's page: letters, digits, dots, dashes and underscores,
// with the ending by which its parser is chosen.
func pageName(clean, format string) string {
	stem := clean
	keep := ""
	if f, ending := formatOf(clean); f == format {
		stem = clean[:len(clean)-len(ending)]
		if ending != ".text" {
			keep = ending
		}
	}
	for _, e := range endings {
		if keep == "" && e.format == format {
			keep = e.ends[0]
		}
	}
	stem = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == '.', r == '_', r == '-':
			return r
		}
		return ' '
	}, stem)
	stem = strings.Trim(strings.Join(strings.Fields(stem), "-"), ".-")
	if stem = strings.Trim(cutBytes(stem, maxNameBytes), ".-"); stem == "" {
		stem = "document"
	}
	if reserved(stem) {
		stem += "-file"
	}
	return stem + keep
}

// reserved reports whether Windows has a device of this name.
func reserved(stem string) bool {
	base, _, _ := strings.Cut(strings.ToLower(stem), ".")
	switch base {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(base) == 4 && (base[:3] == "com" || base[:3] == "lpt") && base[3] >= '0' && base[3] <= '9'
}

// cutBytes shortens a text to at most n bytes, between characters.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// PlacesOf are the places in the folder of uploads where the files and the record of an upload may
// lie, with slashes.
func PlacesOf(u store.Upload) []string {
	var out []string
	if checkPath(u.Path) == nil {
		for _, dir := range []string{"waiting", "pages", "originals"} {
			out = append(out, dir+"/"+path.Dir(u.Path))
		}
	}
	if ValidID(u.ID) {
		out = append(out, "records/"+u.ID+".json")
	}
	return out
}

// Parts are the places in the folder of uploads with what is handed in; the others are for work.
func Parts() []string { return []string{"waiting", "pages", "originals", "records"} }
