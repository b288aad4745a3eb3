package httpapi

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"docent/cmd/internal/httpapi/schema"
	"docent/pipeline/contract"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/intake"
)

// Specification 4's endpoints for uploaded documents, and others that users of such an
// API expect: deleting, trying again, many at once, the extracted text.

// uploadForm is the form of an upload, for the description alone: it is read as it
// arrives.
type uploadForm struct {
	File    string `json:"file" format:"binary" doc:"pdf, json, txt or md, at most 50 MB"`
	OCRMode string `json:"ocrMode,omitempty" enum:"auto,force,never" default:"auto"`
}

type documentList struct {
	Documents []contract.DocumentSummary `json:"documents"`
	Total     int                        `json:"total"`
}

// listed are documents in specification 4's form, or whole.
type listed struct{}

// Schema is schema.Provider's.
func (listed) Schema(r *schema.Registry) *schema.Schema {
	return &schema.Schema{AnyOf: []*schema.Schema{r.Of(reflect.TypeFor[documentList]()), r.Of(reflect.TypeFor[contract.DocumentList]())}}
}

// manyRequest names documents; manyAnswer says what became of each.
type manyRequest struct {
	IDs []string `json:"ids" minItems:"1" maxItems:"100"`
}

type manyAnswer struct {
	Done   []string      `json:"done"`
	Failed []manyFailure `json:"failed"`
}

type manyFailure struct {
	ID      string `json:"id"`
	Error   string `json:"error"`
	Message string `json:"message"`
}

// documentRequest names a document.
type documentRequest struct {
	ID string `json:"id" path:"id" doc:"the document's id"`
}

// documentsRequest asks for documents.
type documentsRequest struct {
	Status  string `json:"status,omitempty" query:"status" enum:"PENDING,PROCESSING,COMPLETED,FAILED" doc:"only documents of this status"`
	Limit   int    `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"100" doc:"at most; 20 without it"`
	Offset  int    `json:"offset,omitempty" query:"offset" minimum:"0" maximum:"1000000000" doc:"that are left out before them"`
	Details bool   `json:"details,omitempty" query:"details" doc:"with lane, attempts, reason, size and page of each"`
}

func documentEndpoints() []endpoint {
	id := parametersIn[documentRequest]()
	list := []endpoint{
		{method: http.MethodPost, path: "/api/documents", id: "upload", about: "hands a file in (specification 4)", form: uploadForm{},
			created: true, out: contract.UploadResponse{}, serve: serveUpload},
		{method: http.MethodGet, path: "/api/documents", id: "documents", about: "the documents, the newest first (specification 4)",
			params: parametersIn[documentsRequest](), out: listed{}, serve: serveDocuments},
		{method: http.MethodGet, path: "/api/documents/{id}", id: "document", about: "how a document stands (specification 4)", params: id,
			out: contract.DocumentStatusResponse{}, serve: func(c *call) error {
				d, err := c.home.Intake.Document(c.ctx, c.r.PathValue("id"))
				if err != nil {
					return err
				}
				return c.writeFound(d.StatusResponse())
			}},
		{method: http.MethodDelete, path: "/api/documents/{id}", id: "deleteDocument", about: "deletes a document, its file and its page",
			params: id, out: manyAnswer{}, serve: func(c *call) error {
				deleted, err := c.home.Intake.DeleteDocuments(c.ctx, c.r.PathValue("id"))
				if err != nil {
					return err
				}
				return c.writeFound(manyAnswer{Done: deleted, Failed: []manyFailure{}})
			}},
		{method: http.MethodPost, path: "/api/documents/{id}/retry", id: "retryDocument",
			about: "has a document that failed processed again", params: id, out: contract.DocumentStatusResponse{},
			serve: func(c *call) error {
				d, err := c.home.Intake.RetryDocument(c.ctx, c.r.PathValue("id"))
				if err != nil {
					return err
				}
				return c.writeFound(d.StatusResponse())
			}},
		{method: http.MethodGet, path: "/api/documents/{id}/content", id: "documentText",
			about: "the text that was extracted from it, as Markdown", params: id, heavy: true, serve: serveText},
		{method: http.MethodPost, path: "/api/documents/delete", id: "deleteDocuments", about: "deletes several documents",
			in: manyRequest{}, out: manyAnswer{}, serve: func(c *call) error {
				return c.onSeveral(func(ids []string) ([]intake.Outcome, error) { return c.home.Intake.DeleteEach(c.ctx, ids...) })
			}},
		{method: http.MethodPost, path: "/api/documents/retry", id: "retryDocuments", about: "has several documents processed again",
			in: manyRequest{}, out: manyAnswer{}, serve: func(c *call) error {
				return c.onSeveral(func(ids []string) (out []intake.Outcome, _ error) {
					for _, id := range ids {
						_, err := c.home.Intake.RetryDocument(c.ctx, id)
						out = append(out, intake.Outcome{ID: id, Err: err})
					}
					return out, nil
				})
			}},
		{method: http.MethodPost, path: "/api/query", id: "query", about: "passages of the documents, nearest first (specification 4)",
			in: queryRequest{}, out: contract.QueryResponse{}, heavy: true, serve: serveQuery},
		{method: http.MethodPost, path: "/internal/callback", id: "callback",
			about: "what a program elsewhere made of a document (specification 4); wants the server's callback secret as its token",
			in:    callbackRequest{}, out: contract.DocumentStatusResponse{}, open: true, large: true, secret: true, serve: serveCallback},
	}
	for i := range list {
		list[i].plainErrors = true
	}
	return list
}

