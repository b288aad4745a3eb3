//go:build linux

package child_test

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"docent/pipeline/ingest/child"
)

// sh runs a script.
func sh(t *testing.T, ctx context.Context, script string, l child.Limits) (out, stderr string, err error) {
	t.Helper()
	stderr, err = child.Run(ctx, child.Program{Path: "/bin/sh", Args: []string{"-c", script}, Env: []string{"PATH=/usr/bin:/bin"}, Limits: l},
		func(r io.Reader) error {
			b, err := io.ReadAll(r)
			out = string(b)
			return err
		})
	return out, stderr, err
}

func TestRun(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	out, said, err := sh(t, ctx, `echo out; echo said >&2; env | grep -c HOME=`, child.Limits{})
	if exit, ok := errors.AsType[*child.ExitError](err); !ok || out != "out\n0\n" || said != "said\n" || exit.Code != 1 || exit.Stderr != said {
		t.Errorf("%q, %q, %v", out, said, err)
	}
	if out, _, err = sh(t, ctx, `echo out`, child.Limits{Time: time.Minute, Memory: 1 << 30, Output: 4}); err != nil || out != "out\n" {
		t.Errorf("%q, %v", out, err)
	}
	if _, _, err = sh(t, ctx, `echo out`, child.Limits{Output: 3}); !errors.Is(err, child.ErrOutput) {
		t.Errorf("one byte too many: %v", err)
	}
	if _, err := child.Run(ctx, child.Program{Path: filepath.Join(t.TempDir(), "none")}, func(io.Reader) error { return nil }); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program that is not there: %v", err)
	}
	enough := errors.New("enough")
	if _, err := child.Run(ctx, child.Program{Path: "/bin/sh", Args: []string{"-c", "sleep 1000"}, Env: []string{"PATH=/usr/bin:/bin"}},
		func(io.Reader) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("a reader that gives up: %v", err)
	}
}

// Whatever a program does, its limits hold.
func TestLimits(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	if _, _, err := sh(t, ctx, `sleep 1000`, child.Limits{Time: 50 * time.Millisecond}); !errors.Is(err, child.ErrTime) {
		t.Errorf("one that sleeps: %v", err)
	}
	if out, _, err := sh(t, ctx, `exec yes`, child.Limits{Output: 1 << 20}); !errors.Is(err, child.ErrOutput) || len(out) != 1<<20 {
		t.Errorf("one that writes for ever: %d bytes, %v", len(out), err)
	}
	// tail keeps its last line, which never ends.
	if _, _, err := sh(t, ctx, `sleep .2; exec tail /dev/zero`, child.Limits{Memory: 100 << 20, Time: time.Minute}); err == nil || errors.Is(err, child.ErrTime) {
		t.Errorf("one that takes all memory: %v", err)
	}
	_, said, err := sh(t, ctx, `yes error | head -c 1000000 >&2`, child.Limits{})
	if err != nil || len(said) != 16<<10 {
		t.Errorf("one that says much: %d bytes, %v", len(said), err)
	}
}

// What a program started ends with it.
func TestItsProcessesEndWithIt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	var pid int
	_, err := child.Run(ctx, child.Program{Path: "/bin/sh", Args: []string{"-c", `sleep 1000 & echo $!; wait`}, Env: []string{"PATH=/usr/bin:/bin"}}, func(r io.Reader) error {
		b := make([]byte, 20)
		n, err := r.Read(b)
		if err != nil {
			return err
		}
		if pid, err = strconv.Atoi(strings.TrimSpace(string(b[:n]))); err != nil {
			return err
		}
		cancel()
		_, err = io.ReadAll(r)
		return err
	})
	if !errors.Is(err, context.Canceled) || pid == 0 {
		t.Fatalf("process %d, %v", pid, err)
	}
	for { // a killed process may stay a zombie until init waits for it
		stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		if err := syscall.Kill(pid, 0); err != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// isParent is set in the environment of the process that TestProgramsEndWithAKilledParent
// kills: the script that it is to run.
const isParent = "DOCENT_TEST_CHILD_SCRIPT"

// A program ends when the process that runs it is killed and can do nothing any more.
func TestProgramsEndWithAKilledParent(t *testing.T) {
	t.Parallel()
	if script := os.Getenv(isParent); script != "" {
		_, _, err := sh(t, context.Background(), script, child.Limits{})
		t.Fatalf("the script ended: %v", err)
	}
	file := filepath.Join(t.TempDir(), "pid")
	cmd := exec.Command(os.Args[0], "-test.run=^TestProgramsEndWithAKilledParent$")
	cmd.Env = append(os.Environ(), isParent+"=echo $$ >"+file+".new; mv "+file+".new "+file+"; exec sleep 1000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var raw []byte
	for err := error(os.ErrNotExist); err != nil; time.Sleep(time.Millisecond) {
		raw, err = os.ReadFile(file)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		if time.Now().After(end) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatal("the program goes on without its parent")
		}
	}
}

// A confined program reads its folder and the system's files, and reaches nothing else.
func TestConfined(t *testing.T) {
	t.Parallel()
	if !child.Confines() {
		t.Skip("this kernel has no Landlock")
	}
	dir, other := t.TempDir(), t.TempDir()
	secret := filepath.Join(other, "secret")
	for _, path := range []string{secret, filepath.Join(dir, "in")} {
		if err := os.WriteFile(path, []byte("words of "+filepath.Base(path)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(confined bool, script string) (out string, err error) {
		_, err = child.Run(t.Context(), child.Program{Path: "/bin/sh", Args: []string{"-c", script}, Dir: dir, Confined: confined,
			Env: []string{"PATH=/usr/bin:/bin"}, Limits: child.Limits{Time: time.Minute}}, func(r io.Reader) error {
			b, err := io.ReadAll(r)
			out = string(b)
			return err
		})
		return out, err
	}
	for _, script := range []string{"cat in", "cat in >out; cat out", "mkdir a && mv in a/b && cat a/b && mv a/b in", "cat </dev/null; sort -o in in; cat in"} {
		if out, err := run(true, script); err != nil || !strings.Contains(out, "words of in") {
			t.Errorf("%s: %q, %v", script, out, err)
		}
	}
	for _, script := range []string{"cat " + secret, "cat in >" + secret, "cat in >" + filepath.Join(other, "new"), "ls " + other, "cat /etc/passwd",
		"cat /proc/" + strconv.Itoa(os.Getpid()) + "/environ", "rm " + secret} {
		if out, err := run(true, script); err == nil {
			t.Errorf("%s: %q", script, out)
		}
	}
	// Neither this process nor a program that is not confined has lost anything.
	if out, err := run(false, "cat "+secret); err != nil || out != "words of secret" {
		t.Errorf("%q, %v", out, err)
	}
	for range 50 {
		done := make(chan error)
		go func() {
			_, err := os.ReadFile(secret)
			done <- err
		}()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
