//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/yuin/goldmark"
)

// sitePages is the number of pages of the site that is measured.
const sitePages = 500

// measureSite measures adding a web site from loopback, as fast as it answers, and adding the
// folder with its files, and updates in which nothing has changed.
func (b *bench) measureSite(ctx context.Context) error {
	folders, err := b.folders()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "docent-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	files := filepath.Join(dir, "files")
	pages, err := writeSite(files, folders[0])
	if err != nil {
		return err
	}
	configuration := filepath.Join(dir, "docent.toml")
	if err := os.WriteFile(configuration, []byte("[sources]\nrequests_per_second = 0\n"), 0o600); err != nil {
		return err
	}
	var folder durations
	sites := []*measuredSite{{name: "sitemap", sitemap: true}, {name: "links"}}
	for _, s := range sites {
		stop, err := s.serve(ctx, files, pages)
		if err != nil {
			return err
		}
		defer stop()
	}
	for run := range b.runs {
		took, err := b.addOnce(dir, []string{files, "--name", "Bench"})
		if err != nil {
			return err
		}
		folder = append(folder, took)
		for _, s := range sites {
			home := filepath.Join(dir, fmt.Sprintf("%s-%d", s.name, run))
			if err := s.measure(&build{bin: b.bin, env: append(os.Environ(), "DOCENT_HOME="+home, "NO_COLOR=1")}, configuration); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	folder.report(fmt.Sprintf("add of a folder of %d pages", len(pages)), "")
	for _, s := range sites {
		s.add.report("add of the site by its "+s.name, fmt.Sprintf("  %d pages, peak memory %d MB", s.pages, s.peak>>10))
		s.update.report("update of the site, nothing changed", "")
		fmt.Printf("the site costs %.2f times the folder\n", s.add.ms(.5)/folder.ms(.5))
	}
	return nil
}

// measuredSite is a site whose pages are found one way.
type measuredSite struct {
	name        string
	sitemap     bool
	address     string
	pages       int // that were added
	add, update durations
	peak        int64 // KB
}

// measure adds the site to a new home, and updates it.
func (s *measuredSite) measure(one *build, configuration string) error {
	if _, err := one.run("status"); err != nil { // the manual is indexed
		return err
	}
	added, err := one.run("--config", configuration, "add", s.address, "--name", "Bench", "--version", "1")
	if err != nil {
		return err
	}
	if _, err := fmt.Sscanf(string(added.out), "Bench@1: %d pages", &s.pages); err != nil || s.pages < sitePages*9/10 {
		return fmt.Errorf("not all pages were added: %s", added.out)
	}
	updated, err := one.run("--config", configuration, "update", "Bench")
	if err != nil {
		return err
	}
	s.add, s.update = append(s.add, added.wall), append(s.update, updated.wall)
	s.peak = max(s.peak, added.rss, updated.rss)
	return nil
}

// serve serves the files of the site on loopback.
func (s *measuredSite) serve(ctx context.Context, dir string, pages []string) (stop func(), err error) {
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.address = "http://" + l.Addr().String() + "/docs/"
	var list strings.Builder
	list.WriteString(`<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, p := range append([]string{""}, pages...) {
		fmt.Fprintf(&list, "<url><loc>%s%s</loc><lastmod>2026-01-02</lastmod></url>", s.address, p)
	}
	list.WriteString("</urlset>")
	mux := http.NewServeMux()
	mux.Handle("/docs/", http.StripPrefix("/docs/", http.FileServer(http.Dir(dir))))
	if s.sitemap {
		mux.HandleFunc("/docs/sitemap.xml", func(w http.ResponseWriter, r *http.Request) {
			http.ServeContent(w, r, "sitemap.xml", time.Unix(1_700_000_000, 0), strings.NewReader(list.String()))
		})
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(l) // it is closed
	}()
	return func() { _ = server.Close(); <-done }, nil
}

// writeSite writes pages of Markdown as HTML, with a first page that links to all of them.
func writeSite(dir, docs string) (pages []string, err error) {
	var index strings.Builder
	index.WriteString("<html><head><title>Documentation</title></head><body><main><h1>Documentation</h1>\n<ul>\n")
	err = filepath.WalkDir(docs, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".md" || len(pages) == sitePages {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(docs, file)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.ToSlash(rel), ".md") + ".html"
		var body bytes.Buffer
		title := strings.TrimSuffix(filepath.Base(file), ".md")
		fmt.Fprintf(&body, "<html><head><title>%s</title></head><body><nav><a href=\"/docs/\">Documentation</a></nav><main><h1>%s</h1>\n", title, title)
		if err := goldmark.Convert(text, &body); err != nil {
			return err
		}
		body.WriteString("</main></body></html>\n")
		to := filepath.Join(dir, filepath.FromSlash(name))
		pages = append(pages, name)
		fmt.Fprintf(&index, "<li><a href=%q>%s</a></li>\n", "/docs/"+name, title)
		return errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, body.Bytes(), 0o600))
	})
	index.WriteString("</ul></main></body></html>\n")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "index.html"), []byte(index.String()), 0o600)
	}
	return pages, err
}
