package config

import (
	"fmt"
	"strings"
	"time"

	"docent/pipeline/ingest/parse/pdf"
)

// PDF is [pdf]: how PDF is read.
type PDF struct {
	OCRMode      string   // one of pdf.Modes
	OCRLanguages []string // of scanned pages
	Timeout      string   // that one file may take: a duration
}

func defaultPDF() PDF {
	return PDF{OCRMode: pdf.Auto, OCRLanguages: pdf.DefaultLanguages(), Timeout: "15m"}
}

// TimeLimit is the time that one file may take.
func (p PDF) TimeLimit() time.Duration {
	d, err := time.ParseDuration(p.Timeout)
	if err != nil { // only where it was not loaded
		return pdf.DefaultTime
	}
	return d
}

// pdfSettings are [pdf].
func pdfSettings() []Setting {
	return []Setting{
		choiceSetting("pdf.ocr_mode", "pages of PDF that are read by OCR: those without text, all, or none", pdf.OCRModes(),
			func(c *Config) *string { return &c.PDF.OCRMode }),
		languages("pdf.ocr_languages", "languages of scanned pages, by ISO 639-1 or as tesseract calls them",
			func(c *Config) *[]string { return &c.PDF.OCRLanguages }),
		pdfTimeout("pdf.timeout", "time that one PDF may take", func(c *Config) *string { return &c.PDF.Timeout }),
	}
}

// The bounds of the time that one PDF may take.
const (
	leastPDFTime = time.Second
	mostPDFTime  = 24 * time.Hour
)

func pdfTimeout(key, about string, field func(*Config) *string) Setting {
	return scalarSetting(key, about, "a text in quotes", field, func(_ *Config, v string) string {
		if d, err := time.ParseDuration(v); err != nil || d < leastPDFTime || d > mostPDFTime {
			return fmt.Sprintf("%q is no duration between 1s and 24h, such as 15m", v)
		}
		return ""
	})
}

// languages is a list of languages that OCR knows.
func languages(key, about string, field func(*Config) *[]string) Setting {
	return Setting{Key: key, About: about,
		read: func(c *Config, _ file, value any) []Fault {
			v, ok := readTexts(value)
			if !ok || len(v) == 0 {
				return oneFault(key, "it must be a list of texts, such as [\"en\", \"vi\"]")
			}
			for _, name := range v {
				if !pdf.IsLanguage(name) {
					return oneFault(key, "%q is no language such as en, vi or chi_tra", name)
				}
			}
			*field(c) = v
			return nil
		},
		show: func(c *Config) any { return strings.Join(*field(c), " ") },
	}
}
