package decode

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

func TestEncodings(t *testing.T) {
	t.Parallel()
	russian := strings.Repeat("Лампа горит всю ночь, если масло хорошее. ", 3)
	japanese8 := strings.Repeat("灯りは一晩中、燃えています。油がよければ。", 3)
	french := strings.Repeat("La mèche brûle toute la nuit, même après l'été. ", 3)
	koi, _ := charmap.KOI8R.NewEncoder().String(russian)
	cp1251, _ := charmap.Windows1251.NewEncoder().String(russian)
	iso5, _ := charmap.ISO8859_5.NewEncoder().String(russian)
	euc, _ := japanese.EUCJP.NewEncoder().String(japanese8)
	western, _ := charmap.Windows1252.NewEncoder().String(french)
	polish, _ := charmap.ISO8859_2.NewEncoder().String("Płomień świeci")
	wide, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(russian)
	for _, c := range []struct {
		about, in, want, as string
		known               bool
	}{
		{"UTF-8", russian, russian, "utf-8", true},
		{"UTF-16", wide, russian, "utf-16", true},
		{"KOI8-R", koi, russian, "koi8-r", false},
		{"KOI8-R that says so", coding("KOI8-R") + koi, coding("KOI8-R") + russian, "koi8-r", true},
		{"windows-1251", cp1251, russian, "windows-1251", false},
		{"ISO 8859-5 that says so", coding("iso-8859-5") + iso5, coding("iso-8859-5") + russian, "iso-8859-5", true},
		{"EUC-JP", euc, japanese8, "euc-jp", false},
		{"windows-1252", western, french, "windows-1252", false},
		{"an unknown encoding", coding("lamp-1") + western, coding("lamp-1") + french, "windows-1252", false},
		{"Latin 2", coding("ISO-8859-2") + polish, coding("ISO-8859-2") + "Płomień świeci", "iso-8859-2", true},
		{"UTF-8 with a stray byte", russian + "\xff", russian + "\xff", "utf-8", true},
		{"it says UTF-8 and is not", coding("utf-8") + western, coding("utf-8") + french, "windows-1252", false},
	} {
		text, as, known := ToUTF8([]byte(c.in))
		if string(text) != c.want || as != c.as || known != c.known {
			t.Errorf("%s: %q as %s, %v", c.about, text, as, known)
		}
	}
}

func coding(name string) string { return "# -*- coding: " + name + " -*-\n" }

func TestDeclared(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"'\\\" -*- coding: KOI8-R -*-\n.TH LAMP 1\n":                       "KOI8-R",
		".. -*- coding: latin-1-unix -*-\n":                                "latin-1",
		"'\\\" t\n.\\\" -*- mode: troff; coding: EUC-JP":                   "EUC-JP",
		"<?xml version=\"1.0\" encoding='iso-8859-2'?>":                    "iso-8859-2",
		"=head1 LAMP\n\n=encoding koi8-u\n":                                "koi8-u",
		"@c lamps\n@documentencoding ISO-8859-15\n":                        "ISO-8859-15",
		"\"Content-Type: text/plain; charset=EUC-JP\\n\"\n":                "EUC-JP",
		"The coding of lamps\nLamps have an encoding\nIt is =encoding x\n": "",
		"coding:": "",
		"":        "",
	} {
		if got := Declared([]byte(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
