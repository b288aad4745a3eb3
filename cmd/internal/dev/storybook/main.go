// Command storybook shows every pane of the app with canned data, at several sizes and in
// each family of styles: to the terminal, page by page, or into a text or HTML file to
// look through (make storybook). It shows a changed pane with long, wide, empty and
// hostile data, without bringing the app into these states.
//
// It refuses to judge what it shows; its test checks that each story keeps to
// its size and is clean, and goldens compare.
//
// Terms. A story is a pane with data in it. A page is a story at one size in
// one family of styles.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"html"
	"image/color"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/term"

	"docent/pipeline/text/sanitize"
	"docent/tui/style"
	"docent/tui/tuitest"
	"docent/tui/widget"
)

// sizes are the columns and lines of a pane: narrow, those of the app on 80x24,
// 120x40 and 200x60, and very flat.
var sizes = [][2]int{{38, 6}, {78, 15}, {58, 31}, {162, 52}, {118, 3}}

// kinds are the families of styles.
var kinds = style.StyleKinds()

func main() {
	f := flag.NewFlagSet("storybook", flag.ExitOnError)
	out := f.String("o", "", "write to this file; a name that ends in .html gets HTML, another one text")
	only := f.String("pane", "", "only the stories of this pane")
	kind := f.String("style", "", "only one family of styles: dark, light, nocolor")
	size := f.String("size", "", "only this size, such as 78x15")
	f.Usage = func() {
		fmt.Fprint(f.Output(), "usage: storybook [flags]\n\nexample: storybook -pane hits -style dark\n\n")
		f.PrintDefaults()
	}
	_ = f.Parse(os.Args[1:]) // it exits on an error
	pages, err := choose(*only, *kind, *size)
	if err == nil {
		err = show(pages, *out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "storybook:", err)
		os.Exit(1)
	}
}

// leaf is a story at one size in one family of styles.
type leaf struct {
	story
	kind style.Kind
	w, h int
}

// choose gives the pages that are asked for.
func choose(pane, kind, size string) ([]leaf, error) {
	var wanted [][2]int
	if size != "" {
		var w, h int
		if n, err := fmt.Sscanf(size, "%dx%d", &w, &h); err != nil || n != 2 || w < 1 || h < 1 || w > 1000 || h > 1000 {
			return nil, fmt.Errorf("%q is not a size; one looks like 78x15", size)
		}
		wanted = [][2]int{{w, h}}
	}
	var pages []leaf
	for _, s := range stories() {
		if pane != "" && s.pane != pane {
			continue
		}
		for _, k := range kinds {
			if kind != "" && string(k) != kind {
				continue
			}
			shown := wanted
			if shown == nil {
				shown = s.at()
			}
			for _, wh := range shown {
				pages = append(pages, leaf{s, k, wh[0], wh[1]})
			}
		}
	}
	if len(pages) == 0 {
		return nil, errors.New("there is no such story; without flags all are shown")
	}
	return pages, nil
}

// at are the sizes of a story.
func (s story) at() [][2]int {
	if s.sizes != nil {
		return s.sizes
	}
	return sizes
}

func (p leaf) title() string {
	return fmt.Sprintf("%s · %s · %s · %dx%d", p.pane, p.name, p.kind, p.w, p.h)
}

// frame is the page with a frame around it, as the app draws one.
func (p leaf) frame() (string, error) {
	st := style.StylesOfKind(p.kind)
	v, err := p.make(st, p.w, p.h)
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.title(), err)
	}
	lines := widget.Stack(st, widget.Panel{Title: p.pane, Info: sanitize.Line(p.name), View: v.View(), W: p.w, H: p.h, Focused: true})
	return strings.Join(lines, "\n"), nil
}

