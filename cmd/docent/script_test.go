package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	// Whoever tests may have a model server running: no test asks it. The programs
	// that tests start come this way too, with the server that they are given.
	if _, started := programs()[strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")]; !started {
		if err := os.Setenv("OLLAMA_HOST", nobody); err != nil {
			panic(err)
		}
	}
	testscript.Main(m, programs())
}

// nobody is an address at which nobody listens: that of discard.
const nobody = "127.0.0.1:9"

// TestScripts runs the whole program by the scripts in testdata/script, each in
// a folder and a home of its own.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("DOCENT_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("NO_COLOR", "")
			env.Setenv("OLLAMA_HOST", nobody)
			env.Values[lockKey{}] = &heldLock{}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":       cmdExits,
			"json":        cmdJSON,
			"same":        cmdSame,
			"chain":       cmdChain,
			"samephases":  cmdSamePhases,
			"explained":   cmdExplained,
			"estimate":    cmdEstimate,
			"pages":       cmdPages,
			"samehits":    cmdSameHits,
			"bigquestion": cmdBigQuestion,
			"askfile":     cmdAskFile,
			"replace":     cmdReplace,
			"unescape":    cmdUnescape,
			"longpage":    cmdLongPage,
			"truncate":    cmdTruncate,
			"flip":        cmdFlip,
			"overwrite":   cmdOverwrite,
			"findtext":    cmdFindText,
			"findcontrol": cmdFindControl,
			"hold":        cmdHold,
		},
		RequireUniqueNames: true,
		UpdateScripts:      os.Getenv("UPDATE_SCRIPTS") != "",
	})
}
