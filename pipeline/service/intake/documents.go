package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/ingest/parse/pdf"
	"docent/pipeline/service/home"
	"docent/pipeline/service/inbox"
	"docent/pipeline/service/uploads"
	"docent/store"
	"docent/store/doc"
	"docent/store/queue"
)

// UploadRequest is a file that is handed in.
type UploadRequest struct {
	Name     string // its folders are left out
	MimeType string // as declared, "" if undeclared
	OCRMode  string // "": auto
	// OCRLanguages are those of scanned pages, by ISO 639-1 or as tesseract calls them;
	// nil: the configuration's.
	OCRLanguages []string
	From         io.Reader
	// Late gives the OCR mode when From was read to its end, for forms that say it
	// behind the file; nil: OCRMode says it.
	Late func() (string, error)
}

// Upload takes a file in and has it wait for a worker. It is refused with
// FILE_TOO_LARGE, INVALID_FORMAT, and DUPLICATE_DOCUMENT, whose details name the id of
// the document that has the same content.
func (svc *Service) Upload(ctx context.Context, req UploadRequest) (contract.UploadResponse, error) {
	u, err := svc.takeIn(ctx, req)
	if err != nil {
		return contract.UploadResponse{}, uploadError(svc.home.Unwritable(svc.home.NoteDamage(err)))
	}
	return contract.UploadResponse{ID: u.ID, Filename: u.Filename, Status: u.Status, Format: u.Format, Lane: u.Lane}, nil
}

func (svc *Service) takeIn(ctx context.Context, req UploadRequest) (_ store.Upload, err error) {
	mode, err := checkedOCR(req.OCRMode)
	if err != nil {
		return store.Upload{}, err
	}
	languages, err := checkedLanguages(req.OCRLanguages)
	if err != nil {
		return store.Upload{}, err
	}
	if err := svc.uploadsFree(ctx); err != nil {
		return store.Upload{}, err
	}
	s, err := svc.inbox.OpenForWriting(ctx)
	if err != nil {
		return store.Upload{}, err
	}
	folder := svc.home.UploadFolder()
	if _, err := folder.Sweep(ctx); err != nil {
		svc.home.Say("files that were handed in by half could not be removed: %v", err)
	}
	r, err := folder.Receive(ctx, req.Name, req.MimeType, req.From)
	if err != nil {
		return store.Upload{}, err
	}
	defer func() { err = errors.Join(err, r.Discard()) }()
	if req.Late != nil {
		if mode, err = req.Late(); err == nil {
			mode, err = checkedOCR(mode)
		}
		if err != nil {
			return store.Upload{}, err
		}
	}
	held, err := svc.inbox.LockUploads(ctx)
	if err != nil {
		return store.Upload{}, err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	same, _, err := s.ListUploads(ctx, store.UploadFilter{MD5: r.MD5})
	if err != nil {
		return store.Upload{}, err
	}
	if len(same) > 0 {
		return store.Upload{}, &store.DuplicateError{ID: same[0].ID}
	}
	now := time.Now().UTC()
	u := store.Upload{
		ID: uploads.NewID(), Filename: r.Filename, MimeType: uploads.MimeType(r.Format), Bytes: r.Bytes, Format: r.Format,
		Lane:   uploads.LaneOf(r.Format),
		Status: store.UploadPending, Path: folder.Path(r), MD5: r.MD5, OCRMode: mode, OCRLanguages: languages, Created: now, Updated: now,
	}
	// Finish even when the client has gone: it takes moments.
	ctx = context.WithoutCancel(ctx)
	err = svc.home.Shared.ChangeUpload(ctx, u, func() error {
		if err := folder.Keep(r, u.Path); err != nil {
			return err
		}
		return folder.SaveRecord(u, false)
	})
	if err == nil {
		err = s.AddUpload(ctx, u)
	}
	if err != nil {
		return store.Upload{}, errors.Join(err, svc.inbox.Remove(ctx, u))
	}
	return u, nil
}

// checkedOCR is an OCR mode; "" is the default.
func checkedOCR(mode string) (string, error) {
	switch {
	case mode == "":
		return uploads.DefaultOCR, nil
	case !slices.Contains(uploads.OCRModes(), mode):
		return "", contract.Invalid("ocrMode", "ocrMode is %q, it can be %s", mode, strings.Join(uploads.OCRModes(), ", ")).
			WithRemedy(contract.Change("ocrMode", uploads.OCRModes()...))
	}
	return mode, nil
}

// checkedLanguages are languages of OCR; none: the default.
func checkedLanguages(languages []string) ([]string, error) {
	if len(languages) == 0 {
		return uploads.OCRLanguages(), nil
	}
	for _, name := range languages {
		if !pdf.IsLanguage(name) {
			return nil, contract.Invalid("ocrLanguages",
				"%q is no language of OCR; name it by ISO 639-1 (en, vi) or as tesseract calls it (chi_tra)", name)
		}
	}
	return languages, nil
}

// uploadsFree is an error where a folder of somebody's has the name of the doc set of
// uploads.
func (svc *Service) uploadsFree(ctx context.Context) error {
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return err
	}
	for _, s := range sets {
		if s.Ref == home.UploadsRef() && !svc.home.HoldsUploads(s) {
			return contract.Invalid("", "%s is the folder %s, and single files need that name; forget it and add it under another name",
				s.Ref, s.Root)
		}
	}
	return nil
}

