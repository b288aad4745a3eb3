// Package licenses tells what the program's binary is made of and under which
// licences: its own code, the data in it, Go's runtime, every linked module.
//
// Terms. The notice is the list in NOTICE, one line for each part. The texts are the
// licences themselves, each with the parts that it is for. Both are made by
// cmd/internal/dev/licenses from the modules that are linked (make licenses); CI fails
// where they are out of date.
//
// It refuses to judge whether licences go together.
package licenses

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"strings"
)

//go:embed notice.txt
var notice string

// The texts are compressed: most are many times the same words.
//
//go:embed texts.gz
var texts []byte

// Notice is the list of parts with their licences.
func Notice() string { return notice }

// LicenceTexts is the licences' texts, each under the names of its parts.
func LicenceTexts() (string, error) {
	z, err := gzip.NewReader(bytes.NewReader(texts))
	if err != nil {
		return "", fmt.Errorf("read the licences in the binary: %w", err)
	}
	var b strings.Builder
	if _, err := io.Copy(&b, z); err != nil {
		return "", fmt.Errorf("read the licences in the binary: %w", err)
	}
	return b.String(), z.Close()
}

// Part is one part of the binary.
type Part struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"` // "program", "data", "module"
	License string `json:"license"`
	About   string `json:"about,omitempty"`
}

// The headings of the notice, and the kinds of the parts below them.
const (
	HeadProgram = "PROGRAM"
	HeadData    = "DATA"
	HeadModules = "MODULES"
)

// ListParts reads the notice.
func ListParts() []Part {
	kinds := map[string]string{HeadProgram: "program", HeadData: "data", HeadModules: "module"}
	var out []Part
	kind := ""
	for line := range strings.Lines(notice) {
		line = strings.TrimRight(line, "\n")
		if k, ok := kinds[line]; ok {
			kind = k
			continue
		}
		// A part is indented by two, its description by more.
		if kind == "" || !strings.HasPrefix(line, "  ") {
			continue
		}
		if about, ok := strings.CutPrefix(line, "      "); ok && len(out) > 0 {
			p := &out[len(out)-1]
			p.About = strings.TrimSpace(p.About + " " + about)
			continue
		}
		name, license, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if ok {
			out = append(out, Part{Name: name, Kind: kind, License: strings.TrimSpace(license)})
		}
	}
	return out
}
