package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rogpeppe/go-internal/testscript"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/phase/process"
	"docent/store/lock"
)

// The commands of the scripts. Each comment begins with the usage.

// cmdHomes is `homes FOLDER...`. It copies the script's home, which has the manual, into more
// folders.
func cmdHomes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: homes FOLDER...")
	}
	for _, folder := range args {
		ts.Check(copyFolder(ts.MkAbs(folder), ts.Getenv("DOCENT_HOME")))
	}
}

// cmdExits is `exits CODE docent ARGS...`. It runs a command of the program in the script's process and
// requires an exit code. The script can check its output with stdout and stderr.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "docent" {
		ts.Fatalf("usage: exits CODE docent ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := runInScript(ts, args[2:]); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// runInScript runs a command of the program in the script's process, and returns its exit code. The
// output becomes the script's.
func runInScript(ts *testscript.TestScript, args []string) int {
	o, err := processOf(ts).run(ts.MkAbs("."), args)
	ts.Check(err)
	_, err = io.WriteString(ts.Stdout(), o.Out)
	_, worse := io.WriteString(ts.Stderr(), o.Errors)
	ts.Check(errors.Join(err, worse))
	return o.Code
}

// cmdJSON is `[!] json FILE /path/to/value [VALUE]`. It requires that the value
// exists and is equal to VALUE: a string is written as it is, any other value as
// JSON. In a path, # is the length of an array or object, and -1 the last element.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: [!] json FILE /path [VALUE]")
	}
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &v); err != nil {
		ts.Fatalf("%s is no JSON: %v", args[0], err)
	}
	got, ok := lookup(v, args[1])
	text := ""
	if s, isText := got.(string); isText {
		text = s
	} else {
		raw, err := json.Marshal(got)
		ts.Check(err)
		text = string(raw)
	}
	switch {
	case len(args) == 2 && ok == neg:
		ts.Fatalf("%s: there=%v: %s", args[1], ok, text)
	case len(args) == 3 && !ok:
		ts.Fatalf("%s is not there", args[1])
	case len(args) == 3 && (text == args[2]) == neg:
		ts.Fatalf("%s is %s, want %s", args[1], text, args[2])
	}
}

// lookup returns the value at a path.
func lookup(v any, path string) (any, bool) {
	for key := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		switch x := v.(type) {
		case map[string]any:
			if key == "#" {
				v = len(x)
				continue
			}
			var ok bool
			if v, ok = x[key]; !ok {
				return nil, false
			}
		case []any:
			if key == "#" {
				v = len(x)
				continue
			}
			i, err := strconv.Atoi(key)
			if i < 0 {
				i += len(x)
			}
			if err != nil || i < 0 || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// cmdSame is `[!] same FILE FILE PATH`. It requires that both files have the same
// value at PATH.
func cmdSame(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: [!] same FILE FILE /path")
	}
	var v [2]any
	for i, f := range args[:2] {
		var whole any
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(f)), &whole))
		var ok bool
		if v[i], ok = lookup(whole, args[2]); !ok {
			ts.Fatalf("%s has no %s", f, args[2])
		}
	}
	if reflect.DeepEqual(withoutTimes(v[0]), withoutTimes(v[1])) == neg {
		ts.Fatalf("%s: %v, %v", args[2], v[0], v[1])
	}
}

// cmdChain is `chain QUESTION [FLAGS...]`. It pipes a question through `docent phase`
// for all phases, with the flags, and writes each phase's output to NAME.json.
func cmdChain(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: chain QUESTION [FLAGS]")
	}
	p := processOf(ts)
	phase := func(name, in string) string {
		p.input = in
		o, err := p.run(ts.Getenv("WORK"), append([]string{"phase", name}, args[1:]...))
		ts.Check(err)
		if o.Code != 0 {
			ts.Fatalf("docent phase %s: exit code %d\n%s%s", name, o.Code, o.Out, o.Errors)
		}
		ts.Check(os.WriteFile(ts.MkAbs(name+".json"), []byte(o.Out), 0o600))
		return o.Out
	}
	q, err := json.Marshal(map[string]string{"query": args[0]})
	ts.Check(err)
	a, b := phase("0a", string(q)), phase("0b", string(q))
	merged := phase("merge", fmt.Sprintf(`[{"phase":"0a","output":%s},{"phase":"0b","output":%s}]`, a, b))
	phase("3", phase("2.5", phase("2", phase("1.5", phase("1", merged)))))
}

