package questionset

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Workplace is where doc sets are laid out and indexed.
type Workplace struct {
	Mirrors string // folder of bare repositories, OWNER+NAME/repo each
	Dir     string // gets the folders sets and homes
}

// SetDir is the folder of a doc set's files.
func (w Workplace) SetDir(s Set) string { return filepath.Join(w.Dir, "sets", s.Name) }

// LayOut writes the files of a doc set from its mirror and gives their number. Files that
// the mirror does not store are left out. A doc set that is laid out stays.
func (w Workplace) LayOut(ctx context.Context, s Set) (int, error) {
	dir, mark := w.SetDir(s), filepath.Join(w.Dir, "sets", s.Name+".commit")
	if done, err := os.ReadFile(mark); err == nil && string(done) == s.Commit {
		return 0, nil
	}
	mirror := filepath.Join(w.Mirrors, strings.ReplaceAll(s.Repository, "/", "+"), "repo")
	if _, err := os.Stat(mirror); err != nil {
		return 0, fmt.Errorf("%s: bring a bare copy of %s there: %w", s.Name, s.Repository, err)
	}
	listed, err := runGit(ctx, mirror, nil, "ls-tree", "-r", "-z", "--name-only", s.Commit)
	if err != nil {
		return 0, err
	}
	var paths []string
	for _, p := range strings.Split(string(listed), "\x00") {
		if p != "" && s.holds(p) {
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 {
		return 0, fmt.Errorf("%s: no file of %s fits its folders and endings", s.Name, s.Repository)
	}
	var want bytes.Buffer
	for _, p := range paths {
		fmt.Fprintf(&want, "%s:%s\n", s.Commit, p)
	}
	blobs, err := runGit(ctx, mirror, &want, "cat-file", "--batch")
	if err != nil {
		return 0, err
	}
	if err := os.RemoveAll(dir); err != nil {
		return 0, err
	}
	n, err := writeFiles(dir, paths, bufio.NewReader(bytes.NewReader(blobs)))
	if err != nil {
		return n, fmt.Errorf("%s: %w", s.Name, err)
	}
	return n, os.WriteFile(mark, []byte(s.Commit), 0o644)
}

// writeFiles reads the files in the form of git cat-file --batch, in the order of paths.
func writeFiles(dir string, paths []string, blobs *bufio.Reader) (n int, err error) {
	for _, p := range paths {
		header, err := blobs.ReadString('\n')
		if err != nil {
			return n, err
		}
		fields := strings.Fields(header)
		if len(fields) < 3 || fields[len(fields)-2] != "blob" { // it is missing
			continue
		}
		size, err := strconv.Atoi(fields[len(fields)-1])
		if err != nil {
			return n, err
		}
		text := make([]byte, size+1) // with a line break
		if _, err := io.ReadFull(blobs, text); err != nil {
			return n, err
		}
		to := filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return n, err
		}
		if err := os.WriteFile(to, text[:size], 0o644); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func runGit(ctx context.Context, mirror string, in io.Reader, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--git-dir=" + mirror}, args...)...)
	var out, fault bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &fault
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("git %s in %s: %w", args[0], mirror, errors.Join(err, errors.New(strings.TrimSpace(fault.String()))))
	}
	return out.Bytes(), nil
}
