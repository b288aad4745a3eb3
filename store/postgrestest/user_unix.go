//go:build unix

package postgrestest

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// serverUser is the account that a server runs as where the tests run as root, which
// PostgreSQL refuses.
func serverUser() (uid, gid int, err error) {
	account, err := user.Lookup(Superuser)
	if err != nil {
		return 0, 0, fmt.Errorf("PostgreSQL does not run as root, and there is no account for it: %w: %w", err, exec.ErrNotFound)
	}
	if uid, err = strconv.Atoi(account.Uid); err == nil {
		gid, err = strconv.Atoi(account.Gid)
	}
	return uid, gid, err
}

// asServer has a command run by an account that PostgreSQL accepts, in a process group of
// its own, so that an interrupt from the terminal does not reach it.
func asServer(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	if os.Getuid() != 0 {
		return nil
	}
	uid, gid, err := serverUser()
	if err == nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	return err
}

// temporaryFolder makes a folder of the server's account, whose parents that account may
// pass.
func temporaryFolder() (string, error) {
	for _, parent := range []string{os.TempDir(), "/tmp", "/var/tmp"} {
		if os.Getuid() == 0 && !isPassable(parent) {
			continue
		}
		dir, err := os.MkdirTemp(parent, "docent-postgres-")
		if err != nil || os.Getuid() != 0 {
			return dir, err
		}
		uid, gid, err := serverUser()
		if err != nil {
			return dir, err
		}
		return dir, os.Chown(dir, uid, gid)
	}
	return "", fmt.Errorf("%s cannot be reached by the account %s; set TMPDIR to a folder that can", os.TempDir(), Superuser)
}

// isPassable reports whether every account may pass a folder and those above it.
func isPassable(dir string) bool {
	for {
		st, err := os.Stat(dir)
		if err != nil || st.Mode().Perm()&1 == 0 {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
		dir = filepath.Dir(dir)
	}
}