// show writes the pages to a file, or to the terminal one by one.
func show(pages []leaf, out string) (err error) {
	if out == "" {
		return turn(pages)
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(f)
	if strings.HasSuffix(out, ".html") {
		err = writeHTML(b, pages)
	} else {
		err = writeText(b, pages)
	}
	return errors.Join(err, b.Flush(), f.Close())
}

// turn shows one page after another on the terminal, each until enter.
func turn(pages []leaf) error {
	tty := term.IsTerminal(os.Stdin.Fd()) && term.IsTerminal(os.Stdout.Fd())
	w := colorprofile.NewWriter(os.Stdout, os.Environ())
	in := bufio.NewReader(os.Stdin)
	for i, p := range pages {
		frame, err := p.frame()
		if err != nil {
			return err
		}
		if tty {
			fmt.Fprint(os.Stdout, "\x1b[H\x1b[2J")
		}
		fmt.Fprintf(w, "%s (%d of %d)\n%s\n", p.title(), i+1, len(pages), frame)
		if !tty {
			continue
		}
		fmt.Fprint(os.Stdout, "enter goes on, q and enter ends ")
		switch line, err := in.ReadString('\n'); {
		case errors.Is(err, io.EOF) || strings.TrimSpace(line) == "q":
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}

func writeText(w io.Writer, pages []leaf) error {
	for _, p := range pages {
		frame, err := p.frame()
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\n%s\n", p.title(), tuitest.Draw(frame, p.w+2, p.h+2).Text()); err != nil {
			return err
		}
	}
	return nil
}

// paper is the colours of a terminal of each family: text, background.
func paper(k style.Kind) (fg, bg string) {
	if k == style.Light {
		return "#2b2f3f", "#fbfbfa"
	}
	return "#cad3f5", "#1e2030"
}

func writeHTML(w *bufio.Writer, pages []leaf) error {
	fmt.Fprint(w, "<!doctype html>\n<meta charset=\"utf-8\">\n<title>docent's panes</title>\n"+
		"<style>body{font-family:sans-serif;background:#808080}pre{font:14px/1.2 'DejaVu Sans Mono',monospace;display:inline-block;"+
		"padding:.5em;margin:0 0 1.5em}h2{font-size:1em;margin:.2em 0}</style>\n")
	last := ""
	for _, p := range pages {
		frame, err := p.frame()
		if err != nil {
			return err
		}
		if p.pane != last {
			fmt.Fprintf(w, "<h1>%s</h1>\n", html.EscapeString(p.pane))
			last = p.pane
		}
		fg, bg := paper(p.kind)
		fmt.Fprintf(w, "<h2>%s</h2>\n<pre style=\"color:%s;background:%s\">", html.EscapeString(p.title()), fg, bg)
		writeCells(w, tuitest.Draw(frame, p.w+2, p.h+2))
		fmt.Fprint(w, "</pre>\n")
	}
	return nil
}

// writeCells writes a screen's cells as spans of one style each.
func writeCells(w *bufio.Writer, s *tuitest.Screen) {
	for y := range s.H {
		open := ""
		for x := range s.W {
			c := s.Cell(x, y)
			if c.Content == "" && c.Width == 0 && x > 0 && s.Cell(x-1, y).Width == 2 {
				continue // the right half of a wide character
			}
			if css := css(c.Style); css != open {
				if open != "" {
					fmt.Fprint(w, "</span>")
				}
				if css != "" {
					fmt.Fprintf(w, "<span style=\"%s\">", css)
				}
				open = css
			}
			text := c.Content
			if text == "" {
				text = " "
			}
			fmt.Fprint(w, html.EscapeString(text))
		}
		if open != "" {
			fmt.Fprint(w, "</span>")
		}
		fmt.Fprint(w, "\n")
	}
}

// css is a cell's style.
func css(st uv.Style) string {
	var b strings.Builder
	put := func(name string, c color.Color) {
		if c != nil {
			r, g, bl, _ := c.RGBA()
			fmt.Fprintf(&b, "%s:#%02x%02x%02x;", name, r>>8, g>>8, bl>>8)
		}
	}
	put("color", st.Fg)
	put("background", st.Bg)
	if st.Attrs&uv.AttrBold != 0 {
		b.WriteString("font-weight:bold;")
	}
	if st.Attrs&uv.AttrItalic != 0 {
		b.WriteString("font-style:italic;")
	}
	switch struck, under := st.Attrs&uv.AttrStrikethrough != 0, st.Underline != 0; {
	case struck && under:
		b.WriteString("text-decoration:underline line-through;")
	case struck:
		b.WriteString("text-decoration:line-through;")
	case under:
		b.WriteString("text-decoration:underline;")
	}
	return b.String()
}