// onSeveral does something to several documents.
func (c *call) onSeveral(do func(ids []string) ([]intake.Outcome, error)) error {
	var q manyRequest
	if err := c.decodeBody(&q); err != nil {
		return err
	}
	var ids []string
	for _, id := range q.IDs {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	each, err := do(ids)
	if err != nil {
		return err
	}
	out := manyAnswer{Done: []string{}, Failed: []manyFailure{}}
	for _, o := range each {
		if o.Err == nil {
			out.Done = append(out.Done, o.ID)
			continue
		}
		e := answerToError(o.Err)
		out.Failed = append(out.Failed, manyFailure{ID: o.ID, Error: e.err.Code, Message: e.err.Message})
	}
	return c.writeFound(out)
}

func serveDocuments(c *call) error {
	q, err := parametersFor[documentsRequest](c)
	if err != nil {
		return err
	}
	list, err := c.home.Intake.Documents(c.ctx, intake.DocumentsRequest{Status: q.Status, Limit: q.Limit, Offset: q.Offset})
	if err != nil {
		return err
	}
	if q.Details {
		return c.writeFound(list)
	}
	out := documentList{Documents: []contract.DocumentSummary{}, Total: list.Total}
	for _, d := range list.Documents {
		out.Documents = append(out.Documents, d.Summary())
	}
	return c.writeFound(out)
}

func serveText(c *call) error {
	text, err := c.home.Intake.Markdown(c.ctx, c.r.PathValue("id"))
	if err != nil {
		return err
	}
	c.w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": text.Name}))
	c.sendResponse(http.StatusOK, "text/plain; charset=utf-8", text.Text)
	return nil
}

// The limits of uploads: of the whole form, of a field other than the file, and of
// uploads at a time.
const (
	maxForm     = 51 << 20
	maxField    = 100
	maxUploads  = 8
	moreUploads = 56 // that wait
	uploadTime  = 10 * time.Minute
)

// steady is a body that must keep arriving: each read has its own time.
type steady struct {
	c    *call
	from io.Reader
	ends time.Time
}

// Read is io.Reader's.
func (s *steady) Read(p []byte) (int, error) {
	at := time.Now().Add(s.c.opt.Limits.Read)
	if at.After(s.ends) {
		at = s.ends
	}
	_ = http.NewResponseController(s.c.w).SetReadDeadline(at) // a writer without deadlines is a test's
	return s.from.Read(p)
}

// serveUpload reads the form as it arrives and streams the file to the disk.
func serveUpload(c *call) error {
	leave, err := c.uploads.enterQueue(c.ctx)
	if err != nil {
		return err
	}
	defer leave()
	kind, params, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return contract.Invalid("Content-Type", "a document is handed in as multipart/form-data with the field file: curl -F file=@NAME …")
	}
	body := http.MaxBytesReader(nil, io.NopCloser(&steady{c: c, from: c.r.Body, ends: time.Now().Add(uploadTime)}), maxForm)
	form := multipart.NewReader(body, params["boundary"])
	mode := ""
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return contract.Invalid("file", "the form has no field file")
		}
		if err != nil {
			return formError(err)
		}
		switch {
		case part.FormName() == "ocrMode":
			if mode, err = readField(part); err != nil {
				return err
			}
		case part.FormName() != "file":
			return contract.Invalid(part.FormName(), "there is no field %s; the fields are file and ocrMode",
				quotedInError(part.FormName()))
		case part.FileName() == "":
			return contract.Invalid("file", "the file has no name; give its name in the form, for its ending says what it is")
		default:
			done, err := c.home.Intake.Upload(c.ctx,
				intake.UploadRequest{Name: part.FileName(), MimeType: part.Header.Get("Content-Type"), OCRMode: mode, From: whole{part},
					Late: func() (string, error) { return lateMode(form, mode) }})
			if err != nil {
				return err
			}
			raw, err := encodeAsJSON(done)
			if err != nil {
				return err
			}
			c.sendResponse(http.StatusCreated, "application/json", raw)
			return nil
		}
	}
}

