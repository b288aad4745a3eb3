package main

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// readGettext reads the translations of LibreOffice. They are compiled gettext
// catalogs (GNU gettext manual, "The Format of GNU MO Files"). A message's
// identifier is its context and its English text.
func readGettext(src, language string) ([]message, error) {
	files, err := filepath.Glob(filepath.Join(src, "deb/usr/lib/libreoffice/program/resource", language, "LC_MESSAGES/*.mo"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("no catalogs of LibreOffice for " + language)
	}
	var out []message
	seen := map[message]bool{}
	for _, f := range files { // Glob sorts
		b, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		pairs, ok := parseMO(b)
		if !ok {
			return nil, &fs.PathError{Op: "read", Path: f, Err: errors.New("not a gettext catalog")}
		}
		for _, p := range pairs {
			if _, text, ok := strings.Cut(p.english, "\x04"); ok {
				p.english = text
			}
			// Plural forms follow after a zero byte.
			p.english, _, _ = strings.Cut(p.english, "\x00")
			p.foreign, _, _ = strings.Cut(p.foreign, "\x00")
			m := message{unmark(accelerators.Replace(p.english)), unmark(accelerators.Replace(p.foreign))}
			if m.english != "" && m.foreign != "" && m.english != m.foreign && !seen[m] {
				seen[m] = true
				out = append(out, m)
			}
		}
	}
	return out, nil
}

// accelerators removes marks of keyboard shortcuts and the product name.
var accelerators = strings.NewReplacer("~", "", "_", "", "%PRODUCTNAME", "", "\n", " ")

// parseMO parses a compiled catalog. It returns false if the catalog is malformed.
func parseMO(b []byte) ([]message, bool) {
	u32 := func(at int) int {
		if at < 0 || at+4 > len(b) {
			return -1
		}
		return int(binary.LittleEndian.Uint32(b[at:]))
	}
	text := func(at int) (string, bool) {
		size, from := u32(at), u32(at+4)
		if size < 0 || from < 0 || from+size > len(b) {
			return "", false
		}
		return string(b[from : from+size]), true
	}
	if u32(0) != 0x950412de {
		return nil, false
	}
	n, ids, texts := u32(8), u32(12), u32(16)
	var out []message
	for i := range n {
		id, ok1 := text(ids + 8*i)
		t, ok2 := text(texts + 8*i)
		if !ok1 || !ok2 {
			return nil, false
		}
		if id != "" {
			out = append(out, message{id, t})
		}
	}
	return out, true
}
