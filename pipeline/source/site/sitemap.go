package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html/charset"

	"docent/pipeline/source/web"
)

// Bounds of sitemaps. The protocol allows 50 000 addresses and 50 MB in one.
const (
	mostSitemap  = 50 << 20
	mostListed   = 50_000 // addresses of all sitemaps together
	mostSitemaps = 100
	mostNesting  = 3 // of indexes
)

// listed is an address of a sitemap.
type listed struct {
	address, modified string
	foreign           []string // addresses of the page in other languages
}

// sitemapFile is what one sitemap says.
type sitemapFile struct {
	pages []listed
	maps  []listed // of an index
}

// sitemapRecord describes a sitemap for the next fetch.
type sitemapRecord struct {
	URL          string `json:"url"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	Digest       string `json:"digest"`
	// Dated reports whether all that it lists has a date, so that another sitemap or page
	// need not be asked where this one is as it was.
	Dated bool `json:"dated,omitempty"`
	Index bool `json:"index,omitempty"`
	Below bool `json:"below,omitempty"` // an index named it
}

// sitemaps are all sitemaps of a site, read.
type sitemaps struct {
	pages   []listed
	records []sitemapRecord
	over    int // sitemaps that were not read because of the bounds
}

// readSitemaps reads the sitemaps at addresses, and those that they name. Those that cannot
// be read are left out; ok reports whether there is one.
func (f *fetch) readSitemaps(ctx context.Context, start []string) (sitemaps, bool, error) {
	var out sitemaps
	type job struct {
		address string
		depth   int
	}
	var queue []job
	seen := map[string]bool{}
	add := func(address string, depth int) {
		if !seen[address] {
			seen[address] = true
			queue = append(queue, job{address, depth})
		}
	}
	for _, address := range start {
		add(address, 0)
	}
	for i := 0; i < len(queue); i++ {
		if len(out.records) >= mostSitemaps || len(out.pages) >= mostListed {
			out.over += len(queue) - i
			break
		}
		u, err := url.Parse(queue[i].address)
		if err != nil {
			continue
		}
		file, record, err := f.readSitemap(ctx, u, sitemapRecord{})
		if err != nil {
			if fatal(err) {
				return out, false, err
			}
			continue
		}
		record.Below = queue[i].depth > 0
		out.records = append(out.records, record)
		out.pages = append(out.pages, file.pages...)
		for _, m := range file.maps {
			if queue[i].depth < mostNesting {
				add(m.address, queue[i].depth+1)
			}
		}
	}
	if len(out.pages) > mostListed {
		out.pages = out.pages[:mostListed]
	}
	return out, len(out.pages) > 0, nil
}

// sitemapsAgain asks whether one of the sitemaps of the last fetch changed. Those below an
// index that dates them are not asked where it is as it was.
func (f *fetch) sitemapsAgain(ctx context.Context, before []sitemapRecord) (now []sitemapRecord, changed bool,
	err error) {
	dated := !slices.ContainsFunc(before, func(r sitemapRecord) bool { return r.Index && !r.Dated })
	for _, was := range before {
		if dated && was.Below {
			now = append(now, was)
			continue
		}
		u, err := url.Parse(was.URL)
		if err != nil {
			continue
		}
		_, record, err := f.readSitemap(ctx, u, was)
		switch {
		case err != nil && fatal(err):
			return nil, false, err
		case err != nil: // the pages are asked in its place
			record = was
		case record.Digest != was.Digest:
			return nil, true, nil
		}
		record.Below = was.Below
		now = append(now, record)
	}
	return now, false, nil
}

// acceptSitemaps are the types of sitemaps.
const acceptSitemaps = "application/xml,text/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1"

// readSitemap reads one sitemap; was is its record of the last fetch. Of a sitemap that did
// not change since then, file is empty and the record has the digest of was.
func (f *fetch) readSitemap(ctx context.Context, u *url.URL, was sitemapRecord) (file sitemapFile,
	record sitemapRecord, err error) {
	answer, err := f.client.Get(ctx, web.Request{URL: u, Accept: acceptSitemaps, ETag: was.ETag,
		LastModified: was.LastModified, Most: mostSitemap, Waiting: f.waiting})
	if err != nil {
		return file, record, err
	}
	if answer.NotModified {
		return file, was, nil
	}
	body, err := unzipped(answer.Body)
	if err != nil {
		return file, record, noSitemap(u, err)
	}
	record = recordOf(u, answer, body)
	if record.Digest == was.Digest {
		record.Dated, record.Index = was.Dated, was.Index
		return file, record, nil
	}
	if file, err = parseSitemap(body); err != nil {
		return file, record, noSitemap(u, err)
	}
	record.Index = len(file.maps) > 0
	record.Dated = true
	for _, l := range append(file.maps[:len(file.maps):len(file.maps)], file.pages...) {
		record.Dated = record.Dated && l.modified != ""
	}
	return file, record, nil
}

func recordOf(u *url.URL, a *web.Answer, body []byte) sitemapRecord {
	return sitemapRecord{URL: u.String(), ETag: a.ETag, LastModified: a.LastModified, Digest: digestOf(body)}
}

func noSitemap(u *url.URL, err error) error {
	return &web.Error{URL: u.String(), Kind: web.KindEncoding, Reason: err.Error(), Err: err}
}

// unzipped unpacks a file that is packed with gzip, as sitemap.xml.gz is.
func unzipped(body []byte) ([]byte, error) {
	if !bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
		return body, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(io.LimitReader(z, mostSitemap+1))
	if err == nil && len(plain) > mostSitemap {
		err = errors.New("the sitemap is too large")
	}
	return plain, err
}

var errNoSitemap = errors.New("it is no sitemap")

// parseSitemap reads a sitemap, an index of sitemaps, or a list of addresses, one a line.
func parseSitemap(body []byte) (sitemapFile, error) {
	var out sitemapFile
	text := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	if !bytes.HasPrefix(text, []byte("<")) {
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "http://") && !strings.HasPrefix(line, "https://") {
				return sitemapFile{}, errNoSitemap
			}
			out.pages = append(out.pages, listed{address: line})
		}
		return out, nil
	}
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Strict = false
	d.CharsetReader = charset.NewReaderLabel
	var one listed
	path := make([]string, 0, 8)
	root := false
	for {
		token, err := d.Token()
		if err != nil { // the addresses before the damage hold
			if !root {
				return sitemapFile{}, errNoSitemap
			}
			return out, nil
		}
		switch t := token.(type) {
		case xml.StartElement:
			if len(path) == 0 && t.Name.Local != "urlset" && t.Name.Local != "sitemapindex" {
				return sitemapFile{}, errNoSitemap
			}
			root = true
			if path = append(path, t.Name.Local); len(path) > 20 {
				return out, nil
			}
			switch t.Name.Local {
			case "url", "sitemap":
				one = listed{}
			case "link":
				one.foreign = append(one.foreign, alternateOf(t)...)
			}
		case xml.CharData:
			one.read(path, string(t))
		case xml.EndElement:
			if len(path) > 0 {
				path = path[:len(path)-1]
			}
			out.takeElement(t.Name.Local, one)
		}
	}
}

func (l *listed) read(path []string, text string) {
	if len(path) != 3 {
		return
	}
	switch path[2] {
	case "loc":
		l.address += strings.TrimSpace(text)
	case "lastmod":
		l.modified += strings.TrimSpace(text)
	}
}

func (s *sitemapFile) takeElement(element string, one listed) {
	switch {
	case one.address == "":
	case element == "url" && len(s.pages) < mostListed:
		s.pages = append(s.pages, one)
	case element == "sitemap" && len(s.maps) < mostSitemaps:
		s.maps = append(s.maps, one)
	}
}

// alternateOf is the address of <xhtml:link rel="alternate" hreflang="de" href="…">, with its
// language before it.
func alternateOf(t xml.StartElement) []string {
	language, address := "", ""
	for _, a := range t.Attr {
		switch a.Name.Local {
		case "hreflang":
			language = a.Value
		case "href":
			address = a.Value
		}
	}
	if language == "" || address == "" {
		return nil
	}
	return []string{language + " " + address}
}
