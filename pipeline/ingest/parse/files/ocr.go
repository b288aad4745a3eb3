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

// ocrName is the file next to a page of the doc set of uploads with the OCR settings of
// its scanned pages: every reader of the page uses them, and finds the stored text.
const ocrName = ".ocr"

// mostOCR is the size of the largest such file, in bytes.
const mostOCR = 1 << 10

// OCRSettings returns the OCR settings of a page; zero without settings, and in doc sets of
// folders, where no file is added to the owner's.
func OCRSettings(root string, layout doc.Layout, page string) parse.OCR {
	if layout != doc.LayoutUploads {
		return parse.OCR{}
	}
	file, st, err := OpenInside(root, path.Join(path.Dir(page), ocrName))
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

// KeepOCR writes the OCR settings of a page next to it.
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
