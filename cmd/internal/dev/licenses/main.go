// Command licenses writes NOTICE and the licence texts that docent version
// --licenses prints: the parts of the program's binary with their licences. With
// -check it writes nothing, and fails if the files are out of date.
//
// The parts are the program, its data, and the modules that go list reports as
// linked on Linux, macOS and Windows. A licence is identified by phrases that only
// its text contains, and named by its SPDX identifier.
//
// It refuses to guess: an unknown licence text is an error. It refuses to download:
// run go mod download first.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"docent/cmd/internal/licenses"
)

const (
	noticePath = "NOTICE"
	folder     = "cmd/internal/licenses"
	tables     = "pipeline/question/dictionary/tables"
)

func main() {
	check := flag.Bool("check", false, "write nothing; fail where the files are out of date")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

// run writes the files, or checks them.
func run(check bool) error {
	parts, err := collect()
	if err != nil {
		return err
	}
	texts, err := compress(texts(parts))
	if err != nil {
		return err
	}
	notice := []byte(notice(parts))
	var stale []string
	for path, content := range map[string][]byte{noticePath: notice, folder + "/notice.txt": notice, folder + "/texts.gz": texts} {
		old, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if same(path, old, content) {
			continue
		}
		if check {
			stale = append(stale, path)
			continue
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	if len(stale) > 0 {
		slices.Sort(stale)
		return fmt.Errorf("%s out of date; run make licenses and commit what it writes", strings.Join(stale, ", "))
	}
	return nil
}

// same compares two versions of a file. It compares compressed files by their
// content, because the compressed bytes depend on the release of Go.
func same(path string, a, b []byte) bool {
	if filepath.Ext(path) != ".gz" {
		return bytes.Equal(a, b)
	}
	x, errX := expand(a)
	y, errY := expand(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// part is one part of the binary.
type part struct {
	name, kind string
	licenses   []string // SPDX identifiers
	about      string   // origin of the part; "" for modules
	texts      []string // full texts of the licences and notices
}

// collect lists the parts: the program, its data and the linked modules.
func collect() ([]part, error) {
	own, err := os.ReadFile("LICENSE")
	if err != nil {
		return nil, err
	}
	ids, err := identify(string(own))
	if err != nil {
		return nil, fmt.Errorf("LICENSE: %w", err)
	}
	parts := []part{{name: "docent", kind: licenses.HeadProgram, licenses: ids,
		about: "the program's own code, prompts, manual and learned weights", texts: []string{string(own)}}}
	data, err := dictionaries()
	if err != nil {
		return nil, err
	}
	modules, err := linked()
	if err != nil {
		return nil, err
	}
	return slices.Concat(parts, data, modules), nil
}

// dataLicenses are the licence files next to the tables, with their identifiers.
var dataLicenses = []struct{ file, id string }{
	{"CC-BY-4.0.txt", "CC-BY-4.0"}, {"Apache-2.0.txt", "Apache-2.0"}, {"CC-BY-2.0-FR.txt", "CC-BY-2.0-FR"}, {"ISC-iD.txt", "ISC"},
	{"MIT-docs.txt", "MIT"}, {"MIT-vscode.txt", "MIT"}, {"MIT-jieba.txt", "MIT"}, {"NAIST-2003.txt", "NAIST-2003"},
	{"Unicode-3.0.txt", "Unicode-3.0"}, {"WordNet.txt", "LicenseRef-WordNet"},
}

// dictionaries lists the embedded dictionary tables, and the letter statistics
// that were computed from them.
func dictionaries() ([]part, error) {
	paths, err := filepath.Glob(tables + "/*.LICENSE")
	if err != nil || len(paths) == 0 {
		return nil, errors.Join(err, fmt.Errorf("%s: no licences of tables", tables))
	}
	full := map[string]string{}
	for _, l := range dataLicenses {
		raw, err := os.ReadFile(filepath.Join(tables, l.file))
		if errors.Is(err, fs.ErrNotExist) {
			continue // no table needs it
		}
		if err != nil {
			return nil, err
		}
		full[l.file] = string(raw)
	}
	var out []part
	letters := part{name: "pipeline/question/letters/letters.txt", kind: licenses.HeadData, licenses: []string{"CC-BY-4.0", "LicenseRef-WordNet", "MIT"},
		about: "how often letters follow each other, counted in the German, French, Spanish, Portuguese and Italian tables, in the " +
			"translations of Visual Studio Code and in the words of WordNet 3.0"}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		own := string(raw)
		about, _, _ := strings.Cut(own, "\n\n")
		_, about, ok := strings.Cut(about, " is made from ")
		if !ok {
			return nil, fmt.Errorf("%s does not begin with what its table is made from", path)
		}
		p := part{name: strings.TrimSuffix(filepath.ToSlash(path), ".LICENSE") + ".dict", kind: licenses.HeadData, texts: []string{own},
			about: strings.TrimRight(strings.Join(strings.Fields(about), " "), ".:")}
		for _, l := range dataLicenses {
			if !strings.Contains(own, l.file) {
				continue
			}
			if full[l.file] == "" {
				return nil, fmt.Errorf("%s names %s, which is not there", path, l.file)
			}
			if p.texts = append(p.texts, full[l.file]); !slices.Contains(p.licenses, l.id) {
				p.licenses = append(p.licenses, l.id)
			}
		}
		if len(p.licenses) == 0 {
			return nil, fmt.Errorf("%s names none of the licences beside it", path)
		}
		out = append(out, p)
	}
	for _, name := range []string{"CC-BY-4.0.txt", "MIT-vscode.txt", "WordNet.txt"} {
		letters.texts = append(letters.texts, full[name])
	}
	return append(out, letters), nil
}

// module is a module in the output of go list.
type module struct {
	Path, Version, Dir string
	Main               bool
	Replace            *module
}

// systems are the operating systems that the program is built for.
var systems = []string{"linux", "darwin", "windows"}

// linked lists the modules that are linked into the binary on any system, and the
// Go standard library.
func linked() ([]part, error) {
	root, err := output(exec.Command("go", "env", "GOROOT"))
	if err != nil {
		return nil, err
	}
	found := map[string]module{"Go's runtime and standard library": {Path: "Go's runtime and standard library",
		Dir: strings.TrimSpace(string(root))}}
	for _, system := range systems {
		cmd := exec.Command("go", "list", "-deps", "-f",
			`{{with .Module}}{{if not .Main}}{"Path":"{{.Path}}","Version":"{{.Version}}","Dir":{{printf "%q" .Dir}}}{{end}}{{end}}`,
			"./cmd/docent")
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		raw, err := output(cmd)
		if err != nil {
			return nil, err
		}
		dec := json.NewDecoder(bytes.NewReader(raw))
		for {
			var m module
			if err := dec.Decode(&m); err == io.EOF {
				break
			} else if err != nil {
				return nil, fmt.Errorf("go list: %w", err)
			}
			found[m.Path] = m
		}
	}
	var out []part
	for _, m := range found {
		p, err := m.part()
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b part) int { return strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name)) })
	return out, nil
}

// output runs a command and returns its standard output.
func output(cmd *exec.Cmd) ([]byte, error) {
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args[:2], " "), err, errs.Bytes())
	}
	return out, nil
}

