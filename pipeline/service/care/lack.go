package care

import (
	"context"
	"fmt"

	"docent/pipeline/service/care/finding"
	"docent/pipeline/text/plural"
	"docent/store/doc"
)

// Lack is a program that is not installed and that reads a format.
type Lack struct {
	Format  doc.Format
	Program string
	For     string // "PDF is read by it"
	Mend    string // for a person
}

// Lacking is a missing program that doc sets have files for.
type Lacking struct {
	Program string `json:"program"`
	For     string `json:"for"`
	Files   int    `json:"files"` // of its format, in all doc sets
	Mend    string `json:"mend"`
}

// Lacking lists the missing programs that doc sets have files for.
func (svc *Service) Lacking(ctx context.Context) ([]Lacking, error) {
	if len(svc.lacks) == 0 {
		return nil, nil
	}
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return nil, err
	}
	files := map[doc.Format]int{}
	for _, s := range sets {
		known, err := svc.home.Corpus.Catalog.Files(ctx, s.ID)
		if err != nil {
			return nil, err
		}
		for _, f := range known {
			files[f.Format]++
		}
		failed, err := svc.home.Catalog.Failures(ctx, s.ID)
		if err != nil {
			return nil, err
		}
		for _, f := range failed {
			files[f.Format]++
		}
	}
	var out []Lacking
	for _, l := range svc.lacks {
		if n := files[l.Format]; n > 0 {
			out = append(out, Lacking{Program: l.Program, For: l.For, Files: n, Mend: l.Mend})
		}
	}
	return out, nil
}

// examinePrograms looks for programs that doc sets have files for; nothing is found where
// none is missing.
func (svc *Service) examinePrograms(ctx context.Context) ([]finding.Finding, error) {
	lacking, err := svc.Lacking(ctx)
	var out []finding.Finding
	for _, l := range lacking {
		f := finding.NoFault(finding.Program, l.Program, "")
		out = append(out, f.Failed(fmt.Errorf("%s is not installed: %s, and the doc sets have %s of that format", l.Program, l.For,
			plural.Count(l.Files, "file", "files")), l.Mend, nil))
	}
	return out, err
}
