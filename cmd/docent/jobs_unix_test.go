//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// handIn writes files and hands them in with no worker that would take them: docent add
// is killed as soon as it has taken the last one in.
func handIn(t *testing.T, home string, from, n int) {
	t.Helper()
	dir := t.TempDir()
	args := []string{"add"}
	for i := from; i < from+n; i++ {
		file := filepath.Join(dir, fmt.Sprintf("lantern %d.md", i))
		if err := os.WriteFile(file, []byte(fmt.Sprintf("# Lantern %d\n\nLantern number%d is trimmed every evening before it is lit, and its oil is changed once a month.\n", i, i)), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	records := func() int {
		found, _ := filepath.Glob(filepath.Join(home, "uploads", "records", "*.json"))
		return len(found)
	}
	want := records() + n
	cmd := (runner{home: home}).command(t, "", args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the files to be taken in", func() bool { return records() == want })
	_ = cmd.Process.Signal(syscall.SIGKILL)
	_ = cmd.Wait()
}

// A worker is killed at random moments, again and again, and so is the process that
// uploads files: in the end each document is one page, and nothing is left over.
func TestWorkersAreKilled(t *testing.T) {
	t.Parallel()
	docent := runnerWithManual(t)
	home := docent.home
	const kills, files = 8, 3
	for k := range kills {
		handIn(t, home, k*files, files)
		cmd := docent.command(t, "", "worker", "--workers", "2")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond) // the moment is random
		_ = cmd.Process.Signal(syscall.SIGKILL)
		_ = cmd.Wait()
	}
	docent.run(t, 0, "", "worker", "--once")
	var jobs struct {
		Jobs []struct {
			DocumentID, State, Reason string
			Attempt                   int
		}
	}
	out, _ := docent.run(t, 0, "", "jobs", "--json")
	if err := json.Unmarshal([]byte(out), &jobs); err != nil {
		t.Fatal(err)
	}
	of := map[string]int{}
	for _, j := range jobs.Jobs {
		if of[j.DocumentID]++; j.State != "done" {
			t.Errorf("a job is left as %+v", j)
		}
	}
	if len(of) != kills*files {
		t.Errorf("there are jobs of %d documents, want %d", len(of), kills*files)
	}
	out, _ = docent.run(t, 0, "", "status", "Uploads", "--json", "-v")
	var status struct {
		Pages []struct {
			FilePath string `json:"file_path"`
			State    string
			Status   string
		}
	}
	if err := json.Unmarshal([]byte(out), &status); err != nil {
		t.Fatal(err)
	}
	if len(status.Pages) != kills*files {
		t.Errorf("there are %d pages, want %d", len(status.Pages), kills*files)
	}
	for _, p := range status.Pages {
		if p.Status != "COMPLETED" || p.State != "fresh" {
			t.Errorf("a page is %+v", p)
		}
	}
	for _, dir := range []string{"uploads/waiting", "uploads/incoming", "workers"} {
		if left, _ := os.ReadDir(filepath.Join(home, dir)); len(left) > 0 {
			t.Errorf("%s has %d files left, such as %s", dir, len(left), left[0].Name())
		}
	}
	out, _ = docent.run(t, 0, "", "search", "--json", "--threshold", "0", "--set", "Uploads", "number7")
	if n := strings.Count(out, `"page_title":"Lantern 7"`); n != 1 {
		t.Errorf("lantern 7 is found %d times:\n%s", n, out)
	}
	docent.run(t, 0, "", "doctor")
}

// A stopping worker takes no new job, and leaves the other jobs.
func TestWorkerEndsInGoodOrder(t *testing.T) {
	t.Parallel()
	docent := runnerWithManual(t)
	home := docent.home
	handIn(t, home, 0, 5)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd := docent.command(t, "", "worker")
		errs, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := errs.Read(make([]byte, 100)); err != nil { // it says that it waits
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("after %v: %v", sig, err)
		}
		out, _ := docent.run(t, 0, "", "jobs", "--state", "running", "--json")
		if !strings.Contains(out, `"total":0`) {
			t.Errorf("after %v jobs are running: %s", sig, out)
		}
	}
	docent.run(t, 0, "", "worker", "--once")
	if out, _ := docent.run(t, 0, "", "jobs", "--state", "done", "--json"); !strings.Contains(out, `"total":5`) {
		t.Errorf("done are %s", out)
	}
}

// A lost or damaged catalog gets its documents and their jobs back from their records:
// the ids stay, and unfinished jobs are done.
func TestDocumentsOutliveTheCatalog(t *testing.T) {
	t.Parallel()
	docent := runnerWithManual(t)
	home := docent.home
	short := filepath.Join(t.TempDir(), "short.txt")
	if err := os.WriteFile(short, []byte("too short"), 0o600); err != nil {
		t.Fatal(err)
	}
	docent.run(t, 1, "", "add", short)
	handIn(t, home, 0, 4)
	docent.run(t, 0, "", "worker", "--once")
	handIn(t, home, 4, 2)
	ids := func() string {
		var all []string
		files, _ := filepath.Glob(filepath.Join(home, "uploads", "records", "*.json"))
		for _, f := range files {
			all = append(all, filepath.Base(f))
		}
		return strings.Join(all, " ")
	}
	before := ids()
	for _, harm := range []func() error{
		func() error {
			for _, e := range []string{"", "-wal", "-shm"} {
				_ = os.Remove(filepath.Join(home, "catalog.db"+e))
			}
			return nil
		},
		func() error { return os.WriteFile(filepath.Join(home, "catalog.db"), []byte("no database"), 0o600) },
	} {
		if err := harm(); err != nil {
			t.Fatal(err)
		}
		out, _ := docent.run(t, 0, "", "status", "--json")
		var status struct{ Uploads map[string]int }
		if err := json.Unmarshal([]byte(out), &status); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, c := range status.Uploads {
			n += c
		}
		if n != 7 || status.Uploads["FAILED"] != 1 || status.Uploads["COMPLETED"] < 4 {
			t.Errorf("the documents after the harm are %v", status.Uploads)
		}
		docent.run(t, 0, "", "worker", "--once")
		if out, _ := docent.run(t, 0, "", "status"); !strings.Contains(out, "7 were handed in, 1 failed") {
			t.Errorf("the status says\n%s", out)
		}
		if after := ids(); after != before {
			t.Errorf("the ids are\n%s\nand were\n%s", after, before)
		}
	}
}
