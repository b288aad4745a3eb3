// Package uploads says what a single file that is handed in must be, and keeps such
// files in the home's folder.
//
// The rules are specification 4's: at most 50 MB; PDF, JSON, plain text or Markdown, by
// the content and not by the name alone; when its text is extracted, at least 50
// characters and at most 80 % noise (see Measure).
//
// The folder uploads of a home:
//
//	incoming/NAME              a file that is being received, under a lock
//	waiting/HASH/NAME          a file that is not a page yet, or failed
//	pages/HASH/NAME            a page; pages is the folder of the doc set Uploads@latest
//	…/HASH/.ocr                how scanned pages are read, where that was wanted
//	originals/HASH/NAME        what a page was made from by a program elsewhere
//	records/ID.json            what the catalog knows of the file, so that it can be lost
//	aside/DATE-HASH            files without a record that are not whole; nothing removes them
//
// HASH is the beginning of the content's MD5, so that the same file has the same page
// everywhere. A file is received aside, flushed and moved, then its record is written,
// then its row in the catalog: a process that is killed in between leaves a file, of which
// the next process makes a document, or a record, whose row the next process adds.
//
// It refuses to know the catalog, the queue and the index: that is the home's.
package uploads

import (
	"errors"
	"fmt"
)

// Limits of specification 4.
const (
	MaxBytes      = 50 << 20 // of a file
	MinText       = 50       // characters of its text
	MaxNoise      = 0.8      // the share of its text that is no words
	DefaultOCR    = "auto"
	SetName       = "Uploads"
	SetVersion    = "latest"
	maxNameBytes  = 100
	hashInFolder  = 12
	hashInFolders = 32 // where two files share the beginning of their hashes
)

// Formats of specification 4.
const (
	PDF      = "pdf"
	JSON     = "json"
	Text     = "txt"
	Markdown = "md"
)

// OCRModes are specification 4's.
func OCRModes() []string { return []string{"auto", "force", "never"} }

// OCRLanguages are those that scanned pages are read in unless others are named.
func OCRLanguages() []string { return []string{"en", "vi"} }

// ErrTooLarge means that a file is larger than MaxBytes.
var ErrTooLarge = fmt.Errorf("the file has more than %d MB, which is the most that can be handed in", MaxBytes>>20)

// FormatError means that a file is none that can be handed in.
type FormatError struct{ Reason string }

func (e *FormatError) Error() string { return e.Reason }

// ErrCut means that a file ended before it was whole.
var ErrCut = errors.New("the file ended before it was whole; hand it in again")
