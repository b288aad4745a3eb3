package domain

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"docent/pipeline/contract"
	"docent/pipeline/text/cause"
	"docent/pipeline/text/spelling"
	"docent/store/doc"
)

// FileName is the name of a doc set's own configuration, at its root.
const FileName = "docent.toml"

// maxFile bounds a doc set's own configuration, in bytes.
const maxFile = 256 << 10

// Fault is something wrong with a docent.toml.
type Fault struct {
	Key     string // "" where the file is no TOML
	Line    int    // from 1; 0: not known
	Message string
}

func (f Fault) String() string {
	text := FileName
	if f.Line > 0 {
		text += fmt.Sprintf(":%d", f.Line)
	}
	if f.Key != "" {
		text += ": " + f.Key
	}
	return text + ": " + f.Message
}

// LoadRepository reads the docent.toml at the root of a doc set; a missing one is empty. Faulty
// values are left out of the result. A file that cannot be read is a fault and not an
// error: the other files of the doc set are still useful.
func LoadRepository(root string) (Repository, []Fault) {
	raw, err := readFile(filepath.Join(root, FileName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Repository{}, nil
	case err != nil:
		return Repository{}, []Fault{{Message: err.Error()}}
	}
	return ParseRepository(raw)
}

// readFile reads a regular file that is not too large.
func readFile(file string) ([]byte, error) {
	st, err := os.Lstat(file)
	switch {
	case err != nil:
		return nil, cause.WithoutPath(err)
	case !st.Mode().IsRegular():
		return nil, errors.New("it is no regular file and is not read")
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, cause.WithoutPath(err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(raw) > maxFile {
		err = fmt.Errorf("it has more than the %d KB that it may have", maxFile>>10)
	}
	return raw, cause.WithoutPath(err)
}

// ParseRepository reads a doc set's own docent.toml, which holds [repository] alone.
func ParseRepository(raw []byte) (Repository, []Fault) {
	if err := CheckBounds(raw); err != nil {
		return Repository{}, []Fault{{Message: err.Error()}}
	}
	var tree map[string]any
	if _, err := toml.Decode(string(raw), &tree); err != nil {
		f := Fault{Message: err.Error()}
		if pe, ok := errors.AsType[toml.ParseError](err); ok {
			f.Line, f.Message = pe.Position.Line, pe.Message
		}
		return Repository{}, []Fault{f}
	}
	out, faults := ReadRepository(tree["repository"])
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		if key != "repository" {
			faults = append(faults, Fault{Key: key,
				Message: "a doc set's own " + FileName + " holds [repository] alone; put it into the home's"})
		}
	}
	for i := range faults {
		faults[i].Line = LineOfKey(raw, faults[i].Key)
	}
	return out, faults
}

// ReadRepository reads the value of repository in a docent.toml; nil is none.
func ReadRepository(value any) (Repository, []Fault) {
	const in = "repository"
	var out Repository
	if value == nil {
		return out, nil
	}
	table, ok := value.(map[string]any)
	if !ok {
		return out, []Fault{{Key: in, Message: "it must be a table: [repository]"}}
	}
	var faults []Fault
	fault := func(key, format string, args ...any) {
		faults = append(faults, Fault{Key: in + "." + key, Message: fmt.Sprintf(format, args...)})
	}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		switch value := table[key]; key {
		case "domain":
			out.Domain = oneOfNames(value, contract.Domains(), func(why string) { fault(key, "%s", why) })
		case "default_domain":
			out.Default = oneOfNames(value, contract.FileDomains(), func(why string) { fault(key, "%s", why) })
		case "url_base":
			// See ingest.Site: it may stand in the folders above too.
			if base, ok := value.(string); !ok {
				fault(key, "it must be a text in quotes")
			} else if err := doc.CheckURLBase(base); err != nil {
				fault(key, "%v", err)
			}
		case "path_overrides":
			out.Overrides = overrides(value, func(pattern, why string) {
				if pattern == "" {
					fault(key, "%s", why)
				} else {
					fault(fmt.Sprintf("%s.%q", key, pattern), "%s", why)
				}
			})
		default:
			why := "unknown key; it can be domain, default_domain, path_overrides and url_base"
			if len(faults) > mostNear {
				fault(key, "%s", why)
				continue
			}
			if near := spelling.Nearest(key, []string{"domain", "default_domain", "path_overrides", "url_base"}); len(near) > 0 {
				why += "; did you mean " + strings.Join(near, " or ") + "?"
			}
			fault(key, "%s", why)
		}
	}
	return out, faults
}

// mostNear is how many faults get the names that are like a wrong one.
const mostNear = 10

// oneOfNames reads one of several names; "" after a fault.
func oneOfNames(value any, names []string, fault func(string)) string {
	name, ok := value.(string)
	switch {
	case !ok:
		fault("it must be a text in quotes")
	case !slices.Contains(names, name):
		fault(fmt.Sprintf("%q is none of %s", name, strings.Join(names, ", ")))
	default:
		return name
	}
	return ""
}

// overrides reads [repository.path_overrides].
func overrides(value any, fault func(pattern, why string)) map[string]string {
	table, ok := value.(map[string]any)
	if !ok {
		fault("", "it must be a table of domains by path, such as \"DOCS/**\" = \"tech_docs\"")
		return nil
	}
	out := map[string]string{}
	for _, pattern := range slices.Sorted(maps.Keys(table)) {
		if err := checkGlob(pattern); err != nil {
			fault(pattern, err.Error())
			continue
		}
		if d := oneOfNames(table[pattern], contract.FileDomains(), func(why string) { fault(pattern, why) }); d != "" {
			out[pattern] = d
		}
	}
	return out
}
