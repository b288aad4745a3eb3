package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"docent/pipeline/ingest/parse"
	"docent/store/doc"
	"docent/store/durable"
)

// ocrName is the file beside a page of the doc set of uploads that says how its scanned
// pages are read: whoever reads the page reads it so, and finds the text that was kept.
const ocrName = ".ocr"

// mostOCR is the size of the largest such file, in bytes.
const mostOCR = 1 << 10

// OCR is how the scanned pages of a page are read; zero where nobody said so, and in doc
// sets of folders, whose files are nobody's but their owner's.
func OCR(root string, layout doc.Layout, page string) parse.OCR {
	if layout != doc.LayoutUploads {
		return parse.OCR{}
	}
	file, st, err := Open(root, path.Join(path.Dir(page), ocrName))
	if err != nil || st.Size() > mostOCR {
		if err == nil {
			_ = file.Close() // it was open for reading
		}
		return parse.OCR{}
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, mostOCR))
	if err != nil {
		return parse.OCR{}
	}
	return parse.ParseOCR(string(raw))
}

// KeepOCR writes beside a page how its scanned pages are read.
func KeepOCR(root, page string, o parse.OCR) error {
	file := filepath.Join(root, filepath.FromSlash(path.Dir(page)), ocrName)
	if o.IsZero() {
		if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return durable.WriteFile(file, []byte(o.String()+"\n"))
}
