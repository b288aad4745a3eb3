package main

import (
	"strings"
	"testing"
)

const passing = `{"Action":"start","Package":"docent/a"}
{"Action":"run","Package":"docent/a","Test":"TestOne"}
{"Action":"output","Package":"docent/a","Test":"TestOne","Output":"=== RUN   TestOne\n"}
{"Action":"output","Package":"docent/a","Test":"TestOne","Output":"    a_test.go:3: quiet\n"}
{"Action":"pass","Package":"docent/a","Test":"TestOne","Elapsed":1.5}
{"Action":"run","Package":"docent/a","Test":"TestTwo"}
{"Action":"pass","Package":"docent/a","Test":"TestTwo","Elapsed":3}
{"Action":"skip","Package":"docent/a","Test":"TestThree","Elapsed":9}
{"Action":"output","Package":"docent/a","Output":"PASS\n"}
{"Action":"output","Package":"docent/a","Output":"ok  \tdocent/a\t4.500s\n"}
{"Action":"pass","Package":"docent/a","Elapsed":4.5}
`

func TestRun(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, in, want string
		failed, bad    bool
	}{
		{"passing", passing, "ok  \tdocent/a\t4.500s\n\nthe slowest 2 of 2 tests:\n     3.0s  a TestTwo\n     1.5s  a TestOne\n", false, false},
		{"failing", `{"Action":"output","Package":"docent/a","Test":"TestOne","Output":"    a_test.go:3: broken\n"}
{"Action":"fail","Package":"docent/a","Test":"TestOne","Elapsed":0.1}
{"Action":"output","Package":"docent/a","Output":"FAIL\tdocent/a\t0.1s\n"}
{"Action":"fail","Package":"docent/a","Elapsed":0.1}
`, "    a_test.go:3: broken\nFAIL\tdocent/a\t0.1s\n\nthe slowest 1 of 1 tests:\n     0.1s  a TestOne\n", true, false},
		{"a panic", `{"Action":"output","Package":"docent/a","Test":"TestOne","Output":"panic: lost\n"}
{"Action":"fail","Package":"docent/a","Elapsed":0.1}
`, "panic: lost\n", true, false},
		{"no build", `{"ImportPath":"docent/a","Action":"build-output","Output":"a.go:1: undefined: b\n"}
{"ImportPath":"docent/a","Action":"build-fail"}
`, "a.go:1: undefined: b\n", true, false},
		{"words of go itself", "go: downloading x\n", "go: downloading x\n", false, false},
		{"no events", "{broken\n", "", false, true},
	} {
		var out strings.Builder
		failed, err := run(strings.NewReader(tt.in), &out, 10)
		if failed != tt.failed || (err != nil) != tt.bad || out.String() != tt.want {
			t.Errorf("%s: failed %v, %v, printed\n%q, want\n%q", tt.name, failed, err, out.String(), tt.want)
		}
	}
}
