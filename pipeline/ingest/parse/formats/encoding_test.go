package formats_test

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/formats"
	"docent/store/doc"
)

// Pages in an encoding of eight bits are read where they declare it or where their letters tell it, in every
// format whose pages are older than UTF-8; the words that arrive are counted in it, too.
func TestPagesInOtherEncodings(t *testing.T) {
	t.Parallel()
	reg, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	const text = "Лампа горит всю ночь, если масло хорошее и фитиль подрезан."
	const polish = "Płomień świeci całą noc."
	for file, src := range map[string]string{
		"lamp.1":       ".TH LAMP 1\n.SH NAME\nlamp \\- x\n.SH DESCRIPTION\n" + text + "\n",
		"lamp.rst":     "Lamp\n====\n\n" + text + "\n",
		"lamp.adoc":    "= Lamp\n\n" + text + "\n",
		"lamp.org":     "# -*- coding: koi8-r -*-\n* Lamp\n\n" + text + "\n",
		"lamp.pod":     "=encoding koi8-r\n\n=head1 NAME\n\nlamp\n\n=head1 DESCRIPTION\n\n" + text + "\n",
		"lamp.texi":    "\\input texinfo\n@documentencoding KOI8-R\n@node Top\n@top Lamp\n\n" + text + "\n@bye\n",
		"lamp.docbook": "<?xml version=\"1.0\" encoding=\"koi8-r\"?>\n<article><title>Lamp</title><para>" + text + "</para></article>\n",
		"lamp.dita":    "<?xml version=\"1.0\" encoding=\"koi8-r\"?>\n<topic id=\"a\"><title>Lamp</title><body><p>" + text + "</p></body></topic>\n",
	} {
		koi, err := charmap.KOI8R.NewEncoder().String(src)
		if err != nil {
			t.Fatal(err)
		}
		d := parseAs(t, reg, file, koi)
		if !strings.Contains(string(d.Text), text) || d.Words.Arrived*10 < d.Words.Source*8 {
			t.Errorf("%s is\n%s\n%v of the words arrive", file, d.Text, d.Words)
		}
	}
	latin2, err := charmap.ISO8859_2.NewEncoder().String("'\\\" -*- coding: iso-8859-2 -*-\n.TH LAMP 1\n.SH NAME\nlamp\n.SH OPIS\n" + polish + "\n")
	if err != nil {
		t.Fatal(err)
	}
	if d := parseAs(t, reg, "lamp.1", latin2); !strings.Contains(string(d.Text), polish) || len(d.Warnings) > 0 {
		t.Errorf("it is\n%s\nwith %q", d.Text, d.Warnings)
	}
}

func parseAs(t *testing.T, reg *parse.Registry, file, src string) doc.Document {
	t.Helper()
	d, err := reg.Parse(context.Background(), []byte(src), parse.File{Path: file, Layout: doc.LayoutTree})
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return d
}
