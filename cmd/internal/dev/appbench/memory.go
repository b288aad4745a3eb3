package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// memory plays an hour and looks at the program's memory.
func (b *bench) memory(ctx context.Context) error {
	t, err := b.start(ctx)
	if err != nil {
		return err
	}
	defer t.Close()
	begin := time.Now()
	atStart, _, err := memory(t.PID())
	if err != nil {
		return err
	}
	keys, asked, middle := 0, 0, 0
	for ; keys < b.keys; asked++ {
		q := b.questions[asked*7%len(b.questions)]
		if err := ask(ctx, t, q); err != nil {
			return err
		}
		keys += len([]rune(q)) + 2
		for _, k := range hourKeys {
			keys++
			if strings.HasPrefix(k, "resize:") {
				err = t.Step(ctx, k)
			} else {
				err = t.Type(k)
			}
			if err != nil {
				return err
			}
		}
		if middle == 0 && keys > b.keys/2 {
			if middle, _, err = memory(t.PID()); err != nil {
				return err
			}
		}
	}
	if err := t.Rest(ctx); err != nil {
		return err
	}
	now, peak, err := memory(t.PID())
	if err != nil {
		return err
	}
	verdict := "met"
	if now > aimMemory {
		verdict = "MISSED"
	}
	fmt.Printf("program: memory after %d questions, %d keys     %d MB, at its peak %d MB (%d MB at the start, %d MB halfway, %v)  aim: < %d MB, %s\n",
		asked, keys, now, peak, atStart, middle, time.Since(begin).Round(time.Second), aimMemory, verdict)
	return nil
}

// memory is a process's resident memory and its peak in MB.
func memory(pid int) (now, peak int, err error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		kb, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
		switch name {
		case "VmRSS":
			now = kb >> 10
		case "VmHWM":
			peak = kb >> 10
		}
	}
	return now, peak, lines.Err()
}
