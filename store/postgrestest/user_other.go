//go:build !unix

package postgrestest

import (
	"fmt"
	"os/exec"
)

func asServer(*exec.Cmd) error {
	return fmt.Errorf("the test server needs a Unix system: %w", exec.ErrNotFound)
}

func temporaryFolder() (string, error) { return "", asServer(nil) }
