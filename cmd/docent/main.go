// Command docent finds, reads and cites the documentation on this machine: in a
// terminal app, on the command line and in pipes.
package main

import (
	"embed"
	"io"
	"io/fs"
	"log"
	"os"

	"docent/cmd/internal/cli"
	"docent/cmd/internal/cli/console"
)

// manual is the doc set that comes with the program.
//
//go:embed manual/*.md
var manual embed.FS

func main() {
	pages, err := fs.Sub(manual, "manual")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	heap := allowedGrowth(os.Args[1:])
	heap.deferGC()
	// Libraries write to the default log what they give no error of, with bytes of
	// servers and of files in it. docent says itself what failed.
	log.SetOutput(io.Discard)
	system := console.System()
	system.StayOpen = heap.stayOpen
	os.Exit(cli.Main(system, pages, os.Args[1:]))
}
