//go:build unix

package main

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"io/fs"
	"os"
	"path/filepath"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"docent/cmd/internal/dev/console"
)

// dejavu is the folder of the fonts in Debian's package fonts-dejavu-core.
const dejavu = "/usr/share/fonts/truetype/dejavu/"

// fonts are the font faces, and the metrics of a cell in pixels.
type fonts struct {
	plain, bold, wide font.Face // wide may be nil
	w, h, base        int       // width, height, and the baseline from the top
}

// loadFonts loads the fonts; px is their size in pixels. wide may be "".
func loadFonts(plain, bold, wide string, px float64) (*fonts, error) {
	if px < 6 || px > 96 {
		return nil, fmt.Errorf("-px %g: the size of the font lies between 6 and 96 pixels", px)
	}
	f := &fonts{}
	var err error
	if f.plain, err = face(plain, px); err != nil {
		return nil, err
	}
	if f.bold, err = face(bold, px); err != nil {
		return nil, err
	}
	if wide != "" {
		if f.wide, err = face(wide, px); err != nil {
			return nil, err
		}
	}
	return f, f.measure()
}

// measure computes the metrics of a cell.
func (f *fonts) measure() error {
	adv, ok := f.plain.GlyphAdvance('M')
	if !ok {
		return errors.New("the font has no letter M, so that a cell has no width")
	}
	m := f.plain.Metrics()
	f.w = adv.Round()
	f.base = m.Ascent.Ceil()
	f.h = f.base + m.Descent.Ceil()
	return nil
}

// face loads a font file.
func face(file string, px float64) (font.Face, error) {
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		msg := fmt.Sprintf("there is no font %s; name another one with -font and -bold", file)
		if filepath.Dir(file)+"/" == dejavu {
			msg += ", or install Debian's package fonts-dejavu-core"
		}
		return nil, errors.New(msg)
	}
	if err != nil {
		return nil, err
	}
	f, err := parseFace(raw, px)
	if err != nil {
		return nil, fmt.Errorf("font %s: %w", file, err)
	}
	return f, nil
}

// parseFace parses a font, or the first font of a collection.
func parseFace(raw []byte, px float64) (font.Face, error) {
	c, err := opentype.ParseCollection(raw)
	if err != nil {
		return nil, err
	}
	f, err := c.Font(0)
	if err != nil {
		return nil, err
	}
	return opentype.NewFace(f, &opentype.FaceOptions{Size: px, DPI: 72, Hinting: font.HintingFull})
}

// picture draws a screen with a margin of half a line.
func picture(g console.Grid, f *fonts, l console.Look) *image.RGBA {
	pad := f.h / 2
	img := image.NewRGBA(image.Rect(0, 0, g.W*f.w+2*pad, g.H*f.h+2*pad))
	draw.Draw(img, img.Bounds(), image.NewUniform(l.Bg), image.Point{}, draw.Src)
	for y := range g.H {
		for x := 0; x < g.W; {
			c := g.Cells[y*g.W+x]
			n := max(1, c.Width)
			cell := image.Rect(pad+x*f.w, pad+y*f.h, pad+(x+n)*f.w, pad+(y+1)*f.h)
			drawCell(img, cell, c, f, l, g.Cursor == [2]int{x, y})
			x += n
		}
	}
	return img
}

// drawCell draws one cell into the rectangle r.
func drawCell(img *image.RGBA, r image.Rectangle, c uv.Cell, f *fonts, l console.Look, cursor bool) {
	fg, bg := colour(c.Style.Fg, l.Fg), colour(c.Style.Bg, l.Bg)
	has := func(attr uint8) bool { return c.Style.Attrs&attr != 0 }
	if has(uv.AttrReverse) != cursor {
		fg, bg = bg, fg
	}
	if has(uv.AttrFaint) {
		fg = mix(fg, bg)
	}
	draw.Draw(img, r, image.NewUniform(bg), image.Point{}, draw.Src)
	if has(uv.AttrConceal) {
		return
	}
	runes := []rune(c.Content)
	if len(runes) == 1 && drawShape(img, r, runes[0], fg) {
		return
	}
	at := f.plain
	if has(uv.AttrBold) {
		at = f.bold
	}
	if f.wide != nil && len(runes) > 0 {
		if _, ok := at.GlyphAdvance(runes[0]); !ok {
			at = f.wide
		}
	}
	d := font.Drawer{Dst: clip(img, r), Src: image.NewUniform(fg), Face: at, Dot: fixed.P(r.Min.X, r.Min.Y+f.base)}
	d.DrawString(c.Content)
	line := func(y int) {
		draw.Draw(img, image.Rect(r.Min.X, y, r.Max.X, y+stroke(r)), image.NewUniform(fg), image.Point{}, draw.Src)
	}
	if c.Style.Underline != 0 {
		line(r.Min.Y + f.base + stroke(r))
	}
	if has(uv.AttrStrikethrough) {
		line(r.Min.Y + f.base*2/3)
	}
}

// clip is the part of the picture that a glyph may draw on: its cell and one pixel
// around it, because some glyphs are wider than their cell.
func clip(img *image.RGBA, r image.Rectangle) *image.RGBA {
	return img.SubImage(r.Inset(-1)).(*image.RGBA)
}

// colour converts a colour; nil is the default.
func colour(c color.Color, def color.RGBA) color.RGBA {
	if c == nil {
		return def
	}
	return color.RGBAModel.Convert(c).(color.RGBA)
}

// mix is the average of two colours.
func mix(a, b color.RGBA) color.RGBA {
	half := func(x, y uint8) uint8 { return uint8((int(x) + int(y)) / 2) }
	return color.RGBA{half(a.R, b.R), half(a.G, b.G), half(a.B, b.B), 0xff}
}
