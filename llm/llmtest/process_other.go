//go:build !unix

package llmtest

import (
	"os/exec"
	"runtime"
)

const platform = runtime.GOOS + "-" + runtime.GOARCH

func setProcessGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func children(int) []int { return nil }

func killProcess(int) bool { return false }
