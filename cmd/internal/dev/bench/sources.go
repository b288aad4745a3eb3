//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// tags are those of the repository that sources are measured with; the documents are of the last
// one.
var tags = []string{"v1.29.0", "v1.30.0", "v1.31.0"}

// measureSources measures adding a repository from a git daemon on this machine beside what
// that consists of: adding the same folder, and git fetching it; and adding a package of the folder.
func (b *bench) measureSources(ctx context.Context) error {
	folders, err := b.folders()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "docent-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := makeRepository(ctx, filepath.Join(dir, "docs"), folders[0]); err != nil {
		return err
	}
	address, stop, err := serveRepositories(ctx, dir)
	if err != nil {
		return err
	}
	defer stop()
	address += "/docs"
	tag := tags[len(tags)-1]
	adding := func(args ...string) func() (time.Duration, error) {
		return func() (time.Duration, error) { return b.addOnce(dir, args) }
	}
	cloning := func() (time.Duration, error) {
		start := time.Now()
		into := filepath.Join(dir, fmt.Sprintf("clone-%d", start.UnixNano()))
		err := git(ctx, dir, "clone", "-q", "--depth=1", "--branch="+tag, address, into)
		return time.Since(start), err
	}
	packageName, addPackage, err := b.packing(dir)
	if err != nil {
		return err
	}
	all := []struct {
		name string
		once func() (time.Duration, error)
		took durations
	}{{"add of the folder", adding(filepath.Join(dir, "docs", "content"), "--name", "Bench"), nil}, {"git clone", cloning, nil},
		{"add of the repository", adding(address+"@"+strings.TrimPrefix(tag, "v"), "--name", "Bench"), nil},
		{packageName, addPackage, nil}}
	for range b.runs { // in turn: the machine is another one a minute later
		for i := range all {
			took, err := all[i].once()
			if err != nil {
				return fmt.Errorf("%s: %w", all[i].name, err)
			}
			all[i].took = append(all[i].took, took)
		}
	}
	for _, m := range all {
		m.took.report(m.name, "")
	}
	parts := all[0].took.ms(.5) + all[1].took.ms(.5)
	fmt.Printf("the repository costs %.2f times the folder and git together\n", all[2].took.ms(.5)/parts)
	return nil
}

// packing packs the folder of the documents, and gives the adding of the package.
func (b *bench) packing(dir string) (name string, once func() (time.Duration, error), err error) {
	home := filepath.Join(dir, "packing")
	one := &build{bin: b.bin, env: append(os.Environ(), "DOCENT_HOME="+home, "NO_COLOR=1")}
	file := filepath.Join(dir, "bench.docent")
	for _, args := range [][]string{{"add", filepath.Join(dir, "docs", "content"), "--name", "Bench"}, {"pack", "Bench", "-o", file}} {
		if _, err := one.run(args...); err != nil {
			return "", nil, err
		}
	}
	return "add of a package of the folder", func() (time.Duration, error) { return b.addOnce(dir, []string{file}) }, os.RemoveAll(home)
}

// addOnce adds a source to a new home.
func (b *bench) addOnce(dir string, args []string) (time.Duration, error) {
	home, err := os.MkdirTemp(dir, "home")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(home)
	one := &build{bin: b.bin, env: append(os.Environ(), "DOCENT_HOME="+home, "NO_COLOR=1")}
	if _, err := one.run("status"); err != nil { // the manual is indexed
		return 0, err
	}
	took, err := one.run(append([]string{"add"}, args...)...)
	return took.wall, err
}

// makeRepository makes a repository of a folder of documents, which lie in content, with a
// change of every tenth page from each tag to the next.
func makeRepository(ctx context.Context, repo, docs string) error {
	content := filepath.Join(repo, "content")
	if err := os.CopyFS(content, os.DirFS(docs)); err != nil {
		return err
	}
	var pages []string
	err := filepath.WalkDir(content, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(p) == ".md" {
			pages = append(pages, p)
		}
		return err
	})
	if err != nil {
		return err
	}
	// Clients without a checkout of their own ask for single files.
	for _, args := range [][]string{{"init", "-q"}, {"config", "uploadpack.allowFilter", "true"},
		{"config", "uploadpack.allowAnySHA1InWant", "true"}, {"config", "user.name", "bench"},
		{"config", "user.email", "bench@example.org"}} {
		if err := git(ctx, repo, args...); err != nil {
			return err
		}
	}
	for i, tag := range tags {
		for k := i; i > 0 && k < len(pages); k += 10 {
			text, err := os.ReadFile(pages[k])
			if err == nil {
				err = os.WriteFile(pages[k], append(text, fmt.Sprintf("\nSince %s this is so.\n", tag)...), 0o600)
			}
			if err != nil {
				return err
			}
		}
		for _, args := range [][]string{{"add", "-A"}, {"commit", "-q", "-m", tag}, {"tag", tag}} {
			if err := git(ctx, repo, args...); err != nil {
				return err
			}
		}
	}
	return nil
}

// serveRepositories serves the repositories in a folder by git's own server, on loopback alone.
func serveRepositories(ctx context.Context, dir string) (address string, stop func(), err error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	host := free.Addr().String()
	_, port, _ := net.SplitHostPort(host)
	ctx, cancel := context.WithCancel(ctx)
	daemon := exec.CommandContext(ctx, "git", "daemon", "--reuseaddr", "--listen=127.0.0.1", "--port="+port, "--export-all",
		"--base-path="+dir, dir)
	if err := errors.Join(free.Close(), daemon.Start()); err != nil {
		cancel()
		return "", nil, err
	}
	stop = func() {
		cancel()
		_ = daemon.Wait() // it was ended
	}
	for range 100 {
		c, err := net.DialTimeout("tcp", host, time.Second)
		if err == nil {
			return "git://" + host, stop, c.Close()
		}
		time.Sleep(20 * time.Millisecond)
	}
	stop()
	return "", nil, errors.New("git daemon does not answer")
}

func git(ctx context.Context, dir string, args ...string) error {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("git %s: %w: %s", slices.Concat(args), err, out)
	}
	return nil
}
