package git

import (
	"os"
	"path/filepath"
	"strings"
)

// licenceIn is the licence of a folder by the file that has its text; "" where its text is not
// known.
func licenceIn(dir string) string {
	for _, name := range []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENSE.rst", "LICENCE", "LICENCE.md", "COPYING"} {
		st, err := os.Lstat(filepath.Join(dir, name))
		if err != nil || !st.Mode().IsRegular() || st.Size() > 1<<20 {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		return licenceNamed(string(raw))
	}
	return ""
}

// licences are phrases of the texts of licences, with the licence's SPDX name. Texts name other
// licences too, but their own first.
var licences = []struct{ phrase, name string }{
	{"attribution-noncommercial-sharealike 4.0", "CC-BY-NC-SA-4.0"}, {"attribution-noncommercial 4.0", "CC-BY-NC-4.0"},
	{"attribution-sharealike 4.0", "CC-BY-SA-4.0"}, {"attribution-sharealike 3.0", "CC-BY-SA-3.0"},
	{"attribution 4.0 international", "CC-BY-4.0"}, {"cc0 1.0 universal", "CC0-1.0"},
	{"gnu affero general public license", "AGPL-3.0"}, {"gnu lesser general public license", "LGPL"},
	{"gnu free documentation license", "GFDL"}, {"gnu general public license", "GPL"}, {"mozilla public license version 2.0", "MPL-2.0"},
	{"mozilla public license, version 2.0", "MPL-2.0"}, {"apache license version 2.0", "Apache-2.0"},
	{"eclipse public license - v 2.0", "EPL-2.0"}, {"permission is hereby granted, free of charge", "MIT"},
	{"mit license", "MIT"},
	{"redistribution and use in source and binary forms", "BSD-2-Clause"}, {"permission to use, copy, modify, and/or distribute", "ISC"},
}

// licenceNamed is the licence whose text this is.
func licenceNamed(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	first, name := len(text), ""
	for _, l := range licences {
		if i := strings.Index(text, l.phrase); i >= 0 && i < first {
			first, name = i, l.name
		}
	}
	if name == "BSD-2-Clause" && strings.Contains(text, "neither the name of") {
		return "BSD-3-Clause"
	}
	return name
}