// cmdSamePhases is `samephases FILE`. It requires that the phases of `ask --json` in
// FILE are the same as those of chain. Measured times are ignored, and phase 3 may
// have been skipped.
func cmdSamePhases(ts *testscript.TestScript, neg bool, args []string) {
	var answer struct{ Phases map[string]any }
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &answer))
	for _, name := range []string{"0a", "0b", "merge", "1", "1.5", "2", "2.5", "3"} {
		got, ok := answer.Phases[name]
		if !ok {
			ts.Fatalf("ask --json has no phase %s", name)
		}
		if name == "3" && got == nil {
			continue
		}
		var want any
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(name+".json")), &want))
		if !reflect.DeepEqual(withoutTimes(got), withoutTimes(want)) {
			a, _ := json.MarshalIndent(got, "", " ")
			b, _ := json.MarshalIndent(want, "", " ")
			ts.Fatalf("phase %s differs:\nask:   %s\nchain: %s", name, a, b)
		}
	}
}

// withoutTimes removes the fields whose names end in _ms.
func withoutTimes(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			if !strings.HasSuffix(k, "_ms") {
				out[k] = withoutTimes(x)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = withoutTimes(x)
		}
		return out
	}
	return v
}

// cmdExplained is `explained FILE`. FILE is the output of `search --json --explain`.
// It requires that the parts of each heading add up to its score, and the parts of
// the reranker to the logit of its rerank_sim.
func cmdExplained(ts *testscript.TestScript, neg bool, args []string) {
	var out struct{ Results []contract.Result }
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &out))
	n, reranked := 0, 0
	for _, r := range out.Results {
		for _, h := range r.Headings {
			n++
			if h.Explain == nil {
				ts.Fatalf("%s %s is not explained", r.FilePath, h.Text)
			}
			if len(h.Explain.Parts) == 0 {
				ts.Fatalf("%s %s has a score of %v out of nothing", r.FilePath, h.Text, h.Score)
			}
			if sum := total(h.Explain.Parts); math.Abs(sum-h.Score) > 1e-6 || math.Abs(h.Explain.Score-h.Score) > 1e-6 {
				ts.Fatalf("%s %s: the parts add up to %v, the score is %v", r.FilePath, h.Text, sum, h.Score)
			}
			if h.RerankSim == nil || len(h.Explain.Rerank) == 0 {
				continue
			}
			reranked++
			if sim := 1 / (1 + math.Exp(-total(h.Explain.Rerank))); math.Abs(sim-*h.RerankSim) > 1e-6 {
				ts.Fatalf("%s %s: the features make %v, rerank_sim is %v", r.FilePath, h.Text, sim, *h.RerankSim)
			}
		}
	}
	if n == 0 || reranked == 0 {
		ts.Fatalf("%d headings, %d of them reranked: nothing was explained", n, reranked)
	}
}

func total(parts []contract.ExplainPart) float64 {
	sum := 0.0
	for _, p := range parts {
		sum += p.Value
	}
	return sum
}

// cmdEstimate is `estimate FILE N`. It requires that the text has at most N tokens
// by the documented estimate.
func cmdEstimate(ts *testscript.TestScript, neg bool, args []string) {
	limit, err := strconv.Atoi(args[1])
	ts.Check(err)
	if n := process.Tokens(ts.ReadFile(args[0])); n > limit || n == 0 {
		ts.Fatalf("%d tokens, at most %d were asked for", n, limit)
	}
}

// cmdManyPages is `manypages DIR N`. It writes N pages of one passage each.
func cmdManyPages(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o700))
	parts := []string{"lamp", "wick", "mantle", "shade", "burner", "tank", "chimney"}
	for i := range n {
		text := fmt.Sprintf("# The %s of harbour %d\n\nThe %s of harbour %d is kept beside the %s.\n", parts[i%len(parts)], i, parts[i%len(parts)], i, parts[(i+1)%len(parts)])
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[0]), fmt.Sprintf("p%03d.md", i)), []byte(text), 0o600))
	}
}

