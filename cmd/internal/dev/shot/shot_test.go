//go:build unix

package main

import (
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/image/font/gofont/gomono"

	"docent/cmd/internal/dev/console"
)

// testFonts uses a font from a Go module, so that no system package is needed.
func testFonts(t *testing.T) *fonts {
	t.Helper()
	f := &fonts{}
	var err error
	if f.plain, err = parseFace(gomono.TTF, 16); err != nil {
		t.Fatal(err)
	}
	f.bold = f.plain
	if err := f.measure(); err != nil {
		t.Fatal(err)
	}
	return f
}

// page makes a console.Grid of lines; every cell has the style st.
func page(st uv.Style, lines ...string) console.Grid {
	g := console.Grid{W: len([]rune(lines[0])), H: len(lines), Cursor: [2]int{-1, -1}}
	for _, l := range lines {
		for _, r := range l {
			g.Cells = append(g.Cells, uv.Cell{Content: string(r), Width: 1, Style: st})
		}
	}
	return g
}

// Frames have no gaps: all pixels of a frame are connected.
func TestFramesHaveNoGaps(t *testing.T) {
	t.Parallel()
	for _, lines := range [][]string{
		{"╭──┬─╮", "│  │ │", "├──┼─┤", "╰──┴─╯"},
		{"┌──┬─┐", "│  │ │", "├──┼─┤", "└──┴─┘"},
		{"━━━╸"},
		{"┃", "┃", "╹"},
	} {
		f := testFonts(t)
		img := picture(page(uv.Style{}, lines...), f, console.Dark)
		ink := func(p image.Point) bool { return img.RGBAAt(p.X, p.Y) != console.Dark.Bg }
		var all []image.Point
		b := img.Bounds()
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				if p := image.Pt(x, y); ink(p) {
					all = append(all, p)
				}
			}
		}
		if len(all) == 0 {
			t.Fatalf("%v: nothing was drawn", lines)
		}
		if got := flood(all[0], ink); got != len(all) {
			t.Errorf("%v: %d of %d pixels hang together", lines, got, len(all))
		}
	}
}

// flood counts the points that are connected with p.
func flood(p image.Point, ink func(image.Point) bool) int {
	seen, open := map[image.Point]bool{p: true}, []image.Point{p}
	for len(open) > 0 {
		p, open = open[0], open[1:]
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if q := p.Add(image.Pt(dx, dy)); ink(q) && !seen[q] {
					seen[q], open = true, append(open, q)
				}
			}
		}
	}
	return len(seen)
}

// A block character of n eighths covers about n eighths of its cell.
func TestBlocksCoverTheirPart(t *testing.T) {
	t.Parallel()
	f := testFonts(t)
	all := f.w * f.h
	for r, eighths := range map[rune]int{'█': 8, '▄': 4, '▀': 4, '▌': 4, '▐': 4, '▏': 1, '▊': 6, '▂': 2, '▙': 6, '▘': 2, ' ': 0} {
		img := picture(page(uv.Style{}, string(r)), f, console.Dark)
		n := 0
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				if img.RGBAAt(x, y) == console.Dark.Fg {
					n++
				}
			}
		}
		if want := all * eighths / 8; n < want-f.h || n > want+f.h {
			t.Errorf("%c covers %d of %d pixels, want about %d", r, n, all, want)
		}
	}
}

func TestStyles(t *testing.T) {
	t.Parallel()
	f := testFonts(t)
	red, blue := color.RGBA{0xff, 0, 0, 0xff}, color.RGBA{0, 0, 0xff, 0xff}
	middle := func(st uv.Style, cursor bool) color.RGBA {
		g := page(st, " ")
		if cursor {
			g.Cursor = [2]int{0, 0}
		}
		return picture(g, f, console.Light).RGBAAt(f.h/2+f.w/2, f.h)
	}
	for name, tt := range map[string]struct {
		st     uv.Style
		cursor bool
		want   color.RGBA
	}{
		"plain":             {uv.Style{}, false, console.Light.Bg},
		"background":        {uv.Style{Fg: red, Bg: blue}, false, blue},
		"reverse":           {uv.Style{Fg: red, Bg: blue, Attrs: uv.AttrReverse}, false, red},
		"cursor":            {uv.Style{}, true, console.Light.Fg},
		"cursor on reverse": {uv.Style{Fg: red, Bg: blue, Attrs: uv.AttrReverse}, true, blue},
	} {
		if got := middle(tt.st, tt.cursor); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestAMissingFontNamesItsPackage(t *testing.T) {
	t.Parallel()
	_, err := loadFonts(dejavu+"NoSuchFont.ttf", dejavu+"NoSuchFont.ttf", "", 18)
	if err == nil || !strings.Contains(err.Error(), "fonts-dejavu-core") {
		t.Errorf("the error is %v", err)
	}
}

// A shell script replaces the program. It prints the typed text, and the picture
// has the size of the terminal.
func TestShoot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bin, font := filepath.Join(dir, "program"), filepath.Join(dir, "mono.ttf")
	if err := os.WriteFile(bin, []byte("#!/bin/sh\necho \"$3 ready\"\nread line\necho \"got $line\"\nexec sleep 60\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(font, gomono.TTF, 0o644); err != nil {
		t.Fatal(err)
	}
	o := options{bin: bin, args: "--loud", size: "40x6", out: filepath.Join(dir, "a.png"), font: font, bold: font, px: 16,
		steps: []string{"see:--loud ready", "a lantern", "enter", "see:got a lantern", "resize:30x5"}}
	if err := shoot(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(o.out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	cell := testFonts(t)
	if got, want := img.Bounds().Size(), image.Pt(30*cell.w+cell.h/2*2, 5*cell.h+cell.h/2*2); got != want {
		t.Errorf("the picture has %v, want %v", got, want)
	}
	o.out, o.steps = filepath.Join(dir, "a.txt"), []string{"see:ready", "save:" + filepath.Join(dir, "before.txt"), "oil", "enter"}
	if err := shoot(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(o.out); err != nil || !strings.Contains(string(raw), "got oil") {
		t.Errorf("the text is %q, %v", raw, err)
	}
	if raw, err := os.ReadFile(filepath.Join(dir, "before.txt")); err != nil || !strings.Contains(string(raw), "ready") ||
		strings.Contains(string(raw), "oil") {
		t.Errorf("what was saved on the way is %q, %v", raw, err)
	}
}
