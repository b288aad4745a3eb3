package packing

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/source/packed"
	"docent/store/durable"
)

// mostKey bounds a file with a key, and a password.
const mostKey = 16 << 10

// passwordVariable has the password of the key, for scripts.
const passwordVariable = "DOCENT_SIGN_PASSWORD"

// openSigner opens a private key; nil where no file is named. Its password is asked for before the
// doc sets are packed, as minisign does: on the terminal, or as the first line of standard input.
func openSigner(ctx context.Context, c *invocation.Call, file string) (*packed.Signer, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, contract.Invalid("sign", "the key %s cannot be read: %v", file, errors.Unwrap(err))
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, mostKey))
	if err != nil {
		return nil, err
	}
	s, err := packed.OpenSigner(raw, func() (string, error) { return askPassword(ctx, c) })
	if err != nil && ctx.Err() == nil {
		return nil, contract.Invalid("sign", "%s: %v", file, err)
	}
	return s, err
}

// askPassword gives the password of a key. It is never an argument, which other users of the machine
// could see.
func askPassword(ctx context.Context, c *invocation.Call) (string, error) {
	if text := c.IO.Env(passwordVariable); text != "" {
		return text, nil
	}
	if c.IO.InTTY && c.IO.Secret != nil {
		fmt.Fprint(c.IO.Err, "Password: ")
		text, err := c.IO.Secret(ctx)
		fmt.Fprintln(c.IO.Err)
		return text, err
	}
	line, err := bufio.NewReader(io.LimitReader(c.StandardInput(ctx), mostKey)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password from standard input: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// sign writes the signature of a package that lies at aside and will be file. Without a key it
// removes the one that is there: it is of another package.
func (p packer) sign(aside, file string) error {
	if p.signer == nil {
		if err := os.Remove(file + packed.SignatureEnding); !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	f, err := os.Open(aside)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := p.signer.Sign(f, filepath.Base(file))
	if err != nil {
		return err
	}
	if err := durable.WriteFile(file+packed.SignatureEnding, text); err != nil {
		return err
	}
	return os.Chmod(file+packed.SignatureEnding, 0o644)
}
