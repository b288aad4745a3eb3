//go:build unix

package main

import (
	"os"
	"syscall"
)

// peakMemory is the largest memory of a process that ended, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int64(usage.Maxrss) << 10 // Linux counts in KB
}
