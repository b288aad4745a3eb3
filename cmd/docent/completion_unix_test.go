//go:build unix

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// bashWords calls the completion function as bash does: with the line, and its words
// taken apart at = and :.
const bashWords = `
eval "$(docent completion bash)"
try() {
    COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9 COMPREPLY=()
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($#-1))
    __start_docent 2>/dev/null
    printf '%s=%s\n' "$COMP_LINE" "${COMPREPLY[*]}"
}
try "docent ver" docent ver
try "docent ask --set Lan" docent ask --set Lan
try "docent ask --set=Lan" docent ask --set = Lan
try "docent ask --set " docent ask --set ""
try "docent read Lantern:2.1/Wi" docent read Lantern : 2.1/Wi
try "docent  read   Lantern@2.1/Wi" docent read Lantern@2.1/Wi
try "docent add $PWD/do" docent add "$PWD/do"
`

// Bash completes where the package bash-completion is not installed, too.
func TestBashCompletesWithoutItsPackage(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	home := lanternHome(t)
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/docs", 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash, "--norc", "--noprofile", "-c", bashWords)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "DOCENT_HOME="+home)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := map[string]string{}
	for line := range strings.Lines(string(out)) {
		i := strings.LastIndexByte(line, '=')
		got[line[:max(0, i)]] = strings.TrimSpace(line[i+1:])
	}
	for line, want := range map[string]string{
		"docent ver":                    "verify version",
		"docent ask --set Lan":          "Lantern@2.1",
		"docent ask --set=Lan":          "Lantern@2.1",
		"docent ask --set ":             "Docent_Manual@0.1.0 Lantern@2.1",
		"docent read Lantern:2.1/Wi":    "2.1/Wicks/docContent.md", // bash replaces the text behind the colon
		"docent  read   Lantern@2.1/Wi": "Lantern@2.1/Wicks/docContent.md",
		"docent add " + cmd.Dir + "/do": "", // files and folders are bash's own to complete
	} {
		if got[line] != want {
			t.Errorf("%q is completed with %q, want %q", line, got[line], want)
		}
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
}
