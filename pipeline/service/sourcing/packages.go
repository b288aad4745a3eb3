package sourcing

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/source"
	"docent/pipeline/source/bundle"
	"docent/pipeline/source/packed"
)

// parse is source.Parse, for archives, packages and bundles on the disk too.
func parse(text string) (source.Want, bool) {
	st, err := os.Stat(text)
	if err != nil {
		return source.Parse(text)
	}
	file, err := filepath.Abs(text)
	if err == nil && st.IsDir() {
		return source.Want{Kind: source.KindBundle, Address: file}, bundle.IsBundle(file)
	}
	if err != nil || !st.Mode().IsRegular() {
		return source.Want{}, false
	}
	if isPackage(text) {
		return source.Want{Kind: source.KindPacked, Address: file}, true
	}
	return source.Want{Kind: source.KindArchive, Address: file}, source.IsArchive(text)
}

// isPackage reports whether a file is a package by its name.
func isPackage(name string) bool { return strings.HasSuffix(strings.ToLower(name), packed.Ending) }

// Expand gives for each folder that holds packages and nothing else the packages in it; other
// texts stay.
func Expand(texts []string) []string {
	var out []string
	for _, t := range texts {
		if found := packagesIn(t); len(found) > 0 {
			out = append(out, found...)
		} else {
			out = append(out, t)
		}
	}
	return out
}

// packagesIn lists the packages in a folder, nil where it holds anything else besides their
// signatures.
func packagesIn(dir string) []string {
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		switch {
		case !e.Type().IsRegular():
			return nil
		case isPackage(e.Name()):
			out = append(out, filepath.Join(dir, e.Name()))
		case !strings.HasSuffix(e.Name(), packed.SignatureEnding):
			return nil
		}
	}
	return out
}

// addOthers adds the doc sets of a package behind the first.
func (svc *Service) addOthers(ctx context.Context, req AddRequest, first Added, w home.Watch, strict bool) (Added, error) {
	others := first.Others
	first.Others = nil
	if len(others) > 0 && (req.Name != "" || req.Version != "" || req.URLBase != "") {
		return first, contract.Invalid("name", "a name, version or url_base is for one doc set, and the package has %d; the first was added",
			len(others)+1)
	}
	for _, ref := range others {
		req.Path = ref
		one, err := svc.add(ctx, req, w, strict)
		if err != nil {
			return first, err
		}
		first.Sets = append(first.Sets, one.Sets...)
		first.Vectors = append(first.Vectors, one.Vectors...)
		first.Failed = append(first.Failed, one.Failed...)
	}
	return first, nil
}
