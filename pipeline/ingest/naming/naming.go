// Package naming reads the indexes of names that documentation comes with: which function,
// class or setting is documented on which page, at which anchor. It reads objects.inv, which
// Sphinx and programs like it write, and docent's own form, in which the fetchers of bundles
// write the names of a bundle.
//
// It refuses to read pages: where on a page an anchor stands is found by those who have
// parsed it.
package naming

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"errors"
	"io"
	"net/url"
	"path"
	"strconv"
	"strings"

	"docent/pipeline/text/nameindex"
	"docent/pipeline/text/sanitize"
	"docent/store/doc"
)

// inventory is the name of Sphinx's index.
const inventory = "objects.inv"

// Bounds of an index. Names beyond them are left out.
const (
	mostBytes = 64 << 20 // unpacked
	mostNames = 500_000
	mostName  = 300 // bytes of one name
)

// Index has the names of the pages of a folder. Its zero value is empty.
type Index struct {
	File   string // that was read, "" if none
	byPage map[string][]doc.Name
}

// IsIndex reports whether a file is an index of names, by its path in the folder of the pages.
func IsIndex(file string) bool { return file == nameindex.File || file == inventory }

// Read reads the index of a folder of pages; open opens a file in it. A folder without one,
// or with one that is no index, has the empty index.
func Read(open func(name string) ([]byte, error)) Index {
	for _, kind := range []struct {
		file string
		read func([]byte) (map[string][]doc.Name, error)
	}{{nameindex.File, readLines}, {inventory, readInventory}} {
		raw, err := open(kind.file)
		if err != nil {
			continue
		}
		if names, err := kind.read(raw); err == nil && len(names) > 0 {
			return Index{kind.file, names}
		}
	}
	return Index{}
}

// Names are those of a page, in the order of the index.
func (x Index) Names(page string) []doc.Name { return x.byPage[page] }

// readLines reads the index of a bundle.
func readLines(raw []byte) (map[string][]doc.Name, error) {
	entries, err := nameindex.Parse(raw[:min(len(raw), mostBytes)])
	if err != nil {
		return nil, err
	}
	out := pages{names: map[string][]doc.Name{}}
	for _, e := range entries {
		out.add(e)
	}
	return out.names, nil
}

// signature begins an inventory of the second version, the only one that is written today:
// https://sphobjinv.readthedocs.io/en/stable/syntax.html
const signature = "# Sphinx inventory version 2"

// readInventory reads objects.inv: four lines of text, then lines behind zlib with the name,
// "domain:role", the priority, the address with its anchor, and the name as it is shown. "$" at
// the end of an address stands for the name.
func readInventory(raw []byte) (map[string][]doc.Name, error) {
	in := bufio.NewReader(bytes.NewReader(raw))
	for i := range 4 {
		line, err := in.ReadString('\n')
		if err != nil || i == 0 && strings.TrimSpace(line) != signature {
			return nil, errors.New("it is no inventory of the second version")
		}
	}
	unpacked, err := zlib.NewReader(in)
	if err != nil {
		return nil, err
	}
	out := pages{names: map[string][]doc.Name{}}
	lines := bufio.NewScanner(io.LimitReader(unpacked, mostBytes))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		// A name may have blanks: the first role with a whole number behind it ends it.
		at := 1
		for at+2 < len(fields) && !(isRole(fields[at]) && isWhole(fields[at+1])) {
			at++
		}
		if at+2 >= len(fields) {
			continue
		}
		role, address := fields[at], fields[at+2]
		// Pages and headings have their titles, and a function's parameter is named where the
		// function is.
		if role == "std:doc" || role == "std:label" || strings.HasSuffix(role, "Param") {
			continue
		}
		name := strings.Join(fields[:at], " ")
		if front, ok := strings.CutSuffix(address, "$"); ok {
			address = front + name
		}
		u, err := url.Parse(address)
		if err != nil || u.IsAbs() || u.Host != "" {
			continue
		}
		page := u.Path
		if page == "" || strings.HasSuffix(page, "/") {
			page += "index.html"
		}
		_, kind, _ := strings.Cut(role, ":")
		out.add(nameindex.Entry{Name: name, Kind: kind, Path: page, Anchor: u.Fragment})
	}
	// A damaged end costs the names behind it.
	return out.names, nil
}

// isWhole reports whether a field is a whole number.
func isWhole(field string) bool {
	_, err := strconv.Atoi(field)
	return err == nil
}

// isRole reports whether a field is a role such as py:function.
func isRole(field string) bool {
	domain, role, ok := strings.Cut(field, ":")
	if !ok || domain == "" || role == "" || strings.HasPrefix(role, ":") {
		return false
	}
	return !strings.ContainsFunc(domain+strings.ReplaceAll(role, ":", ""), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' && r != '_'
	})
}

// pages are names by the paths of their pages.
type pages struct {
	names  map[string][]doc.Name
	number int
}

// add takes an entry within the bounds. One without an anchor names a whole page.
func (p *pages) add(e nameindex.Entry) {
	name := strings.TrimSpace(sanitize.Line(e.Name))
	page := path.Clean(e.Path)
	if name == "" || len(name) > mostName || len(e.Anchor) > mostName || page == "." || path.IsAbs(page) ||
		strings.HasPrefix(page, "../") {
		return
	}
	if p.number >= mostNames {
		return
	}
	p.number++
	p.names[page] = append(p.names[page], doc.Name{Text: name, Kind: sanitize.Line(e.Kind), Anchor: e.Anchor})
}
