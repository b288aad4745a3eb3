// Package packing has the command that packs doc sets for others: pack.
//
// It refuses to know what a package holds: the service of that name does.
package packing

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/service/packing"
	"docent/pipeline/source/mirror"
	"docent/pipeline/source/packed"
	"docent/pipeline/text/plural"
	"docent/store/doc"
	"docent/store/durable"
)

// Commands are the commands about packages.
func Commands(c *invocation.Call) []*cobra.Command { return []*cobra.Command{packCmd(c)} }

func packCmd(c *invocation.Call) *cobra.Command {
	var output, keyFile string
	var req packing.Request
	cmd := &cobra.Command{
		Use:   "pack SET... -o FILE" + packed.Ending,
		Short: "pack doc sets into a file that others add",
		Long: `Writes doc sets into one file: their pages, where they came from, checksums, and
their index, so that docent add FILE takes a second. The same pages give the same
bytes. With a folder as the output, each doc set becomes a file of its own there.`,
		Example: `  docent pack kubernetes@1.31 -o kubernetes.docent
  docent pack kubernetes --no-index -o pages.docent`,
		Args: arguments.MinArgs(1, "at least one doc set"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(output) == "" {
				return contract.Invalid("output", "no output is named; give -o FILE%s, or -o and a folder", packed.Ending)
			}
			req.Sets = args
			signer, err := openSigner(cmd.Context(), c, keyFile)
			if err != nil {
				return err
			}
			return pack(cmd.Context(), c, packer{req, signer}, output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "`FILE` that is written, or a folder for a file of each doc set")
	cmd.Flags().BoolVar(&req.NoIndex, "no-index", false, "the pages alone; whoever adds them makes the index")
	cmd.Flags().StringVar(&keyFile, "sign", "", "`KEYFILE` of minisign; the signature is written beside the file")
	cmd.ValidArgsFunction = completing.Sets(c)
	return cmd
}

// packer packs, and signs what it packed.
type packer struct {
	request packing.Request
	signer  *packed.Signer // nil: it signs nothing
}

// written is a package that was written.
type written struct {
	packing.Packed
	File string `json:"file"`
	Size int64  `json:"size"`
}

// pack packs doc sets, into one file or one each.
func pack(ctx context.Context, c *invocation.Call, p packer, output string) error {
	inFolder := strings.HasSuffix(output, "/") || strings.HasSuffix(output, string(filepath.Separator))
	if st, err := os.Stat(output); err == nil && st.IsDir() {
		inFolder = true
	}
	if !inFolder && !strings.HasSuffix(strings.ToLower(output), packed.Ending) {
		return contract.Invalid("output", "%s does not end with %s; give the file that name, or a folder", output, packed.Ending)
	}
	if folder := filepath.Dir(output); !inFolder {
		if st, err := os.Stat(folder); err != nil || !st.IsDir() {
			return contract.Invalid("output", "there is no folder %s; make it, or name another file", folder)
		}
	}
	return c.WithHome(ctx, func(a *app.App) error {
		all, err := packFiles(ctx, c, a, p, output, inFolder)
		if err != nil {
			return err
		}
		if c.JSON {
			return c.PrintJSON(map[string]any{"packages": all})
		}
		for _, w := range all {
			c.Note("%s", console.OneLine(w.String()))
		}
		return nil
	})
}

// packFiles writes the packages.
func packFiles(ctx context.Context, c *invocation.Call, a *app.App, p packer, output string, inFolder bool) ([]written, error) {
	if !inFolder {
		w, err := p.packFile(ctx, c, a, output)
		return []written{w}, err
	}
	sets, err := a.Home.Corpus.Resolve(ctx, p.request.Sets)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(output, 0o755); err != nil {
		return nil, err
	}
	var out []written
	for _, s := range sets {
		one := p
		one.request.Sets = []string{s.Ref.String()}
		w, err := one.packFile(ctx, c, a, filepath.Join(output, fileName(s.Ref)))
		if err != nil {
			return out, err
		}
		out = append(out, w)
	}
	return out, writeList(ctx, c, output)
}

// writeList writes the list of the packages in a folder, so that a web server that serves the folder is a
// mirror.
func writeList(ctx context.Context, c *invocation.Call, dir string) error {
	list, faults, err := mirror.Folder(ctx, dir)
	if err != nil {
		return err
	}
	for _, f := range faults {
		c.Note("%s is left out of %s: %v", filepath.Join(dir, f.File), mirror.ListFile, f.Err)
	}
	raw, err := list.JSON()
	if err != nil {
		return err
	}
	file := filepath.Join(dir, mirror.ListFile)
	if err := durable.WriteFile(file, raw); err != nil {
		return err
	}
	return os.Chmod(file, 0o644)
}

// fileName is the package of a doc set. Only the first bytes of a name are taken: it may be as long
// as a file's name may be.
func fileName(ref doc.Ref) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>"|?*`, r) {
			return '_'
		}
		return r
	}, ref.String())
	return name + packed.Ending
}

// packFile writes one package: to another name first, so that an older one stays until the new one is whole.
func (p packer) packFile(ctx context.Context, c *invocation.Call, a *app.App, file string) (out written, err error) {
	out.File = file
	aside := file + ".part"
	defer func() {
		if rerr := os.Remove(aside); !errors.Is(rerr, os.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	}()
	err = durable.Create(aside, func(w io.Writer) error {
		counted := &counter{to: w}
		out.Packed, err = a.Packing.Pack(ctx, p.request, counted, home.Watch{Note: c.Note, Events: c.ProgressBar()})
		out.Size = counted.n
		return err
	})
	if err != nil {
		return out, err
	}
	// Others are to read it, and their docents to fetch it.
	if err := os.Chmod(aside, 0o644); err != nil {
		return out, err
	}
	if err := p.sign(aside, file); err != nil {
		return out, err
	}
	return out, os.Rename(aside, file)
}

// counter counts the bytes that it passes on.
type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += int64(n)
	return n, err
}

// String names the written file and its doc sets in a line.
func (w written) String() string {
	var sets []string
	files := 0
	for _, s := range w.Sets {
		sets = append(sets, s.Ref().String())
		files += s.Files
	}
	return w.File + ": " + strings.Join(sets, ", ") + ", " + plural.Count(files, "file", "files") + ", " + size(w.Size)
}

// size is a number of bytes for people.
func size(n int64) string {
	const mega = 1 << 20
	if n < mega {
		return plural.Count(int((n+1023)>>10), "KB", "KB")
	}
	return plural.Count(int((n+mega/2)/mega), "MB", "MB")
}
