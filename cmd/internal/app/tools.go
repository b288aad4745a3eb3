package app

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"docent/cmd/internal/config"
	"docent/pipeline/ingest/parse/pdf"
	"docent/pipeline/service/care"
	"docent/store/doc"
	"docent/store/scratch"
)

// findTools looks up the programs that read PDF. env reads the environment; nil: an empty
// one.
func findTools(env func(string) string) pdf.Tools {
	if env == nil {
		env = func(string) string { return "" }
	}
	find := func(name string) string {
		path, err := exec.LookPath(name)
		if err != nil {
			return ""
		}
		if path, err = filepath.Abs(path); err != nil {
			return ""
		}
		return path
	}
	t := pdf.Tools{PDFToText: find("pdftotext"), PDFToHTML: find("pdftohtml"), PDFToPPM: find("pdftoppm"), Tesseract: find("tesseract"),
		Install: installCommand(), Env: []string{"LC_ALL=C.UTF-8"}}
	for _, name := range []string{"TESSDATA_PREFIX", "SYSTEMROOT"} {
		if v := env(name); v != "" {
			t.Env = append(t.Env, name+"="+v)
		}
	}
	if t.Tesseract != "" {
		t.Trained = trainedLanguages(t.Tesseract, env("TESSDATA_PREFIX"))
	}
	return t
}

// trainedLanguages lists the languages that tesseract has data of; nil where its data is not
// found. Asking tesseract takes longer than a question.
func trainedLanguages(tesseract, prefix string) []string {
	usr := filepath.Dir(filepath.Dir(tesseract))
	patterns := []string{filepath.Join(usr, "share", "tesseract-ocr", "*", "tessdata"), filepath.Join(usr, "share", "tessdata"),
		filepath.Join(usr, "share", "tesseract", "tessdata"), filepath.Join(filepath.Dir(tesseract), "tessdata")}
	if prefix != "" {
		patterns = []string{prefix, filepath.Join(prefix, "tessdata")}
	}
	var out []string
	for _, p := range patterns {
		files, err := filepath.Glob(filepath.Join(p, "*.traineddata"))
		if err != nil {
			continue
		}
		for _, f := range files {
			out = append(out, strings.TrimSuffix(filepath.Base(f), ".traineddata"))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// installCommand is the command that installs the programs.
func installCommand() string {
	switch runtime.GOOS {
	case "darwin":
		return "brew install poppler tesseract tesseract-lang"
	case "windows":
		return "winget install oschwartz10612.Poppler UB-Mannheim.TesseractOCR"
	}
	for _, m := range []struct{ program, command string }{
		{"apt-get", "apt-get install poppler-utils tesseract-ocr tesseract-ocr-vie"},
		{"dnf", "dnf install poppler-utils tesseract tesseract-langpack-vie"},
		{"pacman", "pacman -S poppler tesseract tesseract-data-eng tesseract-data-vie"},
		{"apk", "apk add poppler-utils tesseract-ocr tesseract-ocr-data-vie"},
		{"zypper", "zypper install poppler-tools tesseract-ocr tesseract-ocr-traineddata-vietnamese"},
	} {
		if _, err := exec.LookPath(m.program); err == nil {
			return m.command
		}
	}
	return "your package manager (poppler-utils, tesseract-ocr)"
}

// pdfOptions are the options of the parser of PDF.
func pdfOptions(cfg config.Config, tools pdf.Tools, temp *scratch.Folder) pdf.Options {
	return pdf.Options{Tools: tools, OCR: cfg.PDF.OCRMode, Languages: cfg.PDF.OCRLanguages, Temp: temp.MakeFolder,
		Time: cfg.PDF.TimeLimit()}
}

// missingPrograms says which programs are missing.
func missingPrograms(cfg config.Config, t pdf.Tools) []care.Lack {
	var out []care.Lack
	if t.PDFToText == "" || t.PDFToHTML == "" || t.PDFToPPM == "" {
		out = append(out, care.Lack{Format: doc.FormatPDF, Program: "poppler", For: "PDF is read by it",
			Mend: "install it with: " + t.Install + ", then run: docent update"})
	}
	if t.Tesseract == "" && cfg.PDF.OCRMode != pdf.Never {
		out = append(out, care.Lack{Format: doc.FormatPDF, Program: "tesseract", For: "scanned pages are read by it",
			Mend: "install it with: " + t.Install + ", then run: docent update"})
	}
	return out
}
