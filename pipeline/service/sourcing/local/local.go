// Package local reads what a person names as a source where it lies on this machine: an
// archive, a package, a bundle, a folder of packages.
//
// It refuses to open them, which the fetchers do.
package local

import (
	"os"
	"path/filepath"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/bundle"
	"docent/pipeline/source/mirror"
	"docent/pipeline/source/packed"
)

// Parse is source.Parse, for archives, packages and bundles on the disk too.
func Parse(text string) (source.Want, bool) {
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
		if found := PackagesIn(t); len(found) > 0 {
			out = append(out, found...)
		} else {
			out = append(out, t)
		}
	}
	return out
}

// PackagesIn lists the packages in a folder, nil where it holds anything else besides their
// signatures and their list.
func PackagesIn(dir string) []string {
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
		case e.Name() != mirror.ListFile && !strings.HasSuffix(e.Name(), packed.SignatureEnding):
			return nil
		}
	}
	return out
}

// SignerTexts are public keys of minisign, of keys that are given as texts or as files.
func SignerTexts(keys []string) ([]string, error) { return packed.KeyTexts(keys) }
