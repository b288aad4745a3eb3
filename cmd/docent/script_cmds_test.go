package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdChain: chain QUESTION [FLAGS of every phase...]
func cmdChain(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: chain QUESTION")
	}
	phase := func(name, in string) string {
		cmd := exec.Command("docent", "phase", name)
		cmd.Stdin = strings.NewReader(in)
		cmd.Dir = ts.Getenv("WORK")
		cmd.Env = append(os.Environ(), "DOCENT_HOME="+ts.Getenv("DOCENT_HOME"))
		var errText strings.Builder
		cmd.Stderr = &errText
		out, err := cmd.Output()
		if err != nil {
			ts.Fatalf("docent phase %s: %v\n%s%s", name, err, out, errText.String())
		}
		ts.Check(os.WriteFile(ts.MkAbs(name+".json"), out, 0o600))
		return string(out)
	}
	q, err := json.Marshal(map[string]string{"query": args[0]})
	ts.Check(err)
	a, b := phase("0a", string(q)), phase("0b", string(q))
	merged := phase("merge", fmt.Sprintf(`[{"phase":"0a","output":%s},{"phase":"0b","output":%s}]`, a, b))
	phase("3", phase("2.5", phase("2", phase("1.5", phase("1", merged)))))
}

// cmdSamePhases: samephases FILE: the phases of `ask --json` in FILE are those
// that chain left, but for measurements and a skipped phase 3.
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

// withoutTimes drops the fields whose names end in _ms.
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

// cmdReplace: replace FILE OLD NEW: the first OLD of FILE becomes NEW.
func cmdReplace(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not have %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o600))
}