// legal matches the names of files that must be distributed with a module; licence
// matches those that contain its licence.
var (
	legal   = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|copyright)`)
	licence = regexp.MustCompile(`(?i)^(licen[cs]e|copying)`)
)

// part reads the licences of a module.
func (m module) part() (part, error) {
	p := part{name: strings.TrimSpace(m.Path + " " + m.Version), kind: licenses.HeadModules}
	entries, err := os.ReadDir(m.Dir)
	if err != nil {
		return p, fmt.Errorf("%s: %w; run go mod download", m.Path, err)
	}
	for _, e := range entries {
		if e.IsDir() || !legal.MatchString(e.Name()) {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(m.Dir, e.Name()))
		if err != nil {
			return p, err
		}
		text := strings.ToValidUTF8(strings.ReplaceAll(string(raw), "\r\n", "\n"), "\ufffd")
		p.texts = append(p.texts, text)
		if !licence.MatchString(e.Name()) || strings.HasSuffix(e.Name(), "-LOGO") {
			continue // a notice, a patent grant, or the licence of a logo that is not in the binary
		}
		ids, err := identify(text)
		if err != nil {
			return p, fmt.Errorf("%s, %s: %w", p.name, e.Name(), err)
		}
		for _, id := range ids {
			if !slices.Contains(p.licenses, id) {
				p.licenses = append(p.licenses, id)
			}
		}
	}
	if len(p.licenses) == 0 {
		return p, fmt.Errorf("%s has no licence in %s", p.name, m.Dir)
	}
	return p, nil
}

// phrases identify licences. A licence text contains all words of its entry, in
// lower case and with single spaces. unless is a licence whose text contains the
// same phrases: if it was identified, this entry does not apply.
var phrases = []struct {
	id     string
	words  []string
	unless string
}{
	{"Apache-2.0", []string{"apache license", "version 2.0"}, ""},
	{"MPL-2.0", []string{"mozilla public license", "2.0"}, ""},
	{"Public-Domain", []string{"sqlite is public domain"}, ""},
	{"Public-Domain", []string{"put into the public domain", "you can do whatever you want"}, ""},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "neither the name"}, ""},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "endorse or promote products"}, ""},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms"}, "BSD-3-Clause"},
	{"ISC", []string{"permission to use, copy, modify, and/or distribute this software"}, ""},
	{"MIT", []string{"permission is hereby granted, free of charge, to any person obtaining a copy"}, ""},
}

var errUnknown = errors.New("no known licence has this text; add its phrases to cmd/internal/dev/licenses")

// identify returns the identifiers of the licences in a text.
func identify(text string) ([]string, error) {
	flat := strings.ToLower(strings.Join(strings.Fields(text), " "))
	var ids []string
	for _, p := range phrases {
		missing := slices.ContainsFunc(p.words, func(w string) bool { return !strings.Contains(flat, w) })
		if !missing && !slices.Contains(ids, p.id) && !slices.Contains(ids, p.unless) {
			ids = append(ids, p.id)
		}
	}
	if len(ids) == 0 {
		return nil, errUnknown
	}
	return ids, nil
}

const head = `docent
Copyright (c) 2026 the docent authors

