//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// setNames are the doc sets of a home, without the manual.
func setNames(t *testing.T, home string) []string {
	t.Helper()
	out, code := inHome(t, home, "sets", "--json")
	var answer struct {
		Sets []struct{ Set, Freshness string }
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || code != 0 {
		t.Fatalf("sets: exit code %d, %v: %s", code, err, out)
	}
	names := []string{}
	for _, s := range answer.Sets {
		if s.Freshness != "fresh" {
			t.Errorf("%s is %s", s.Set, s.Freshness)
		}
		if !strings.HasPrefix(s.Set, "Docent_Manual") {
			names = append(names, s.Set)
		}
	}
	return names
}

// after are the doc sets that a message says something of: "A@1, B@1 and C@1 were
// added".
func after(message, was string) []string {
	names := []string{}
	for part := range strings.SplitSeq(message, ";") {
		for _, verb := range []string{" was ", " were "} {
			if list, ok := strings.CutSuffix(strings.TrimSpace(part), verb+was); ok {
				names = append(names, strings.FieldsFunc(list, func(r rune) bool { return r == ' ' || r == ',' })...)
			}
		}
	}
	names = slices.DeleteFunc(names, func(n string) bool { return n == "and" })
	for i, n := range names {
		names[i] = filepath.Base(n) // before a folder was looked at, it is named by its path
	}
	return names
}

// A signal at a random moment ends add, update, rebuild and rm with the signal's exit
// code and one line, and what that line says is what the home has.
func TestInterruptedAtRandomMoments(t *testing.T) {
	t.Parallel()
	loops := 6
	if s := os.Getenv("DOCENT_INTERRUPT_LOOPS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("DOCENT_INTERRUPT_LOOPS: %v", err)
		}
		loops = n
	}
	var fleets []string
	for _, name := range []string{"Fleet@1", "Fleet@2", "Fleet@3"} {
		f := newFleet(t, 60)
		dir := filepath.Join(filepath.Dir(f.Dir), name)
		if err := os.Rename(f.Dir, dir); err != nil && dir != f.Dir {
			t.Fatal(err)
		}
		fleets = append(fleets, dir)
	}
	all := []string{"Fleet@1", "Fleet@2", "Fleet@3"}
	home := homeWithManual(t)
	kinds := []struct {
		args        []string
		had         []string // the doc sets before
		done        string
		took        time.Duration
		checkedSets bool // the list of doc sets shows the result
	}{
		{args: append([]string{"add"}, fleets...), done: "added", checkedSets: true},
		{args: []string{"update", "--rebuild", "Fleet@1", "Fleet@2", "Fleet@3"}, had: all, done: "rebuilt"},
		{args: append([]string{"rm"}, all...), had: all, done: "forgotten", checkedSets: true},
	}
	for i := range kinds {
		start := time.Now()
		if out, code := inHome(t, home, kinds[i].args...); code != 0 {
			t.Fatalf("%v: exit code %d: %s", kinds[i].args, code, out)
		}
		kinds[i].took = time.Since(start)
	}
	rnd := rand.New(rand.NewPCG(3, 5))
	line := regexp.MustCompile(`^docent: (interrupted|terminated): .*\n$`)
	told := 0
	for loop := range loops {
		kind := kinds[loop%len(kinds)]
		if have := setNames(t, home); len(kind.had) == 0 && len(have) > 0 {
			inHome(t, home, append([]string{"rm"}, have...)...)
		} else if len(kind.had) > len(have) {
			inHome(t, home, append([]string{"add"}, fleets...)...)
		}
		signal, code, word := syscall.SIGINT, 130, "interrupted"
		if rnd.IntN(2) == 0 {
			signal, code, word = syscall.SIGTERM, 143, "terminated"
		}
		cmd := exec.Command("docent", append([]string{"--home", home}, kind.args...)...)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rnd.Int64N(int64(kind.took))))
		_ = cmd.Process.Signal(signal)
		_ = cmd.Wait()
		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		have := setNames(t, home)
		switch {
		case status.Signaled() && status.Signal() == signal && errs.Len() == 0:
			// Before main began, or after it ended: a shell calls that 130 and 143 too.
			continue
		case status.ExitStatus() == 0 && errs.Len() == 0:
			if kind.checkedSets && len(have) != len(all)-len(kind.had) {
				t.Errorf("loop %d: %v ended whole, and there is %v", loop, kind.args, have)
			}
			continue // it had ended
		case status.ExitStatus() != code:
			t.Fatalf("loop %d: %v ends with %v: %s", loop, kind.args, cmd.ProcessState, errs.String())
		}
		told++
		message := errs.String()
		if !line.MatchString(message) || !strings.Contains(message, word) {
			t.Fatalf("loop %d: %v says %q", loop, kind.args, message)
		}
		message = strings.TrimPrefix(strings.TrimSpace(message), "docent: "+word+": ")
		if message == "nothing was "+kind.done {
			if kind.checkedSets && !slices.Equal(have, append([]string{}, kind.had...)) {
				t.Errorf("loop %d: %q, and there is %v", loop, message, have)
			}
			continue
		}
		done, undone := after(message, kind.done), after(message, "not "+kind.done)
		if both := slices.Sorted(slices.Values(slices.Concat(done, undone))); !slices.Equal(both, all) {
			t.Errorf("loop %d: %q does not speak of %v", loop, message, all)
		}
		want := done
		if kind.done == "forgotten" {
			want = undone
		}
		if kind.checkedSets && !slices.Equal(have, want) {
			t.Errorf("loop %d: %q, and there is %v", loop, message, have)
		}
		if out, code := inHome(t, home, "doctor"); code != 0 {
			t.Errorf("loop %d: doctor: exit code %d: %s", loop, code, out)
		}
	}
	t.Logf("%d loops, %d were told of; %v, %v, %v", loops, told, kinds[0].took, kinds[1].took, kinds[2].took)
	if told == 0 {
		t.Error("no signal came in time: nothing was tried")
	}
}

