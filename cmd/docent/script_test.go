package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
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
		folder, err := os.MkdirTemp("", "docent-homes-")
		if err != nil {
			panic(err)
		}
		madeOnce.folder = folder
	}
	testscript.Main(inFolder{m, madeOnce.folder}, programs())
}

// unusedAddress is an address without a server: the port of the discard service.
const unusedAddress = "127.0.0.1:9"

// emptyHomes are the scripts whose home does not exist when they begin. They check what the first
// start makes and says, or name index files by the numbers that doc sets get in a new home.
var emptyHomes = []string{"damage", "graph", "home", "param", "start"}

// TestScripts runs the scripts in testdata/script, each with its own folder and home. Homes are
// copies of one that has the manual: indexing it in each script took a third of the processor's
// time of all of them.
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
	all, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err := errors.Join(err, checkScripts(all)); err != nil {
		t.Fatal(err)
	}
	prepared := preparedHome(t)
	testscript.Run(t, testscript.Params{
		Dir: dir, Files: files,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("DOCENT_HOME", home)
			if !slices.Contains(emptyHomes, strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")) {
				if err := copyFolder(home, prepared); err != nil {
					return err
				}
			}
			env.Setenv("NO_COLOR", "")
			env.Setenv("OLLAMA_HOST", unusedAddress)
			env.Values[lockKey{}] = &heldLock{}
			process := &commandProcess{env: slices.Clone(env.Vars)}
			env.Values[processKey{}] = process
			env.Defer(process.stop)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":       cmdExits,
			"input":       cmdInput,
			"set":         cmdSet,
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
			"homes":       cmdHomes,
		},
		RequireUniqueNames: true,
		UpdateScripts:      os.Getenv("UPDATE_SCRIPTS") != "",
	})
}