// whole is a file of a form: one that breaks off is no end.
type whole struct{ part io.Reader }

// Read is io.Reader's.
func (w whole) Read(p []byte) (int, error) {
	n, err := w.part.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = formError(err)
	}
	return n, err
}

// lateMode reads the fields behind the file.
func lateMode(form *multipart.Reader, mode string) (string, error) {
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return mode, nil
		}
		if err != nil {
			return "", formError(err)
		}
		if part.FormName() != "ocrMode" {
			return "", contract.Invalid(part.FormName(), "there is no field %s behind the file; one file is handed in at a time",
				quotedInError(part.FormName()))
		}
		if mode, err = readField(part); err != nil {
			return "", err
		}
	}
}

func readField(part *multipart.Part) (string, error) {
	raw, err := io.ReadAll(io.LimitReader(part, maxField+1))
	if err != nil {
		return "", formError(err)
	}
	if len(raw) > maxField || !utf8.Valid(raw) {
		return "", contract.Invalid(part.FormName(), "the field %s is too long", quotedInError(part.FormName()))
	}
	return strings.TrimSpace(string(raw)), nil
}

// formError is the error of a form that cannot be read.
func formError(err error) error {
	var large *http.MaxBytesError
	var late interface{ Timeout() bool }
	switch {
	case errors.As(err, &large):
		return &contract.Error{Code: contract.CodeFileTooLarge, Message: "the file is larger than 50 MB", Err: err}
	case errors.As(err, &late) && late.Timeout():
		return cutShortError(err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return contract.Invalid("file", "the upload breaks off; nothing of it was kept")
	}
	return contract.Invalid("file", "the form cannot be read: %v", err)
}

// queryRequest is specification 4's.
type queryRequest struct {
	Query string `json:"query" minLength:"1" maxLength:"1000"`
	TopK  *int   `json:"topK,omitempty" minimum:"1" maximum:"100" default:"5"`
}

const defaultTopK = 5

func serveQuery(c *call) error {
	var q queryRequest
	if err := c.decodeBody(&q); err != nil {
		return err
	}
	req := answers.QueryRequest{Query: strings.TrimSpace(q.Query), TopK: defaultTopK}
	if q.TopK != nil {
		req.TopK = *q.TopK
	}
	if req.Query == "" {
		return contract.Invalid("query", "the query is empty")
	}
	if err := contract.CheckQuery(req.Query); err != nil {
		return contract.Invalid("query", "%v", err)
	}
	out, err := c.home.Answers.Query(c.ctx, req)
	if err != nil {
		return err
	}
	return c.writeFound(out)
}

// callbackRequest is specification 4's.
type callbackRequest struct {
	DocumentID string `json:"documentId" format:"uuid"`
	Success    bool   `json:"success"`
	Result     *struct {
		Markdown         string  `json:"markdown"`
		PageCount        int     `json:"pageCount" minimum:"1"`
		OCRApplied       bool    `json:"ocrApplied"`
		ProcessingTimeMs float64 `json:"processingTimeMs" exclusiveMinimum:"0"`
	} `json:"result,omitempty"`
	Error *struct {
		Code    string `json:"code" enum:"PASSWORD_PROTECTED,CORRUPT_FILE,UNSUPPORTED_FORMAT,OCR_FAILED,TIMEOUT,INTERNAL_ERROR"`
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

func serveCallback(c *call) error {
	var q callbackRequest
	if err := c.decodeBody(&q); err != nil {
		return err
	}
	in := contract.ProcessingCallback{DocumentID: q.DocumentID, Success: q.Success}
	if r := q.Result; r != nil {
		in.Result = &contract.ProcessingResult{Markdown: r.Markdown, PageCount: r.PageCount, OCRApplied: r.OCRApplied,
			ProcessingTimeMs: r.ProcessingTimeMs}
	}
	if e := q.Error; e != nil {
		in.Error = &contract.ProcessingError{Code: e.Code, Message: e.Message}
	}
	d, err := c.home.Intake.Callback(c.ctx, in)
	if err != nil {
		return err
	}
	return c.writeFound(d.StatusResponse())
}
