package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const englishPage = `---
title: Lamps
---
# Lamps

Fill the lamp. Trim its wick every evening.

## Turn it off

- Close the valve
- Wait for ` + "`cool`" + `

| Part | Use |
| --- | --- |
| wick | [burns](burn.md) |
`

const germanPage = `---
title: Lampen
---
# <a name="lamps"></a>Lampen

Füllen Sie die Lampe. Kürzen Sie jeden Abend den Docht.

## <a name="turn-it-off"></a>Ausschalten

- Schließen Sie das Ventil
- Warten Sie auf ` + "`cool`" + `

| Teil | Zweck |
| --- | --- |
| Docht | [brennt](burn.md) |
`

// makeRepository makes a repository of pages in a folder of mirrors.
func makeRepository(t *testing.T, mirrors, name string, pages map[string]string) repository {
	t.Helper()
	dir := filepath.Join(mirrors, name, "repo")
	for path, text := range pages {
		file := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "pages"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	commit, err := exec.Command("git", "-C", dir, "rev-parse", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	return repository{name: strings.Replace(name, "+", "/", 1), commit: strings.TrimSpace(string(commit)), pattern: "*.md"}
}

func TestReadParallel(t *testing.T) {
	t.Parallel()
	mirrors := t.TempDir()
	english := makeRepository(t, mirrors, "a+docs", map[string]string{"lamp.md": englishPage, "same.md": "# Wick\n\nTrim the wick with care.\n"})
	german := makeRepository(t, mirrors, "a+docs.de", map[string]string{"lamp.md": germanPage, "same.md": "# Wick\n\nTrim the wick with care.\n",
		"alone.md": "# <a name=\"fill-the-lamp\"></a>Die Lampe füllen\n\nNur hier.\n"})
	got, err := readParallel(mirrors, []parallel{{&german, &english}})
	if err != nil {
		t.Fatal(err)
	}
	want := []message{{"fill the lamp", "Die Lampe füllen"}, {"Lamps", "Lampen"}, {"Fill the lamp", "Füllen Sie die Lampe"},
		{"Trim its wick every evening.", "Kürzen Sie jeden Abend den Docht."}, {"Turn it off", "Ausschalten"},
		{"Close the valve", "Schließen Sie das Ventil"}, {"Wait for", "Warten Sie auf"}, {"Part", "Teil"}, {"Use", "Zweck"},
		{"wick", "Docht"}, {"burns", "brennt"}}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, broken := range []repository{{name: "a/nothing", commit: "HEAD", pattern: "*.md"},
		{name: "a/docs", commit: "0123456789012345678901234567890123456789", pattern: "*.md"}, {name: "a/docs", commit: "HEAD", pattern: "*.rst"}} {
		if _, err := readParallel(mirrors, []parallel{{foreign: &broken}}); err == nil {
			t.Errorf("%v passes", broken)
		}
	}
}

// Copies of pages, pages that were vendored and generated ones say nothing more than the page
// itself, in one repository or in two; a page whose translation was never made, or made for a
// part, gives only its translated sentences.
func TestRepeatedPagesAreReadOnce(t *testing.T) {
	t.Parallel()
	mirrors := t.TempDir()
	once := func(page string) map[string]string { return map[string]string{"lamp.md": page} }
	english, german := makeRepository(t, mirrors, "a+docs", once(englishPage)), makeRepository(t, mirrors, "a+docs.de", once(germanPage))
	want, err := readParallel(mirrors, []parallel{{&german, &english}})
	if err != nil || len(want) < 5 {
		t.Fatalf("%q, %v", want, err)
	}
	const never = "# Wick\n\nTrim the wick with care. Keep it dry.\n"
	partly := strings.Replace(germanPage, "- Schließen Sie das Ventil\n- Warten Sie auf `cool`", "- Close the valve\n- Wait for `cool`", 1)
	often := func(page, part string) map[string]string {
		return map[string]string{"lamp.md": page, "copy/lamp.md": page, "vendor/b/docs/lamp.md": page, "site/out.md": "<!-- generated: do not edit -->\n" + page,
			"de/wick.md": never, "part.md": part}
	}
	manyEnglish := makeRepository(t, mirrors, "b+docs", often(englishPage, englishPage))
	manyGerman := makeRepository(t, mirrors, "b+docs.de", often(germanPage, partly))
	got, err := readParallel(mirrors, []parallel{{&manyGerman, &manyEnglish}, {&german, &english}})
	if err != nil || len(got) != len(want) {
		t.Errorf("%d pairs where there are %d, %v: %q", len(got), len(want), err, got)
	}
	for _, m := range want {
		if !slices.Contains(got, m) {
			t.Errorf("%q is lost", m)
		}
	}
}

func TestReadWordNet(t *testing.T) {
	t.Parallel()
	from := sources{t.TempDir(), t.TempDir()}
	english := filepath.Join(from.dictionaries, "deb/usr/share/wordnet")
	if err := os.MkdirAll(english, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"index.verb": "", "index.adj": "", "index.adv": "",
		"index.noun": "  1 a licence\nlamp n 2 1 @ 2 0 00000010 00000020  \nlight_source n 1 0 1 0 00000010\n"} {
		if err := os.WriteFile(filepath.Join(english, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	omw := makeRepository(t, from.mirrors, "omwn+omw-data", map[string]string{"zh.tab": "# a head\n00000010-n\tcmn:lemma\t灯\n00000020-n\tcmn:lemma\t油+灯\n" +
		"00000010-n\tcmn:lemma\tLED\n00000030-n\tcmn:lemma\t火\n"})
	omw.pattern = "zh.tab"
	d := newDraft("zh")
	if err := readWordNet(from, omw, d); err != nil {
		t.Fatal(err)
	}
	if len(d.entries) != 2 || len(d.entries["灯"].glosses) != 2 || d.entries["油灯"].glosses[0].Text != "lamp" {
		t.Errorf("%v", d.entries)
	}
	if first, second := d.entries["灯"].glosses[0].Weight, d.entries["油灯"].glosses[0].Weight; second >= first {
		t.Errorf("the second sense weighs %.2f, the first %.2f", second, first)
	}
	omw.pattern = "de.tab"
	if err := readWordNet(from, omw, d); err == nil {
		t.Error("a WordNet that is not there passes")
	}
}