// cmdPages is `pages DIR QUERY [FLAGS...]`. It follows the cursors of a search to the
// last page of hits, and writes the pages to DIR/1.json, DIR/2.json and so on.
func cmdPages(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o700))
	cursor := ""
	for i := 1; ; i++ {
		if i > 100 {
			ts.Fatalf("the pages do not end")
		}
		o, err := processOf(ts).run(ts.MkAbs("."), append([]string{"search", "--json", "--cursor", cursor, args[1]}, args[2:]...))
		ts.Check(err)
		text := o.Out
		if o.Code != 0 {
			ts.Fatalf("exit code %d: %s", o.Code, o.Errors)
		}
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[0]), strconv.Itoa(i)+".json"), []byte(text), 0o600))
		var out struct {
			Next string `json:"next_cursor"`
		}
		ts.Check(json.Unmarshal([]byte(text), &out))
		if cursor = out.Next; cursor == "" {
			return
		}
	}
}

// cmdSameHits is `samehits FILE DIR N`. It requires that the pages in DIR together
// have the hits of the answer in FILE, and that there are at least N pages.
func cmdSameHits(ts *testscript.TestScript, neg bool, args []string) {
	read := func(file string) []any {
		var v struct{ Results []any }
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(file)), &v))
		return v.Results
	}
	var parts []any
	n := 0
	for {
		file := filepath.Join(args[1], strconv.Itoa(n+1)+".json")
		if _, err := os.Stat(ts.MkAbs(file)); err != nil {
			break
		}
		parts = append(parts, read(file)...)
		n++
	}
	if least, err := strconv.Atoi(args[2]); err != nil || n < least {
		ts.Fatalf("%d pages, want %s", n, args[2])
	}
	if whole := read(args[0]); !reflect.DeepEqual(whole, parts) {
		ts.Fatalf("%d hits in one answer, %d in parts:\n%v\n%v", len(whole), len(parts), whole, parts)
	}
}

// cmdBigQuestion is `bigquestion FILE`. It writes a question of 100 KB.
func cmdBigQuestion(ts *testscript.TestScript, neg bool, args []string) {
	text := "how do I trim the wick " + strings.Repeat("of this particular lantern in the evening ", 2500)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text[:100<<10]), 0o600))
}

// cmdAskFile is `askfile FILE CODE COMMAND ARGS...`. It is like exits, with the text
// of FILE as the last argument.
func cmdAskFile(ts *testscript.TestScript, neg bool, args []string) {
	cmdExits(ts, neg, append(slices.Clone(args[1:]), ts.ReadFile(args[0])))
}

// cmdReplace is `replace FILE OLD NEW`. It replaces the first OLD in FILE by NEW; \n
// in either is a newline.
func cmdReplace(ts *testscript.TestScript, neg bool, args []string) { replaceText(ts, args, 1) }

// cmdReplaceAll is `replaceall PATTERN OLD NEW`. It replaces every OLD in every matching file.
func cmdReplaceAll(ts *testscript.TestScript, neg bool, args []string) { replaceText(ts, args, -1) }

func replaceText(ts *testscript.TestScript, args []string, most int) {
	if len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	from, to := strings.ReplaceAll(args[1], `\n`, "\n"), strings.ReplaceAll(args[2], `\n`, "\n")
	for _, f := range matches(ts, args[0]) {
		text, err := os.ReadFile(f)
		ts.Check(err)
		if !strings.Contains(string(text), from) {
			ts.Fatalf("%s does not have %q", f, from)
		}
		ts.Check(os.WriteFile(f, []byte(strings.Replace(string(text), from, to, most)), 0o600))
	}
}

// cmdUnescape is `unescape FILE`. It replaces Go's escapes (\x1b, \xff) in FILE by
// the bytes, which a script cannot contain.
func cmdUnescape(ts *testscript.TestScript, neg bool, args []string) {
	var lines []string
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(strings.TrimSuffix(line, "\n"), `"`, `\"`) + `"`)
		ts.Check(err)
		lines = append(lines, text)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
}

