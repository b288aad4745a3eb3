//go:build !unix

package llmtest

import (
	"os/exec"
	"runtime"
)

const platform = runtime.GOOS + "-" + runtime.GOARCH

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func killChildren(int) int { return 0 }