// In a terminal, the message is on a line of its own, although the terminal has written
// ^C behind the progress bar.
func TestInterruptedInATerminal(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 2000)
	home := filepath.Join(t.TempDir(), "home")
	p := startPTY(t, home, "add", f.Dir)
	p.glimpse("░")
	p.press("\x03")
	err := p.ends()
	if ee, ok := err.(*exec.ExitError); !ok || ee.ExitCode() != 130 {
		t.Errorf("it ends with %v", err)
	}
	p.drain()
	if !regexp.MustCompile(`(?m)^docent: interrupted: Fleet@1 was not added; the same command adds\n? ?it`).MatchString(p.screen()) || strings.Contains(p.screen(), "░") {
		t.Errorf("the screen is:\n%s", p.screen())
	}
	if have := setNames(t, home); len(have) > 0 {
		t.Errorf("there is %v", have)
	}
}

// signalled starts a program that does not end by itself soon, and sends it a signal
// when it runs. make prepares a command; on a busy machine the first signals may come
// before main began, and then the next command waits longer.
func signalled(t *testing.T, signal syscall.Signal, make func() *exec.Cmd) *os.ProcessState {
	t.Helper()
	for wait := 300 * time.Millisecond; ; wait *= 2 {
		cmd := make()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
		time.Sleep(wait)
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		ended.Stop()
		if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() && status.Signal() == signal && wait < limit/4 {
			continue
		}
		return cmd.ProcessState
	}
}

// With --json the one object on standard output says it.
func TestInterruptedWithJSON(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 2000)
	var out, errs bytes.Buffer
	state := signalled(t, syscall.SIGTERM, func() *exec.Cmd {
		cmd := exec.Command("docent", "--home", filepath.Join(t.TempDir(), "home"), "--json", "add", f.Dir)
		cmd.Stdout, cmd.Stderr = &out, &errs
		return cmd
	})
	var e struct {
		ErrorCode string
		Details   struct {
			Done    []string `json:"done"`
			NotDone []string `json:"not_done"`
		}
	}
	if err := json.Unmarshal(out.Bytes(), &e); err != nil || state.ExitCode() != 143 || errs.Len() > 0 {
		t.Fatalf("it ends with %v, %v: %s%s", state, err, out.String(), errs.String())
	}
	if e.ErrorCode != "INTERRUPTED" || len(e.Details.Done) != 0 || len(e.Details.NotDone) != 1 || filepath.Base(e.Details.NotDone[0]) != "Fleet@1" {
		t.Errorf("it says %s", out.String())
	}
}

// A command that waits for somebody to type ends at the first signal.
func TestInterruptedWhileReading(t *testing.T) {
	t.Parallel()
	home := lanternHome(t)
	for _, tt := range []struct {
		args   []string
		signal syscall.Signal
		code   int
		says   string
	}{
		{[]string{"ask", "-"}, syscall.SIGINT, 130, "docent: interrupted\n"},
		{[]string{"search", "-"}, syscall.SIGTERM, 143, "docent: terminated\n"},
		{[]string{"phase", "0a"}, syscall.SIGINT, 130, "docent: interrupted\n"},
		{[]string{"verify", "-"}, syscall.SIGTERM, 143, "docent: terminated\n"},
		{[]string{"eval", "--set", "Lantern", "-"}, syscall.SIGINT, 130, "docent: interrupted\n"},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			t.Parallel()
			r, w, err := os.Pipe() // without a writer
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			defer w.Close()
			var errs bytes.Buffer
			state := signalled(t, tt.signal, func() *exec.Cmd {
				cmd := exec.Command("docent", append([]string{"--home", home}, tt.args...)...)
				cmd.Stdin, cmd.Stderr = r, &errs
				return cmd
			})
			if state.ExitCode() != tt.code || errs.String() != tt.says {
				t.Errorf("it ends with %v and says %q", state, errs.String())
			}
		})
	}
}
