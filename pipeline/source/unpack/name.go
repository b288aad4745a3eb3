package unpack

import (
	"errors"
	"path"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of names, as most file systems have them.
const (
	mostPart  = 255  // bytes of one part of a path
	mostPath  = 1024 // bytes of a path
	mostParts = 64
)

// CleanName gives the path below a folder that a name of an archive stands for, with
// slashes. The error says why it may not be written.
func CleanName(name string) (string, error) {
	switch {
	case !utf8.ValidString(name):
		return "", errors.New("its name is no UTF-8")
	case strings.ContainsFunc(name, unicode.IsControl):
		return "", errors.New("its name has control characters")
	case len(name) > mostPath:
		return "", errors.New("its name is too long")
	}
	name = strings.ReplaceAll(name, `\`, "/")
	if strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':' {
		return "", errors.New("its path is absolute")
	}
	parts := strings.Split(strings.TrimSuffix(name, "/"), "/")
	if len(parts) > mostParts {
		return "", errors.New("its folders are nested too deeply")
	}
	for _, part := range parts {
		switch {
		case part == "..":
			return "", errors.New("its path leaves the folder")
		case len(part) > mostPart:
			return "", errors.New("its name is too long")
		case runtime.GOOS == "windows" && strings.ContainsAny(part, `:*?"<>|`):
			return "", errors.New("its name can be no file's on this system")
		}
	}
	return strings.TrimPrefix(path.Clean(name), "./"), nil
}
