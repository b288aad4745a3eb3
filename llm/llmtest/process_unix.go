//go:build unix

package llmtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

const platform = runtime.GOOS + "-" + runtime.GOARCH

// setProcessGroup puts a program into its own process group, so that killGroup
// also kills the model processes of a server. Otherwise they would survive it.
func setProcessGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// killProcess kills a process and reports whether that worked.
func killProcess(pid int) bool { return syscall.Kill(pid, syscall.SIGKILL) == nil }

// children returns the ids of the child processes of a process. It finds them in
// /proc; without /proc it returns none.
func children(pid int) []int {
	var found []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		raw, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		// The format is: pid (name) state ppid …; the name may contain spaces and ).
		fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
		child, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			found = append(found, child)
		}
	}
	return found
}
