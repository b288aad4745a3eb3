package care

import (
	"context"
	"errors"
	"fmt"

	"docent/pipeline/contract"
	"docent/pipeline/service/care/finding"
	"docent/pipeline/service/home"
	"docent/pipeline/service/inbox"
	"docent/pipeline/text/plural"
	"docent/store"
)

// examineUploads compares the records of the files that were handed in with their checksums
// and with the catalog, and the home's copies with the content that was handed in.
func (svc *Service) examineUploads(ctx context.Context) ([]finding.Finding, error) {
	rows, err := svc.handedIn(ctx)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	if err := svc.home.Shared.FillUploads(ctx); err != nil {
		return nil, err
	}
	folder := svc.home.UploadFolder()
	records, copies := 0, 0
	var badRecord, badCopy error
	for _, u := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if kept, _, err := folder.LoadRecord(u.ID); err != nil || kept.Path != u.Path || kept.MD5 != u.MD5 {
			if records++; badRecord == nil {
				badRecord = err
				if err == nil {
					badRecord = fmt.Errorf("the record of document %s is that of another file", u.ID)
				}
			}
		}
		err := folder.CheckCopy(u)
		if err != nil && svc.home.Shared.MendUpload(ctx, u) {
			err = folder.CheckCopy(u)
		}
		if err != nil {
			if copies++; badCopy == nil {
				badCopy = fmt.Errorf("%s (%s): %w", u.Filename, u.ID, err)
			}
		}
	}
	f := finding.NoFault(finding.Uploads, "", fmt.Sprintf("%s, each with its record", plural.Count(len(rows), "document", "documents")))
	if records > 0 {
		f = f.Repairable(finding.RepairUploads, fmt.Errorf("%s no whole record: %w",
			plural.Count(records, "document has", "documents have"),
			badRecord), "")
	}
	c := finding.NoFault(finding.Copies, "", "each has the content that was handed in")
	if copies > 0 {
		c = c.Failed(fmt.Errorf("%s: %w", plural.Count(copies, "copy", "copies"), badCopy),
			"remove the document and hand the file in again", nil)
	}
	return []finding.Finding{f, c}, nil
}

// handedIn are the documents that the catalog knows.
func (svc *Service) handedIn(ctx context.Context) ([]store.Upload, error) {
	s, release, err := svc.inbox.OpenForReading(ctx)
	if err != nil || s == nil {
		if finding.IsDamaged(err) {
			return nil, nil // it was found already
		}
		return nil, err
	}
	rows, _, err := s.ListUploads(ctx, store.UploadFilter{})
	if finding.IsDamaged(err) {
		return nil, release()
	}
	return rows, errors.Join(err, release())
}

// restoreRecords writes the records of documents again that are damaged or missing.
func (svc *Service) restoreRecords(ctx context.Context) error {
	held, err := svc.inbox.LockUploads(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = held.Release() }() // it ends with the process at the latest
	rows, err := svc.handedIn(ctx)
	if err != nil {
		return err
	}
	folder := svc.home.UploadFolder()
	for _, u := range rows {
		kept, gone, rerr := folder.LoadRecord(u.ID)
		if rerr == nil && (gone || kept.Path == u.Path && kept.MD5 == u.MD5) {
			continue
		}
		if inbox.IsDamaged(rerr) {
			err = errors.Join(err, folder.SetAside(u.ID))
		}
		err = errors.Join(err, svc.inbox.SaveRecord(ctx, u))
	}
	return err
}

// uploadsFound are the findings about files that were handed in; a home whose uploads cannot
// be opened has one that says so.
func (svc *Service) uploadsFound(ctx context.Context) ([]finding.Finding, error) {
	found, err := svc.examineUploads(ctx)
	if unavailable, ok := errors.AsType[*home.UnavailableError](err); ok && ctx.Err() == nil {
		f := finding.NoFault(finding.Uploads, "", "").Failed(unavailable, "", contract.RunDocent("doctor", "--repair"))
		return []finding.Finding{f}, nil
	}
	return found, err
}
