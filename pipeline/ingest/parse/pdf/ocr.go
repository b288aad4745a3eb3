package pdf

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"docent/pipeline/ingest/child"
	"docent/pipeline/ingest/parse"
)

// Limits of reading one page by OCR.
const (
	pictureDPI    = 300
	mostPixels    = 5000 // of a page's longer side
	pictureTime   = time.Minute
	pictureMemory = 2 << 30
	pictureOutput = mostPixels*mostPixels + 1<<10
	ocrTime       = 3 * time.Minute
	ocrMemory     = 3 << 30
	ocrOutput     = 32 << 20
)

// A page has text where it has so many characters, and at most this part of them stands
// for glyphs whose meaning the file does not say.
const (
	leastLetters = 16
	mostOdd      = 0.3
)

// names are tesseract's names of languages, by those of ISO 639-1.
var names = map[string]string{"en": "eng", "vi": "vie", "de": "deu", "fr": "fra", "es": "spa", "it": "ita", "pt": "por", "nl": "nld",
	"pl": "pol", "ru": "rus",
	"uk": "ukr", "cs": "ces", "sv": "swe", "da": "dan", "fi": "fin", "no": "nor", "tr": "tur", "el": "ell", "hu": "hun", "ro": "ron",
	"ja": "jpn", "zh": "chi_sim", "ko": "kor", "ar": "ara", "he": "heb", "hi": "hin", "th": "tha", "id": "ind"}

// tesseractName is tesseract's name of a language.
func tesseractName(name string) string {
	if known, ok := names[strings.ToLower(name)]; ok {
		return known
	}
	return name
}

// IsLanguage reports whether a name may be one of a language: those of ISO 639-1 that are
// known, or one of tesseract's such as chi_tra.
func IsLanguage(name string) bool {
	if _, ok := names[strings.ToLower(name)]; ok {
		return true
	}
	return len(name) >= 3 && len(name) <= 20 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}

