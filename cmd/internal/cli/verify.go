package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"docent/cmd/internal/app"
	"docent/pipeline/cite"
	"docent/pipeline/contract"
)

func (c *command) verify(ctx context.Context, file string) error {
	var raw []byte
	var err error
	if file == "-" {
		raw, err = io.ReadAll(io.LimitReader(c.io.In, maxInput))
	} else {
		raw, err = os.ReadFile(file)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return contract.Invalid("file", "verify %s: there is no such file; give one that holds a block, or - for standard input", file)
	}
	if err != nil {
		return contract.Invalid("file", "verify %s: %v; give a file that holds a block, or - for standard input", file, err)
	}
	block, err := cite.ParseBlock(string(raw))
	if err != nil {
		return contract.Invalid("block", "%v", err)
	}
	return c.with(ctx, func(a *app.App) error {
		rep, err := cite.Verify(ctx, block, a.VerifySource())
		if err != nil {
			return err
		}
		if c.json {
			err = c.printJSON(rep)
		} else {
			_, err = fmt.Fprintln(c.io.Out, c.forTerminal(rep.String()))
		}
		if err != nil {
			return err
		}
		if rep.State != cite.StateVerified {
			return exitCode(codeNothing)
		}
		return nil
	})
}