// uploadError gives an error of uploads its code.
func uploadError(err error) error {
	if err == nil {
		return nil
	}
	code, details := "", map[string]any(nil)
	format, isFormat := errors.AsType[*uploads.FormatError](err)
	duplicate, isDuplicate := errors.AsType[*store.DuplicateError](err)
	switch {
	case errors.Is(err, uploads.ErrTooLarge):
		code = contract.CodeFileTooLarge
		err = uploads.ErrTooLarge
	case isFormat:
		code = contract.CodeInvalidFormat
		err = format
	case isDuplicate:
		code, details = contract.CodeDuplicate, map[string]any{"id": duplicate.ID}
		err = duplicate
	case errors.Is(err, uploads.ErrCut):
		code = contract.CodeInvalidRequest
	case errors.Is(err, store.ErrNoUpload), errors.Is(err, queue.ErrNoJob):
		code = contract.CodeNotFound
	case errors.Is(err, queue.ErrJobRunning):
		code = contract.CodeConflict
	default:
		return err
	}
	return &contract.Error{Code: code, Message: err.Error(), Details: details, Err: err}
}

// Document gives one document; NOT_FOUND for an unknown id.
func (svc *Service) Document(ctx context.Context, id string) (contract.Document, error) {
	s, release, err := svc.inbox.OpenForReading(ctx)
	if err != nil {
		return contract.Document{}, err
	}
	defer func() { _ = release() }() // it was open for reading
	if s == nil {
		return contract.Document{}, uploadError(fmt.Errorf("document %q: %w", id, store.ErrNoUpload))
	}
	u, err := svc.inbox.Upload(ctx, s, id)
	if err != nil {
		return contract.Document{}, uploadError(err)
	}
	return inbox.Document(u), nil
}

// DocumentsRequest chooses documents, the newest first. Limit and Offset are
// specification 4's: 1 to 100, 20 where it is 0; from 0.
type DocumentsRequest struct {
	Status        string // "": all
	Limit, Offset int
}

// The bounds of DocumentsRequest.Limit.
const (
	defaultDocuments = 20
	maxDocuments     = 100
)

// Documents lists the documents that were handed in.
func (svc *Service) Documents(ctx context.Context, req DocumentsRequest) (contract.DocumentList, error) {
	out := contract.DocumentList{Documents: []contract.Document{}}
	statuses := []string{store.UploadPending, store.UploadProcessing, store.UploadCompleted, store.UploadFailed}
	switch {
	case req.Status != "" && !slices.Contains(statuses, req.Status):
		return out, contract.Invalid("status", "status is %q, it can be %s", req.Status,
			strings.Join(statuses, ", ")).WithRemedy(contract.Change("status", statuses...))
	case req.Limit < 0 || req.Limit > maxDocuments:
		return out, contract.Invalid("limit", "limit is %d, it can be 1 to %d", req.Limit, maxDocuments)
	case req.Offset < 0:
		return out, contract.Invalid("offset", "offset is %d, it begins at 0", req.Offset)
	case req.Limit == 0:
		req.Limit = defaultDocuments
	}
	s, release, err := svc.inbox.OpenForReading(ctx)
	if err != nil || s == nil {
		return out, err
	}
	defer func() { _ = release() }() // it was open for reading
	found, total, err := s.ListUploads(ctx, store.UploadFilter{Status: req.Status, Limit: req.Limit, Offset: req.Offset})
	if err != nil {
		return out, svc.home.NoteDamage(err)
	}
	out.Total = total
	for _, u := range found {
		out.Documents = append(out.Documents, inbox.Document(u))
	}
	return out, nil
}

// RetryDocument has a document that failed processed again. CONFLICT where it did not
// fail.
func (svc *Service) RetryDocument(ctx context.Context, id string) (contract.Document, error) {
	s, err := svc.inbox.OpenForWriting(ctx)
	if err != nil {
		return contract.Document{}, err
	}
	u, err := svc.changeDocument(ctx, s, id, func(u *store.Upload) (bool, error) {
		if u.Status != store.UploadFailed {
			return false, &contract.Error{Code: contract.CodeConflict,
				Message: fmt.Sprintf("document %s is %s; only one that is %s can be tried again", u.ID, u.Status, store.UploadFailed),
				Details: map[string]any{"status": u.Status}}
		}
		u.Status, u.Retries, u.FailCode, u.FailReason, u.Updated = store.UploadPending, 0, "", "", time.Now()
		return true, nil
	})
	if err != nil {
		return contract.Document{}, uploadError(svc.home.Unwritable(svc.home.NoteDamage(err)))
	}
	return inbox.Document(u), nil
}

