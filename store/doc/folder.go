package doc

import (
	"path"
	"slices"
	"strings"
)

// genericNames are the names of folders and repositories that say what is in them, and not what
// it is about.
var genericNames = []string{
	"_build", "book", "build", "content", "contents", "dist", "doc", "docs", "documentation", "en", "en-us", "en_us", "html",
	"man", "markdown", "md", "output", "public", "share", "site", "source", "sources", "src", "web", "website", "www",
}

// IsGenericName reports whether the name of a folder or a repository says nothing of its subject.
func IsGenericName(name string) bool { return slices.Contains(genericNames, strings.ToLower(name)) }

// homesOfPeople are the folders that hold the folders of people.
var homesOfPeople = []string{"/home", "/Users", "/export/home"}

// RefOfFolder is what the doc set in a folder is called: as the folder, or, where its name is
// generic, as the nearest folder above whose name is not. A folder that is called by a version
// alone on the way is the version. A folder at the top of the disk, or a person's own, names
// nothing. The path is absolute, with slashes.
func RefOfFolder(folder string) Ref {
	own := Ref{path.Base(folder), DefaultVersion}
	out := own
	at := folder
	for ; IsGenericName(out.Name) || isVersionAlone(out.Name); out.Name = path.Base(at) {
		if isVersionAlone(out.Name) {
			out.Version = strings.TrimPrefix(out.Name, "v")
		}
		at = path.Dir(at)
		above := path.Dir(at)
		if drive := strings.IndexByte(above, ':'); drive == 1 {
			above = "/" + strings.TrimPrefix(above[2:], "/")
		}
		if above == "/" || above == "." || slices.Contains(homesOfPeople, above) {
			return own
		}
	}
	return out
}

// isVersionAlone reports whether a name is a version: 1.31, v2. 007 is none.
func isVersionAlone(name string) bool {
	number := strings.TrimPrefix(name, "v")
	return number != "" && strings.Trim(number, "0123456789.") == "" && number[0] != '.' && number[0] != '0'
}
