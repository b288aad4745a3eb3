package decode

import (
	"bytes"
	"encoding/binary"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestUTF16(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in, want string
		big, ok        bool
	}{
		{"low bytes first", "\xff\xfea\x00\xe9\x00", "aé", false, true},
		{"high bytes first", "\xfe\xff\x00a\x00\xe9", "aé", true, true},
		{"a pair of surrogates", "\xff\xfe\x3d\xd8\x00\xde", "😀", false, true},
		{"half a pair", "\xff\xfe\x3d\xd8a\x00", "\uFFFDa", false, true},
		{"half a unit", "\xff\xfea\x00b", "a", false, true},
		{"the mark alone", "\xff\xfe", "", false, true},
		{"a mark in the text", "\xff\xfe\xff\xfea\x00", "\ufeffa", false, true},
		{"the same byte twice", "\xff\xffa", "", false, false},
		{"no mark", "ab", "", false, false},
		{"a byte", "\xff", "", false, false},
		{"nothing", "", "", false, false},
	} {
		text, big, ok := DecodeUTF16([]byte(c.in))
		if string(text) != c.want || big != c.big || ok != c.ok {
			t.Errorf("%s: %q, %v, %v", c.name, text, big, ok)
		}
	}
}

// What was text comes back, and whatever the units are, it is UTF-8 with their line ends.
func TestUnitsKeepTextAndLines(t *testing.T) {
	t.Parallel()
	encode := func(units []uint16, big bool) (src []byte) {
		for _, u := range units {
			if big {
				src = binary.BigEndian.AppendUint16(src, u)
			} else {
				src = binary.LittleEndian.AppendUint16(src, u)
			}
		}
		return src
	}
	rapid.Check(t, func(t *rapid.T) {
		big := rapid.Bool().Draw(t, "big")
		text := rapid.String().Draw(t, "text")
		if got := string(DecodeUnits(encode(utf16.Encode([]rune(text)), big), big)); got != text {
			t.Fatalf("%q, want %q", got, text)
		}
		units := rapid.SliceOf(rapid.OneOf(rapid.Just(uint16('\n')), rapid.Uint16(), rapid.Uint16Range(0xd7f0, 0xe010))).Draw(t, "units")
		lines := 0
		for _, u := range units {
			if u == '\n' {
				lines++
			}
		}
		if got := DecodeUnits(encode(units, big), big); !utf8.Valid(got) || bytes.Count(got, []byte{'\n'}) != lines {
			t.Fatalf("%q, want %d line ends", got, lines)
		}
	})
}

func TestWestern(t *testing.T) {
	t.Parallel()
	if got := string(Western([]byte("caf\xe9 \x80 \x96\x81"))); got != "café € –\uFFFD" {
		t.Errorf("%q", got)
	}
	if text, stray := MendWindows1252([]byte("caf\xe9 café \x80\uFFFD")); string(text) != "café café €\uFFFD" || stray != 2 {
		t.Errorf("%q, %d stray bytes", text, stray)
	}
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.SliceOf(rapid.Byte()).Draw(t, "src")
		if text, stray := MendWindows1252(src); !utf8.Valid(text) || (stray == 0) != utf8.Valid(src) {
			t.Fatalf("%q, %d stray bytes", text, stray)
		}
	})
}
