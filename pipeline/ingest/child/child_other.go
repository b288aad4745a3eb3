//go:build !unix

package child

import "os/exec"

// isolateProcess does nothing: the program itself is killed where it has to be, and the processes
// that it started with the job object of limit.
func isolateProcess(*exec.Cmd) {}