// recognize reads pages by OCR: those without text, or all.
func (c *conversion) recognize(ctx context.Context) error {
	var wanted []*page
	for i := range c.pages {
		p := &c.pages[i]
		if c.opt.OCR == Force || p.letters < leastLetters || float64(p.odd) > mostOdd*float64(p.letters) {
			wanted = append(wanted, p)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	if c.opt.OCR == Never {
		c.w.Warn("%s without text, and OCR is off (pdf.ocr_mode)", pagesAre(wanted))
		return nil
	}
	use, missing := c.languages()
	able := c.opt.Tools.Tesseract != "" && c.opt.Tools.PDFToPPM != "" && len(use) > 0
	if !able {
		return c.reportMissingOCR(ctx, wanted, missing)
	}
	read, failed, err := c.eachPage(ctx, wanted, func(p *page) (bool, error) { return c.readPage(ctx, p, use) })
	if err != nil {
		return err
	}
	if len(failed) > 0 && len(failed) == len(c.pages) {
		return &parse.Failed{Code: parse.OCRFailed,
			Reason: fmt.Sprintf("none of its %d pages could be read by OCR: %v", len(failed), failed[0].err)}
	}
	for _, f := range failed {
		c.w.Warn("page %d could not be read by OCR: %v", f.page.number, f.err)
	}
	if len(read) > 0 {
		c.w.Warn("%s read by OCR (%s): the text may have errors", pagesAre(read), strings.Join(use, ", "))
		if len(missing) > 0 {
			c.w.Warn("OCR was without %s, which is not installed; install it with: apt-get install tesseract-ocr-%s",
				strings.Join(missing, ", "), strings.Join(missing, " tesseract-ocr-"))
		}
	}
	return nil
}

// reportMissingOCR says that pages cannot be read because OCR is not installed: where no page has
// text, the file fails. Empty pages do not count.
func (c *conversion) reportMissingOCR(ctx context.Context, wanted []*page, missing []string) error {
	what := "tesseract is not installed, which reads scanned pages; install it with: " + c.opt.Tools.installCommand()
	if c.opt.Tools.Tesseract != "" && len(missing) > 0 {
		what = fmt.Sprintf("tesseract has no data of %s; install it with: apt-get install tesseract-ocr-%s", strings.Join(missing, ", "),
			strings.Join(missing, " tesseract-ocr-"))
	}
	if c.opt.OCR == Force {
		return &parse.Failed{Code: parse.OCRFailed, Missing: true, Reason: what}
	}
	scanned := wanted
	if c.opt.Tools.PDFToPPM != "" {
		var err error
		scanned, _, err = c.eachPage(ctx, wanted, func(p *page) (bool, error) {
			picture, err := c.greyPictureOfPage(ctx, p, 30)
			return err != nil || !isBlank(picture), nil
		})
		if err != nil {
			return err
		}
	}
	switch {
	case len(scanned) == 0:
		return nil
	case len(wanted) == len(c.pages):
		return &parse.Failed{Code: parse.OCRFailed, Missing: true, Reason: what}
	}
	c.w.Warn("%s pictures: %s", pagesAre(scanned), what)
	return nil
}

// pageError is why a page could not be read.
type pageError struct {
	page *page
	err  error
}

// eachPage calls do for pages, several at once, and waits: read are those for which it was
// true, in order. The error is the context's.
func (c *conversion) eachPage(ctx context.Context, pages []*page, do func(*page) (bool, error)) (read []*page, failed []pageError,
	err error) {
	done, errs := make([]bool, len(pages)), make([]error, len(pages))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(cap(c.processes), len(pages)) {
		wg.Go(func() {
			for i := range next {
				done[i], errs[i] = do(pages[i])
			}
		})
	}
	for i := range pages {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	for i, p := range pages {
		if errs[i] != nil {
			failed = append(failed, pageError{p, errs[i]})
		} else if done[i] {
			read = append(read, p)
		}
	}
	return read, failed, nil
}

// greyPictureOfPage is a page as a picture in grey, in the form PGM.
func (c *conversion) greyPictureOfPage(ctx context.Context, p *page, dpi float64) ([]byte, error) {
	if longer := max(p.width, p.height) / 72 * dpi; longer > mostPixels-100 {
		dpi *= (mostPixels - 100) / longer
	}
	var picture []byte
	n := strconv.Itoa(p.number)
	_, err := c.start(ctx, child.Program{Path: c.opt.Tools.PDFToPPM, Dir: c.dir,
		Args:   []string{"-f", n, "-l", n, "-r", strconv.FormatFloat(dpi, 'f', 2, 64), "-gray", "-q", c.file},
		Limits: child.Limits{Time: pictureTime, Memory: pictureMemory, Output: pictureOutput}}, func(r io.Reader) (err error) {
		picture, err = io.ReadAll(r)
		return err
	})
	return picture, err
}

// isBlank reports whether a picture in the form PGM shows nothing: few of its pixels are
// darker than most.
func isBlank(pgm []byte) bool {
	body := pgm
	for range 3 { // P5, width and height, maximum
		_, after, ok := bytes.Cut(body, []byte("\n"))
		if !ok {
			return true
		}
		body = after
	}
	var count [256]int
	for _, c := range body {
		count[c]++
	}
	most := 0
	for v, n := range count {
		if n > count[most] {
			most = v
		}
	}
	other := 0
	for v, n := range count {
		if math.Abs(float64(v-most)) > 60 {
			other += n
		}
	}
	return other*10_000 < len(body)
}

// readPage reads one page by OCR; false: it is blank, or shows no words.
func (c *conversion) readPage(ctx context.Context, p *page, languages []string) (bool, error) {
	picture, err := c.greyPictureOfPage(ctx, p, pictureDPI)
	if err != nil {
		return false, err
	}
	if isBlank(picture) {
		return false, nil
	}
	var width float64
	if _, err := fmt.Sscanf(string(picture[:min(40, len(picture))]), "P5\n%f", &width); err != nil || width <= 0 {
		return false, errors.New("pdftoppm wrote no picture")
	}
	var segments []segment
	_, err = c.start(ctx, child.Program{Path: c.opt.Tools.Tesseract, Dir: c.dir, Stdin: bytes.NewReader(picture),
		Args:   []string{"stdin", "stdout", "-l", strings.Join(languages, "+"), "--dpi", strconv.Itoa(pictureDPI), "tsv"},
		Limits: child.Limits{Time: ocrTime, Memory: ocrMemory, Output: ocrOutput}}, func(r io.Reader) (err error) {
		segments, err = readTSV(r, p.width/width)
		return err
	})
	if err != nil {
		return false, err
	}
	if len(segments) == 0 {
		return false, nil
	}
	p.segments, p.ocr = segments, true
	return true, nil
}

// leastConfidence is how sure tesseract must be of a word, of 100.
const leastConfidence = 25

// readTSV reads the words that tesseract found. scale makes points of pixels.
func readTSV(r io.Reader, scale float64) ([]segment, error) {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 64<<10), mostWordLine)
	var segments []segment
	line := ""
	for s.Scan() {
		f := strings.Split(s.Text(), "\t")
		if len(f) != 12 || f[0] != "5" {
			continue
		}
		var n [5]float64 // left, top, width, height, confidence
		ok := true
		for i := range n {
			v, err := strconv.ParseFloat(f[6+i], 64)
			n[i], ok = v, ok && err == nil && !math.IsNaN(v) && math.Abs(v) < 1e6
		}
		text := strings.TrimSpace(cleanWord(f[11]))
		if !ok || text == "" || n[4] < leastConfidence {
			continue
		}
		w := word{text: text, box: box{n[0] * scale, n[1] * scale, (n[0] + n[2]) * scale, (n[1] + n[3]) * scale}}
		if key := strings.Join(f[1:5], " "); key != line || len(segments) == 0 || w.x0-segments[len(segments)-1].x1 > 3*w.boxHeight() {
			line = key
			segments = append(segments, segment{box: w.box})
		}
		last := &segments[len(segments)-1]
		last.words, last.box = append(last.words, w), last.unionWith(w.box)
	}
	return segments, s.Err()
}

// pagesAre names pages: "page 3 is", "pages 1–4 and 7 are".
func pagesAre(pages []*page) string {
	var parts []string
	for i := 0; i < len(pages); {
		n := i
		for n+1 < len(pages) && pages[n+1].number == pages[n].number+1 {
			n++
		}
		part := strconv.Itoa(pages[i].number)
		if n > i {
			part += "–" + strconv.Itoa(pages[n].number)
		}
		parts = append(parts, part)
		i = n + 1
	}
	if len(pages) == 1 {
		return "page " + parts[0] + " is"
	}
	if len(parts) > 8 {
		return fmt.Sprintf("%d of the pages are", len(pages))
	}
	if n := len(parts); n > 1 {
		return "pages " + strings.Join(parts[:n-1], ", ") + " and " + parts[n-1] + " are"
	}
	return "pages " + parts[0] + " are"
}
