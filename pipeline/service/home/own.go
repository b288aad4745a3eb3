package home

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"docent/pipeline/question/synonym"
)

// What a home keeps is its owner's alone: which pages somebody read, and what they say.
// Earlier versions, copies and other umasks left files that others can read.

// ownNames begin the names of a home's own files next to its stores. Other files in its
// folder are a person's, and so are docent.toml and the lists of synonyms.
var ownNames = []string{"sets.json", "index", "sessions", "questions.txt", "places.", "app.json", "manual", "blobs",
	"uploads", SourcesFolder, "workers", "tmp", "password", "tokens", ConsentName, MovingName, MachineName, StatesFolder}

// ownFolder makes the home's files private if other users may read some of them. It
// checks the first level: the content of a closed folder is out of reach, so it descends
// only into open folders. Failures are ignored: the home may be another user's, or on a
// disk without permissions.
func (h *Home) ownFolder() {
	if runtime.GOOS == "windows" {
		return // its permissions are those of the person's own folder
	}
	entries, err := os.ReadDir(h.Dir)
	if err != nil {
		return
	}
	foreign := false
	for _, e := range entries {
		if !h.isOwnName(e.Name()) {
			foreign = foreign || e.Name() != "docent.toml" && e.Name() != synonym.Folder
			continue
		}
		if info, err := e.Info(); err == nil && isOpenToOthers(info) {
			_ = OwnAlone(filepath.Join(h.Dir, e.Name()))
		}
	}
	if info, err := os.Stat(h.Dir); err == nil && isOpenToOthers(info) && !foreign && len(entries) > 0 {
		_ = os.Chmod(h.Dir, FolderMode)
	}
}

func (h *Home) isOwnName(name string) bool {
	begins := func(n string) bool { return strings.HasPrefix(name, n) }
	_, ofFeature := setFolders[name]
	return ofFeature || slices.ContainsFunc(ownNames, begins) || slices.ContainsFunc(h.Stores.FileNames(), begins)
}

// ListOwn lists the home's own files.
func (h *Home) ListOwn() (names []string, err error) {
	entries, err := os.ReadDir(h.Dir)
	for _, e := range entries {
		if h.isOwnName(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// isOpenToOthers reports whether others than its owner may do anything with a file or folder. Links
// and pipes are not changed.
func isOpenToOthers(info fs.FileInfo) bool {
	return (info.IsDir() || info.Mode().IsRegular()) && info.Mode().Perm()&0o077 != 0
}

// WritableByOthers reports whether others than its owner may put files into a folder. A folder
// that holds files of a person keeps its permissions, see ownFolder.
func WritableByOthers(dir string) bool {
	if runtime.GOOS == "windows" {
		return false
	}
	info, err := os.Stat(dir)
	return err == nil && info.Mode().Perm()&0o022 != 0
}

// The permissions of the files and folders in a home.
const (
	FolderMode = 0o700
	fileMode   = 0o600
)

// OwnAlone gives a file or folder of the home to its owner alone, with all that is in it.
func OwnAlone(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.Chmod(path, FolderMode)
		case d.Type().IsRegular():
			return os.Chmod(path, fileMode)
		}
		return nil
	})
}

// MachineName is the file with the identity of this machine's home folder, where several machines
// share a catalog. StatesFolder has, for each folder of documents, the state up to which it was
// brought here.
const (
	MachineName  = "machine.id"
	StatesFolder = "states"
)

// MovingName is the file that says where the stores of the home are being moved to.
const MovingName = "moving.json"

// ConsentName is the file in which the answers are kept.
const ConsentName = "servers.json"