// cmdLongPage is `longpage FILE LINES`. It writes a page with that many lines. Each
// section has a paragraph, a list and a code block. One section in the middle is
// about calibrating the foghorn.
func cmdLongPage(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	lines := []string{"# The long manual of the lighthouse", "", "All there is to know about one lighthouse."}
	for i := 1; len(lines) < n; i++ {
		about := fmt.Sprintf("the lamp of room %d", i)
		if i == n/28 {
			about = "the foghorn calibration"
		}
		lines = append(lines, "", fmt.Sprintf("## Part %d: %s", i, about), "",
			fmt.Sprintf("This part tells of %s and what the keeper does there.", about), "",
			"- look at it in the morning", "- look at it in the evening", "",
			"```sh", fmt.Sprintf("keeper inspect --room %d", i), "```", "",
			fmt.Sprintf("Write down what was seen of %s.", about))
	}
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(args[0])), 0o700))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(lines[:n], "\n")+"\n"), 0o600))
}

// cmdTruncate is `truncate PATTERN`. It cuts every matching file to half its size.
func cmdTruncate(ts *testscript.TestScript, neg bool, args []string) {
	for _, f := range matches(ts, args[0]) {
		st, err := os.Stat(f)
		ts.Check(err)
		ts.Check(os.Truncate(f, st.Size()/2))
	}
}

// cmdGrow is `grow PATTERN`. It makes every matching file larger than a page may be.
func cmdGrow(ts *testscript.TestScript, neg bool, args []string) {
	for _, f := range matches(ts, args[0]) {
		ts.Check(os.Truncate(f, parse.MaxFile+1<<20))
	}
}

// cmdFlip is `flip PATTERN`. It changes a byte in the middle of every matching file.
func cmdFlip(ts *testscript.TestScript, neg bool, args []string) {
	for _, f := range matches(ts, args[0]) {
		raw, err := os.ReadFile(f)
		ts.Check(err)
		raw[len(raw)/2] ^= 0xff
		// It writes a new file, because segments may be hard-linked.
		ts.Check(os.Remove(f))
		ts.Check(os.WriteFile(f, raw, 0o600))
	}
}

// cmdOverwrite is `overwrite PATTERN FILE`. It replaces every matching file by a copy
// of FILE, which may be a pattern too.
func cmdOverwrite(ts *testscript.TestScript, neg bool, args []string) {
	raw, err := os.ReadFile(matches(ts, args[1])[0])
	ts.Check(err)
	for _, f := range matches(ts, args[0]) {
		ts.Check(os.WriteFile(f, raw, 0o600))
	}
}

// matches returns the files that match a pattern; there must be one.
func matches(ts *testscript.TestScript, pattern string) []string {
	files, err := filepath.Glob(ts.MkAbs(pattern))
	ts.Check(err)
	if len(files) == 0 {
		ts.Fatalf("no file is %s", pattern)
	}
	return files
}

// cmdFindText is `[!] findtext FILE TEXT`. It requires that FILE contains TEXT
// literally.
func cmdFindText(ts *testscript.TestScript, neg bool, args []string) {
	if strings.Contains(ts.ReadFile(args[0]), args[1]) == neg {
		ts.Fatalf("%q in %s: %v", args[1], args[0], !neg)
	}
}

// cmdFindControl is `[!] findcontrol FILE`. It requires that FILE contains a control
// character.
func cmdFindControl(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile(args[0])
	found := slices.ContainsFunc([]rune(text), func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || r >= 0x202a && r <= 0x202e
	})
	if found == neg {
		ts.Fatalf("control characters in %q: %v", text, found)
	}
}

// cmdHold is `hold` or `hold release`. hold acquires the home's write lock, like
// another writing process, until the script ends. hold release releases it.
func cmdHold(ts *testscript.TestScript, neg bool, args []string) {
	held, _ := ts.Value(lockKey{}).(*heldLock)
	if len(args) == 1 && args[0] == "release" {
		ts.Check(held.lock.Release())
		held.lock = nil
		return
	}
	l, err := lock.Acquire(context.Background(), filepath.Join(ts.Getenv("DOCENT_HOME"), "lock"), "update", 0, nil)
	ts.Check(err)
	held.lock = l
	ts.Defer(func() {
		if held.lock != nil {
			_ = held.lock.Release()
		}
	})
}

type lockKey struct{}

type heldLock struct{ lock *lock.Lock }
