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
	deferGC(allowedHeapGrowth(os.Args[1:]))
	// Libraries write to the default log what they give no error of, with bytes of
	// servers and of files in it. docent says itself what failed.
	log.SetOutput(io.Discard)
	os.Exit(cli.Main(console.System(), pages, os.Args[1:]))
}
