// Package wording puts answers of services into words that the command line and the
// terminal app share.
//
// It prints nothing and asks no service.
package wording

import (
	"fmt"

	"docent/pipeline/contract"
	"docent/pipeline/text/plural"
	"docent/store"
)

// DocumentText says what became of a document.
func DocumentText(d contract.Document) string {
	switch {
	case d.Status == store.UploadCompleted:
		return fmt.Sprintf("%s: %s, %s", d.Filename, d.Page, plural.Count(*d.ChunkCount, "passage", "passages"))
	case d.Status == store.UploadFailed:
		return fmt.Sprintf("%s: failed: %s", d.Filename, d.FailReason)
	case d.FailReason != "":
		return fmt.Sprintf("%s: %s; it is tried again by docent worker", d.Filename, d.FailReason)
	}
	return d.Filename + ": " + d.Status
}
