package cli

import (
	"context"
	"fmt"
	"io"
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
	if err != nil {
		return contract.Invalid("file", "%v", err)
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
