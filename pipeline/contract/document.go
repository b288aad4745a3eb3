package contract

import "time"

// Specification 4: documents that are handed in, and their jobs.

// Error codes of the endpoints for documents: the first two are specification 4's, the
// others are ours.
const (
	CodeInvalidFormat = "INVALID_FORMAT"
	CodeFileTooLarge  = "FILE_TOO_LARGE"
	CodeDuplicate     = "DUPLICATE_DOCUMENT" // Details["id"] is the one that is there
	CodeNotFound      = "NOT_FOUND"
	CodeConflict      = "CONFLICT" // not in this state; Details["status"] says which
)

// UploadResponse is specification 4's.
type UploadResponse struct {
	ID       string `json:"id"`
	Filename string `json:"filename"`
	Status   string `json:"status"`
	Format   string `json:"format"`
	Lane     string `json:"lane"`
}

// Document is specification 4's DocumentStatusResponse with the other fields of its
// Document; Page is ours.
type Document struct {
	ID         string    `json:"id"`
	Filename   string    `json:"filename"`
	Status     string    `json:"status"`
	RetryCount int       `json:"retryCount"`
	FailReason string    `json:"failReason,omitempty"`
	ChunkCount *int      `json:"chunkCount,omitempty"`
	CreatedAt  time.Time `json:"createdAt"`
	UpdatedAt  time.Time `json:"updatedAt"`
	MimeType   string    `json:"mimeType"`
	FileSize   int64     `json:"fileSize"`
	Format     string    `json:"format"`
	Lane       string    `json:"lane"`
	MD5Hash    string    `json:"md5Hash"`
	// FilePath is the page's path in the doc set of uploads, Page the two together, ""
	// while it is no page.
	FilePath string `json:"filePath"`
	Page     string `json:"page,omitempty"`
}

// DocumentStatusResponse is specification 4's.
type DocumentStatusResponse struct {
	ID         string    `json:"id"`
	Filename   string    `json:"filename"`
	Status     string    `json:"status"`
	RetryCount int       `json:"retryCount"`
	FailReason string    `json:"failReason,omitempty"`
	ChunkCount *int      `json:"chunkCount,omitempty"`
	CreatedAt  time.Time `json:"createdAt"`
	UpdatedAt  time.Time `json:"updatedAt"`
}

// DocumentSummary is specification 4's.
type DocumentSummary struct {
	ID         string    `json:"id"`
	Filename   string    `json:"filename"`
	Status     string    `json:"status"`
	ChunkCount *int      `json:"chunkCount,omitempty"`
	CreatedAt  time.Time `json:"createdAt"`
}

// StatusResponse is the document as specification 4's DocumentStatusResponse has it.
func (d Document) StatusResponse() DocumentStatusResponse {
	return DocumentStatusResponse{d.ID, d.Filename, d.Status, d.RetryCount, d.FailReason, d.ChunkCount, d.CreatedAt, d.UpdatedAt}
}

// Summary is the document as specification 4's list has it.
func (d Document) Summary() DocumentSummary {
	return DocumentSummary{d.ID, d.Filename, d.Status, d.ChunkCount, d.CreatedAt}
}

// DocumentList is specification 4's ListResponse with whole documents.
type DocumentList struct {
	Documents []Document `json:"documents"`
	Total     int        `json:"total"`
}

// DocumentChange tells of a document that is new or changed, or with Gone of one that
// was deleted, whose ID alone is set.
type DocumentChange struct {
	Document Document `json:"document"`
	Gone     bool     `json:"gone,omitempty"`
}

// Job is a job of the queue.
type Job struct {
	ID          int64      `json:"id"`
	DocumentID  string     `json:"documentId"`
	Filename    string     `json:"filename,omitempty"`
	Lane        string     `json:"lane"`
	State       string     `json:"state"` // waiting, retry, running, done, failed, cancelled
	Attempt     int        `json:"attempt"`
	MaxAttempts int        `json:"maxAttempts"`
	Reason      string     `json:"reason,omitempty"`
	CreatedAt   time.Time  `json:"createdAt"`
	NextAt      *time.Time `json:"nextAt,omitempty"` // of one that waits for its next attempt
	StartedAt   *time.Time `json:"startedAt,omitempty"`
	EndedAt     *time.Time `json:"endedAt,omitempty"`
}

// JobList is a page of the queue.
type JobList struct {
	Jobs  []Job `json:"jobs"`
	Total int   `json:"total"`
}

// ProcessingCallback is specification 4's: what a program elsewhere made of a document.
type ProcessingCallback struct {
	DocumentID string            `json:"documentId"`
	Success    bool              `json:"success"`
	Result     *ProcessingResult `json:"result,omitempty"`
	Error      *ProcessingError  `json:"error,omitempty"`
}

// ProcessingResult is specification 4's.
type ProcessingResult struct {
	Markdown         string  `json:"markdown"`
	PageCount        int     `json:"pageCount"`
	OCRApplied       bool    `json:"ocrApplied"`
	ProcessingTimeMs float64 `json:"processingTimeMs"`
}

// ProcessingError is specification 4's; Code is one of its ErrorCode.
type ProcessingError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// QueryResponse is specification 4's, the nearest passage first.
type QueryResponse struct {
	Results []QueryResult `json:"results"`
}

// QueryResult is specification 4's: a passage of a document.
type QueryResult struct {
	Content    string        `json:"content"`
	Score      float64       `json:"score"` // cosine, 0 to 1
	DocumentID string        `json:"documentId"`
	Metadata   ChunkMetadata `json:"metadata"`

	// Additive: the other fields of specification 4's Chunk, without the vector.
	ID         string    `json:"id"` // UUID, the same while the document is
	ChunkIndex int       `json:"chunkIndex"`
	CreatedAt  time.Time `json:"createdAt"` // when the document became a page
}

// ChunkMetadata is specification 4's. CharStart and CharEnd count code points of the
// document's text.
type ChunkMetadata struct {
	Page      int    `json:"page,omitempty"` // of a PDF
	Heading   string `json:"heading,omitempty"`
	CharStart int    `json:"charStart"`
	CharEnd   int    `json:"charEnd"`
}
