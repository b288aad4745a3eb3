package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	// Tests must not use a model server of the developer. Programs that the tests start
	// run this function too; they keep the server that the test sets.
	if _, started := programs()[strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")]; !started {
		if err := os.Setenv("OLLAMA_HOST", unusedAddress); err != nil {
			panic(err)
		}
	}
	testscript.Main(m, programs())
}

// unusedAddress is an address without a server: the port of the discard service.
const unusedAddress = "127.0.0.1:9"

// TestScripts runs the scripts in testdata/script, each with its own folder and home.
func TestScripts(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("testdata", "script")
	var files []string
	if testing.Short() { // with the race detector: what writes, and one of each kind of question
		dir = ""
		for _, name := range []string{"add", "ask", "config", "diagnostics", "domains", "home", "jobs", "manners", "models", "search", "sessions", "settle", "start", "update"} {
			files = append(files, filepath.Join("testdata", "script", name+".txtar"))
		}
	}
	testscript.Run(t, testscript.Params{
		Dir: dir, Files: files,
		Setup: func(env *testscript.Env) error {
			env.Setenv("DOCENT_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("NO_COLOR", "")
			env.Setenv("OLLAMA_HOST", unusedAddress)
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
			"manypages":   cmdManyPages,
			"samehits":    cmdSameHits,
			"bigquestion": cmdBigQuestion,
			"askfile":     cmdAskFile,
			"replace":     cmdReplace,
			"replaceall":  cmdReplaceAll,
			"unescape":    cmdUnescape,
			"longpage":    cmdLongPage,
			"truncate":    cmdTruncate,
			"grow":        cmdGrow,
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
