package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"docent": main})
}

// TestScripts runs the whole program by the scripts in testdata/script, each in
// a folder and a home of its own.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("DOCENT_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("NO_COLOR", "")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			// chain runs a question through `docent phase` by pipes and leaves
			// each phase's output in NAME.json.
			"chain": cmdChain,
			// samephases compares those with the phases of ask --json.
			"samephases": cmdSamePhases,
			"replace":    cmdReplace,
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}
