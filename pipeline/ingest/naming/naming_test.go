package naming

import (
	"bytes"
	"compress/zlib"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"docent/pipeline/text/nameindex"
	"docent/store/doc"
)

// inventoryOf is an objects.inv with some lines.
func inventoryOf(t *testing.T, lines ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("# Sphinx inventory version 2\n# Project: Lantern\n# Version: 2\n# The remainder of this file is compressed using zlib.\n")
	w := zlib.NewWriter(&b)
	if _, err := w.Write([]byte(strings.Join(lines, "\n") + "\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func folder(files map[string][]byte) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if raw, ok := files[name]; ok {
			return raw, nil
		}
		return nil, fs.ErrNotExist
	}
}

func TestInventory(t *testing.T) {
	t.Parallel()
	x := Read(folder(map[string][]byte{"objects.inv": inventoryOf(t,
		"lantern.trim py:function 1 api/wick.html#$ -",
		"lantern.Wick.cut level py:method 1 api/wick.html#lantern.Wick.cut-level -",
		"--oil std:cmdoption 1 usage/#cmdoption-oil -",
		"lamp::light() cpp:function 1 api/lamp.html#_CPPv4lamp5light -",
		"filling std:label -1 usage/index.html#filling How to fill it",
		"usage std:doc -1 usage/index.html Usage",
		"away py:function 1 https://example.org/x.html#y -",
		"up py:function 1 ../secret.html#y -",
		"a damaged line",
	)}))
	want := map[string][]doc.Name{
		"api/wick.html":    {{Text: "lantern.trim", Kind: "function", Anchor: "lantern.trim"}, {Text: "lantern.Wick.cut level", Kind: "method", Anchor: "lantern.Wick.cut-level"}},
		"usage/index.html": {{Text: "--oil", Kind: "cmdoption", Anchor: "cmdoption-oil"}},
		"api/lamp.html":    {{Text: "lamp::light()", Kind: "function", Anchor: "_CPPv4lamp5light"}},
	}
	if x.File != "objects.inv" || !reflect.DeepEqual(x.byPage, want) {
		t.Errorf("%s: %+v", x.File, x.byPage)
	}
}

// What Format writes is read, in any order, and goes before an inventory.
func TestFile(t *testing.T) {
	t.Parallel()
	entries := []nameindex.Entry{
		{Name: "useWick", Kind: "Hook", Path: "wick.html", Anchor: "usewick"},
		{Name: "trim\tit\x1b[31m", Kind: "Function", Path: "wick.html", Anchor: "//apple_ref/func/trim"},
		{Name: "", Kind: "x", Path: "y.html", Anchor: "z"},
	}
	raw := nameindex.Format(entries)
	entries[0], entries[1] = entries[1], entries[0]
	if again := nameindex.Format(entries); !bytes.Equal(raw, again) {
		t.Errorf("another order: %q, %q", raw, again)
	}
	x := Read(folder(map[string][]byte{nameindex.File: raw, "objects.inv": inventoryOf(t, "a py:data 1 a.html#a -")}))
	got := x.Names("wick.html")
	if x.File != nameindex.File || len(got) != 2 || got[0].Text != "trim it" && got[1].Text != "trim it" {
		t.Errorf("%s: %+v of %q", x.File, got, raw)
	}
	for _, n := range got {
		if strings.ContainsAny(n.Text, "\x1b\t") {
			t.Errorf("the name %q has control characters", n.Text)
		}
	}
}

// A folder without an index, and with a file of another form, has no names.
func TestNoIndex(t *testing.T) {
	t.Parallel()
	whole := inventoryOf(t, "a py:data 1 a.html#a -", "b py:data 1 b.html#b -")
	for name, files := range map[string]map[string][]byte{
		"nothing": {}, "another file": {"objects.inv": []byte("PK\x03\x04")}, "the first version": {"objects.inv": []byte("# Sphinx inventory version 1\n\n\n\n")},
		"no zlib": {"objects.inv": []byte("# Sphinx inventory version 2\n#\n#\n#\nplain")}, "broken off": {"objects.inv": whole[:len(whole)-30]},
		"another table": {nameindex.File: []byte("one\ttwo\n")},
	} {
		if x := Read(folder(files)); x.File != "" || len(x.Names("a.html")) > 0 {
			t.Errorf("%s: %+v", name, x)
		}
	}
}