What a binary of docent is made of, and under which licences. The texts of all of
them: docent version --licenses.

The program's own code is under the MIT licence. The tables that translate questions
which are not in English are learned from translated documentation; they may be passed
on with the binary by whoever names their sources, as this file does.
`

// notice is the text of NOTICE: the parts with their licences.
func notice(parts []part) string {
	var b strings.Builder
	b.WriteString(head)
	kind := ""
	for _, p := range parts {
		if p.kind != kind {
			kind = p.kind
			fmt.Fprintf(&b, "\n%s\n", kind)
		}
		fmt.Fprintf(&b, "  %s  %s\n", p.name, strings.Join(p.licenses, " AND "))
		for _, line := range wrap(p.about, 74) {
			fmt.Fprintf(&b, "      %s\n", line)
		}
	}
	return b.String()
}

// wrap breaks a text into lines of at most width bytes. A longer word has a line of
// its own.
func wrap(text string, width int) []string {
	var out []string
	line := ""
	for _, w := range strings.Fields(text) {
		if line != "" && len(line)+1+len(w) > width {
			out, line = append(out, line), ""
		}
		line = strings.TrimSpace(line + " " + w)
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}

// texts lists each licence text once, below the names of the parts that it applies
// to.
func texts(parts []part) string {
	names := map[string][]string{}
	var order []string
	for _, p := range parts {
		for _, t := range p.texts {
			t = strings.Trim(t, "\n")
			if names[t] == nil {
				order = append(order, t)
			}
			names[t] = append(names[t], p.name)
		}
	}
	var b strings.Builder
	for _, t := range order {
		rule := strings.Repeat("=", 78)
		fmt.Fprintf(&b, "%s\n%s\n%s\n\n%s\n\n", rule, strings.Join(names[t], "\n"), rule, t)
	}
	return b.String()
}

func compress(text string) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(z, text)
	err = errors.Join(err, z.Close())
	return b.Bytes(), err
}

func expand(raw []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
