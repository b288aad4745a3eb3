package helping

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/service/home"
)

// writeManPages writes a page for man(1) for the program and for each command, made
// from the texts that --help prints. The same program writes the same bytes.
//
// Rejected: cobra's package doc, tried at v1.10.2. Its pages write "--full[=false]" and
// "--lines=0" where the default stands in the description, repeat the flags of every
// command on each page, read texts as Markdown, and have the date of the day. They have neither
// the exit status nor the list of the manual's pages. It links go-md2man and blackfriday,
// 250 KB.
func writeManPages(c *invocation.Call, root *cobra.Command, dir string) error {
	if strings.TrimSpace(dir) == "" {
		return failure.UsageError("--man is empty; give a folder for the manual pages")
	}
	root.InitDefaultVersionFlag()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return failure.UsageError("the manual pages were not written: %v; give a folder that you can write", err)
	}
	n := 0
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if cmd != root && !cmd.IsAvailableCommand() && cmd.Name() != "help" {
			continue
		}
		page := manPage(cmd, manualPages(c))
		if err := writeAside(filepath.Join(dir, manName(cmd)+".1"), []byte(page)); err != nil {
			return failure.UsageError("the manual pages were not written: %v; give a folder that you can write", err)
		}
		n++
	}
	c.Note("%d manual pages are in %s; man %s shows one", n, dir, filepath.Join(dir, "docent-ask.1"))
	return nil
}

// writeAside replaces a file whole, so that no process reads half of it: the old file may
// be in use. Others may read it.
func writeAside(path string, content []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // what went wrong is said
		}
	}()
	_, err = f.Write(content)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// manName is a command's name as a page: docent-ask.
func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is a command's page in the language of man(7).
func manPage(cmd *cobra.Command, manual []manualPage) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	section := func(name string) { line(".SH %s", name) }
	root := cmd == cmd.Root()

	line(`.TH "%s" 1 "" "docent %s" "docent manual"`, strings.ToUpper(escapeRoff(manName(cmd))), escapeRoff(home.Version))
	section("NAME")
	line(`%s \- %s`, escapeRoff(manName(cmd)), escapeRoff(cmd.Short))
	section("SYNOPSIS")
	line(`.B %s`, escapeRoff(strings.TrimSuffix(cmd.UseLine(), " [flags]")+" [FLAGS]"))
	if root {
		line(".br\n.B docent COMMAND [ARGUMENTS] [FLAGS]")
	}
	section("DESCRIPTION")
	line("%s", roffText(cmp.Or(cmd.Long, cmd.Short)))
	if aliases := cmd.Aliases; len(aliases) > 0 {
		line(".PP\nOther names: %s.", escapeRoff(strings.Join(aliases, ", ")))
	}
	if root {
		section("COMMANDS")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				line(".TP\n.BR %s (1)\n%s", escapeRoff(manName(sub)), escapeRoff(sub.Short))
			}
		}
	}
	section("OPTIONS")
	manFlags(&b, cmd.LocalNonPersistentFlags())
	if root {
		manFlags(&b, cmd.PersistentFlags())
	} else {
		line(".PP\nThe flags of every command (\\-\\-home, \\-\\-config, \\-\\-set, \\-\\-json, \\-\\-engine, \\-q, \\-v, " +
			"\\-\\-no\\-color) are described in\n.BR docent (1).")
	}
	if cmd.Example != "" {
		section("EXAMPLES")
		line(".nf\n%s\n.fi", roffText(cmd.Example))
	}
	section("EXIT STATUS")
	line("0: done; 1: nothing was found, or faults were; 2: wrong usage; 3: something needed is not available; 4: an internal error; " +
		"130, 141 and 143: ended by ctrl+c, by a closed pipe and by SIGTERM.")
	if root {
		section("MANUAL")
		line("The manual is in the program:\n.B docent help PAGE\nprints one of its pages, and\n.B docent ask\nanswers from them.")
		for _, p := range manual {
			line(".TP\n.B %s\n%s", escapeRoff(p.name), escapeRoff(p.title))
		}
	}
	section("SEE ALSO")
	seeAlso(&b, cmd)
	return b.String()
}

// manFlags lists flags by their names. The default of a flag stands in its
// description.
func manFlags(b *strings.Builder, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden && f.Name != "chat-model" && f.Name != "embed-model" {
			return
		}
		value, about := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if about == "" {
			about = "help for this command"
		}
		if value != "" {
			value = ` \fI` + escapeRoff(value) + `\fR`
		}
		fmt.Fprintf(b, ".TP\n\\fB%s\\fR%s\n%s\n", escapeRoff(name), value, escapeRoff(about))
	})
}

// seeAlso names the other pages.
func seeAlso(b *strings.Builder, cmd *cobra.Command) {
	var pages []string
	for _, other := range append([]*cobra.Command{cmd.Root()}, cmd.Root().Commands()...) {
		if other != cmd && (other == cmd.Root() || other.IsAvailableCommand() || other.Name() == "help") {
			pages = append(pages, manName(other))
		}
	}
	slices.Sort(pages)
	for i, p := range pages {
		comma := ","
		if i == len(pages)-1 {
			comma = ""
		}
		fmt.Fprintf(b, ".BR %s (1)%s\n", escapeRoff(p), comma)
	}
}

// escapeRoff writes text so that roff prints it unchanged, whatever its encoding.
func escapeRoff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "~", `\(ti`, "^", `\(ha`, "`", `\(ga`, "'", `\(aq`, `"`, `\(dq`).Replace(text)
	var b strings.Builder
	for _, r := range text {
		if r > unicode.MaxASCII {
			fmt.Fprintf(&b, `\[u%04X]`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// roffText is roff for several lines: a paragraph stays one, and no line is taken for
// a request.
func roffText(text string) string {
	lines := strings.Split(escapeRoff(text), "\n")
	for i, l := range lines {
		switch {
		case l == "":
			lines[i] = ".PP"
		case strings.HasPrefix(l, "."):
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
