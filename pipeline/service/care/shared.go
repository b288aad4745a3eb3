package care

import (
	"context"
	"fmt"
	"slices"

	"docent/pipeline/service/care/finding"
	"docent/pipeline/text/plural"
)

// examineShared looks for documents of a home that several machines use whose content is missing, and
// with deep for those whose content is damaged; nil where there are none.
func (svc *Service) examineShared(ctx context.Context, deep bool) *finding.Finding {
	found, err := svc.home.Shared.Check(ctx, deep)
	if err == nil && found.Files+found.Unused == 0 {
		return nil
	}
	f := finding.NoFault(finding.Shared, "", plural.Count(found.Files, "file", "files")+", each with its content")
	switch faults := slices.Concat(found.Missing, found.Damaged); {
	case err != nil:
		f = f.Failed(err, "", nil)
	case len(faults) > 0:
		f = f.Repairable(finding.RepairShared, fmt.Errorf("%s no whole content: %d missing, %d damaged, the first is %s",
			plural.Count(len(faults), "file has", "files have"), len(found.Missing), len(found.Damaged), faults[0]), "")
	case found.Unused > 0:
		f.Text += fmt.Sprintf("; %s to be removed",
			plural.Count(found.Unused, "content that no file has is", "contents that no file has are"))
	}
	return &f
}

// compareShared adds what reading every content finds.
func (svc *Service) compareShared(ctx context.Context, e Examination) (Examination, error) {
	f := svc.examineShared(ctx, true)
	if ctx.Err() != nil {
		return e, ctx.Err()
	}
	if f == nil {
		return e, nil
	}
	// Missing contents were found before.
	e.Findings = slices.DeleteFunc(e.Findings, func(known finding.Finding) bool {
		if known.Kind == finding.Shared && !known.OK {
			e.Faults--
		}
		return known.Kind == finding.Shared
	})
	if !f.OK {
		e.Faults++
	}
	e.Findings = append(e.Findings, *f)
	return e, nil
}

// keepShared keeps contents again from the files of this machine.
func (svc *Service) keepShared(ctx context.Context) error {
	left, err := svc.home.Shared.Rescue(ctx)
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("this machine does not have %s, such as %s: repair on a machine that has read it, hand it in again, or add the "+
			"source again", plural.Count(len(left), "file", "files"), left[0])
	}
	return err
}
