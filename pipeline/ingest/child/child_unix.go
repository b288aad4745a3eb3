//go:build unix

package child

import (
	"os/exec"
	"syscall"
)

// isolateProcess puts the program into a process group of its own, which is killed whole.
func isolateProcess(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	diesWithUs(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
