package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// message is a message of a program in English and in another language.
type message struct{ english, foreign string }

// readMessages reads a language pack of Visual Studio Code from its npm package. The
// main translations are arrays with the same order in every language; those of
// extensions are maps from the English text. The arrays have no English version, so
// the English comes from the pseudo-language, which is English with other letters.
func readMessages(src, pack string) ([]message, error) {
	pseudo, err := readArray(src, "qps-ploc")
	if err != nil {
		return nil, err
	}
	foreign, err := readArray(src, pack)
	if err != nil {
		return nil, err
	}
	if len(pseudo) != len(foreign) {
		return nil, errors.New("the language packs are of different versions")
	}
	var out []message
	seen := map[message]bool{}
	add := func(english, foreign string) {
		m := message{unmark(english), unmark(foreign)}
		if m.english != "" && m.foreign != "" && m.english != m.foreign && !seen[m] {
			seen[m] = true
			out = append(out, m)
		}
	}
	for i := range pseudo {
		if pseudo[i] != nil && foreign[i] != nil {
			add(unpseudo.Replace(*pseudo[i]), *foreign[i])
		}
	}
	files, err := filepath.Glob(filepath.Join(packFolder(src, pack), "extensions/*.json"))
	if err != nil {
		return nil, err
	}
	for _, f := range files { // Glob sorts
		b, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		var file struct {
			Contents struct {
				Bundle map[string]string
			}
		}
		if err := json.Unmarshal(b, &file); err != nil {
			return nil, &fs.PathError{Op: "read", Path: f, Err: err}
		}
		for _, english := range sortedKeys(file.Contents.Bundle) {
			key, _, _ := strings.Cut(english, "/") // "Name/a comment for translators"
			if strings.Count(english, "/") != 1 {
				key = english
			}
			add(key, file.Contents.Bundle[english])
		}
	}
	return out, nil
}

// packFolder is the folder of a language pack.
func packFolder(src, pack string) string {
	return filepath.Join(src, "npm", "vscode-"+pack, "package/translations")
}

// readArray reads the main translations of a language pack; nil: not translated.
func readArray(src, pack string) ([]*string, error) {
	path := filepath.Join(packFolder(src, pack), "main.i18n.json.js")
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	_, b, ok := bytes.Cut(b, []byte("var content = "))
	if !ok {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("no array of messages")}
	}
	// The array is JSON, except for undefined elements.
	b = regexp.MustCompile(`(?m)^\tundefined(,?)$`).ReplaceAll(b, []byte("\tnull$1"))
	var list []*string
	return list, json.NewDecoder(bytes.NewReader(b)).Decode(&list)
}

// unpseudo converts the pseudo-language to English.
var unpseudo = strings.NewReplacer(
	"ø", "o", "ë", "e", "Æ", "A", "ç", "c", "ï", "i", "ñ", "n", "Ø", "O", "Ï", "I", "Ë", "E", "æ", "a", "Ç", "C", "Ð", "D",
	"µ", "u", "ð", "d", "Ü", "U", "þ", "b", "ÿ", "y", "§", "S", "Ñ", "N", "ß", "B", "£", "L", "Ý", "Y")

// marks matches the text that unmark removes. The text of a link is kept.
var marks = regexp.MustCompile("\\$\\([^)]*\\)|\\{[^}]*\\}|`[^`]*`|&&|\\(&[A-Z]\\)|\\[([^\\]]*)\\]\\([^)]*\\)|https?://\\S+|</?[a-z][^>]*>")

// unmark removes placeholders, icons, code, links and marks of keyboard shortcuts.
func unmark(s string) string {
	s = marks.ReplaceAllString(s, "$1 ")
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "&", "")), " ")
}
