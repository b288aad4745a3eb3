//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A process that may open few files says so and ends with exit code 3, or does all that it
// was to do: no page is forgotten, nothing is taken for empty or damaged, and no line of a
// library's log is printed.
func TestFewFileDescriptors(t *testing.T) {
	t.Parallel()
	docs, home := filepath.Join(t.TempDir(), "Lamps@1"), homeWithManual(t)
	write := func(i int, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(docs, fmt.Sprintf("p%d.md", i)), fmt.Appendf(nil, "# Page %d\n\nOf the harbour and its crew. %s\n", i, text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(docs, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		write(i, "")
	}
	r := runner{home: home}
	r.run(t, 0, "", "add", docs)
	docent, err := exec.LookPath("docent")
	if err != nil {
		t.Fatal(err)
	}
	logged := regexp.MustCompile(`(?m)^\d{4}/\d\d/\d\d `)
	refused := 0
	for n := 8; n <= 32; n += 4 {
		word := fmt.Sprintf("zanzibar%d", n)
		write(n%20, word)
		for _, args := range [][]string{{"search", "harbour crew"}, {"update", "Lamps"}} {
			cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", fmt.Sprintf("ulimit -n %d; exec \"$0\" \"$@\"", n), docent}, args...)...)
			cmd.Env = append(os.Environ(), "DOCENT_HOME="+home, "NO_COLOR=1")
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			_ = cmd.Run()
			code := cmd.ProcessState.ExitCode()
			if code == 2 && strings.Contains(errs.String(), "fatal error") || code == 127 {
				continue // Go itself, or the shell, does not start with so few
			}
			switch {
			case code == 3:
				refused++
			case code != 0:
				t.Errorf("%d files, docent %q: exit code %d: %s", n, args, code, errs.String())
			case args[0] == "search" && !strings.Contains(out.String(), "Lamps@1") && !strings.Contains(errs.String(), "cannot be read"):
				t.Errorf("%d files: the search finds nothing and says nothing: %s%s", n, out.String(), errs.String())
			}
			if logged.MatchString(errs.String()) {
				t.Errorf("%d files, docent %q: a library's log is printed: %s", n, args, errs.String())
			}
			if strings.Contains(errs.String(), "damaged") {
				t.Errorf("%d files, docent %q: what is whole is called damaged: %s", n, args, errs.String())
			}
		}
		r.run(t, 0, "", "update", "Lamps")
		if out, _ := r.run(t, 0, "", "search", "--json", word); !strings.Contains(out, fmt.Sprintf(`"p%d.md"`, n%20)) {
			t.Errorf("%d files: the changed page is lost: %s", n, out)
		}
	}
	if refused == 0 {
		t.Error("no limit was low enough: the test tests nothing")
	}
	out, _ := r.run(t, 0, "", "sets")
	checkOutput(t, out, `^Lamps@1 +20 `)
}
