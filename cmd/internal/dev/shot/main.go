//go:build unix

// Command shot takes a screenshot of the app. It runs the program in a pseudo
// terminal, sends keys, and draws the cells of the screen as a PNG. It makes the
// README's pictures (make screenshots), and shows a pane in any terminal size.
//
// It refuses to judge the screen; the goldens do that. It draws only what the
// program wrote.
//
// Terms: a step is an argument: the name of a key, "see:TEXT", "resize:80x24", any
// other text, which is typed (see package console), or "save:FILE", which writes the
// screen as it is then into one more file. After every step shot waits until the
// screen is at rest.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"image/png"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"docent/cmd/internal/dev/console"
)

// options are the flags and arguments.
type options struct {
	bin, home, args  string
	size             string
	out              string
	font, bold, wide string
	px               float64
	light            bool
	steps            []string
}

func main() {
	var o options
	flag.StringVar(&o.bin, "bin", "bin/docent", "the program")
	flag.StringVar(&o.home, "home", "", "the program's home; a temporary one when empty")
	flag.StringVar(&o.args, "args", "", "more arguments for the program, such as --no-color")
	flag.StringVar(&o.size, "size", "100x30", "columns and lines of the terminal")
	flag.StringVar(&o.out, "o", "app.png", "the picture; a name that ends in .txt gets the screen as text")
	flag.StringVar(&o.font, "font", dejavu+"DejaVuSansMono.ttf", "a monospaced font")
	flag.StringVar(&o.bold, "bold", dejavu+"DejaVuSansMono-Bold.ttf", "the same in bold")
	flag.StringVar(&o.wide, "wide", "", "a font for what the first one lacks, such as Chinese (.ttf, .otf, .ttc)")
	flag.Float64Var(&o.px, "px", 18, "size of the font in pixels")
	dark := flag.Bool("dark", false, "a dark terminal (the default)")
	flag.BoolVar(&o.light, "light", false, "a light terminal")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(),
			"usage: shot [flags] STEP...\n\nexample: shot -o hits.png see:pages \"how do I verify a block\" enter see:kept\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	o.steps = flag.Args()
	err := fmt.Errorf("-dark and -light exclude each other")
	if !*dark || !o.light {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		err = shoot(ctx, o)
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "shot:", err)
		os.Exit(1)
	}
}

// needFonts reports whether a picture is to be drawn; text needs no fonts.
func needFonts(o options) bool {
	for _, s := range append([]string{"save:" + o.out}, o.steps...) {
		if file, ok := strings.CutPrefix(s, "save:"); ok && !strings.HasSuffix(file, ".txt") {
			return true
		}
	}
	return false
}

// shoot runs the program and writes the pictures.
func shoot(ctx context.Context, o options) (err error) {
	w, h, err := console.Size(o.size)
	if err != nil {
		return err
	}
	var fonts *fonts
	if needFonts(o) { // before the program starts, so that a missing font is reported at once
		if fonts, err = loadFonts(o.font, o.bold, o.wide, o.px); err != nil {
			return err
		}
	}
	bin, err := filepath.Abs(o.bin)
	if err != nil {
		return err
	}
	home := o.home
	if home == "" {
		if home, err = os.MkdirTemp("", "docent-shot"); err != nil {
			return err
		}
		defer os.RemoveAll(home)
	}
	look := console.Dark
	if o.light {
		look = console.Light
	}
	args := append([]string{"--home", home}, strings.Fields(o.args)...)
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	t, err := console.Start(ctx, bin, args, w, h, look)
	if err != nil {
		return fmt.Errorf("start %s: %w", bin, err)
	}
	defer func() { t.Close() }()
	if err := t.Rest(ctx); err != nil {
		return err
	}
	for _, s := range o.steps {
		file, save := strings.CutPrefix(s, "save:")
		if save {
			err = t.Rest(ctx)
		} else {
			err = t.Step(ctx, s)
		}
		if err != nil {
			return fmt.Errorf("step %q: %w\nthe screen:\n%s", s, err, t.Text())
		}
		if save {
			if err := write(file, t, fonts, look); err != nil {
				return err
			}
		}
	}
	return write(o.out, t, fonts, look)
}

// write writes what the screen shows now into a file.
func write(name string, t *console.Terminal, fonts *fonts, look console.Look) error {
	if strings.HasSuffix(name, ".txt") {
		return os.WriteFile(name, []byte(t.Text()+"\n"), 0o644)
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(f)
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	if err = enc.Encode(b, picture(t.Screen(), fonts, look)); err == nil {
		err = b.Flush()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