// changeDocument changes a document's row and its record together: a record that is
// written after somebody deleted the document would bring it back.
func (svc *Service) changeDocument(ctx context.Context, s home.UploadStore, id string,
	change func(*store.Upload) (queue bool, err error)) (u store.Upload, err error) {
	err = svc.handling(ctx, func() error {
		if u, err = s.ChangeUpload(ctx, id, change); err != nil {
			return err
		}
		return svc.inbox.SaveRecord(ctx, u)
	})
	return u, err
}

// handling does something that keeps or removes files.
func (svc *Service) handling(ctx context.Context, do func() error) error {
	held, err := svc.inbox.LockUploads(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(), held.Release())
}

// Outcome is what became of one of several documents: nil, or what failed.
type Outcome struct {
	ID  string
	Err error
}

// DeleteEach deletes documents, their files and their pages, and returns the outcome of
// each: NOT_FOUND for an unknown id. The index is updated once. If that fails, err is the
// reason, and the documents are deleted all the same.
func (svc *Service) DeleteEach(ctx context.Context, ids ...string) (each []Outcome, err error) {
	s, err := svc.inbox.OpenForWriting(ctx)
	if err != nil {
		return nil, err
	}
	pages := false
	for _, id := range ids {
		page, err := svc.deleteDocument(ctx, s, id)
		if err != nil && !errors.Is(err, store.ErrNoUpload) {
			err = svc.home.Unwritable(svc.home.NoteDamage(err))
		}
		each, pages = append(each, Outcome{ID: id, Err: uploadError(err)}), pages || page
	}
	if pages { // also when the caller has left: nothing else would take them out of the index
		err = svc.updateUploads(context.WithoutCancel(ctx))
	}
	return each, err
}

// DeleteDocuments is DeleteEach with a shorter result: the deleted ids, and one error for
// the others.
func (svc *Service) DeleteDocuments(ctx context.Context, ids ...string) (deleted []string, err error) {
	each, failed := svc.DeleteEach(ctx, ids...)
	var missing error
	for _, d := range each {
		switch {
		case d.Err == nil:
			deleted = append(deleted, d.ID)
		case errors.Is(d.Err, store.ErrNoUpload):
			missing = errors.Join(missing, d.Err)
		case err == nil:
			err = d.Err
		}
	}
	switch {
	case failed != nil:
		return deleted, failed
	case err != nil:
		return deleted, err
	}
	return deleted, missing
}

// deleteDocument deletes one document, and reports whether its page is left in the index.
// The record says first that it goes, so that it does not come back.
func (svc *Service) deleteDocument(ctx context.Context, s home.UploadStore, id string) (page bool, err error) {
	held, err := svc.inbox.LockUploads(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	u, err := svc.inbox.Upload(ctx, s, id)
	if err != nil {
		return false, err
	}
	folder := svc.home.UploadFolder()
	if err := svc.home.Shared.ChangeUpload(ctx, u, func() error { return folder.SaveRecord(u, true) }); err != nil {
		return false, err
	}
	if err := s.RemoveUpload(ctx, id); err != nil && !errors.Is(err, store.ErrNoUpload) {
		return false, err
	}
	_, page, _ = folder.FindFile(u.Path) // where its files are lost there is no page
	return page || u.Status == store.UploadCompleted, svc.inbox.Remove(ctx, u)
}

// Rendition is the text that was extracted from a document.
type Rendition struct {
	Name string // of a file for it
	Text []byte // Markdown, or plain text
}

// Markdown gives the text of a document that is completed; CONFLICT where it is not.
func (svc *Service) Markdown(ctx context.Context, id string) (Rendition, error) {
	d, err := svc.Document(ctx, id)
	if err != nil {
		return Rendition{}, err
	}
	if d.Status != store.UploadCompleted {
		return Rendition{}, &contract.Error{Code: contract.CodeConflict,
			Message: fmt.Sprintf("document %s is %s; it has a text when it is %s", id, d.Status, store.UploadCompleted),
			Details: map[string]any{"status": d.Status}}
	}
	if err := svc.home.Shared.FillUploads(ctx); err != nil {
		return Rendition{}, err
	}
	file, _, err := svc.home.UploadFolder().FindFile(d.FilePath)
	if err != nil {
		return Rendition{}, uploadError(fmt.Errorf("document %s: %w: %w", id, err, store.ErrNoUpload))
	}
	src, err := os.ReadFile(file)
	if err != nil {
		return Rendition{}, err
	}
	text, _, err := svc.home.Parsers.Text(ctx, src,
		parse.File{Path: d.FilePath, Layout: doc.LayoutUploads,
			OCR: files.OCRSettings(svc.home.UploadFolder().Pages(), doc.LayoutUploads, d.FilePath)})
	if err != nil {
		return Rendition{}, err
	}
	name := d.Filename
	if !strings.HasSuffix(name, ".md") {
		name += ".md"
	}
	return Rendition{Name: name, Text: text}, nil
}
