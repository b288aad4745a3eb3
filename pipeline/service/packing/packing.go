// Package packing packs doc sets with the data derived of their pages, and takes over those that another
// docent packed.
//
// A package is made from nothing: the pages are copied, and indexed in a home of their own. So it
// depends on the pages alone, and not on the updates that a home has seen, and its documents are
// numbered from 1. Taken over, they get numbers of the home, which are higher by one and the same
// figure: the catalog gives out numbers one after the other, and the indexes keep the figure.
// Renumbering each passage would mean to write the index again.
//
// It refuses to fetch packages, which docent/pipeline/source/packed does, and to choose where
// packages lie: its callers give it a writer.
package packing

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/sourcing/kept"
	"docent/pipeline/source"
	"docent/pipeline/source/packed"
	"docent/store"
	"docent/store/doc"
	"docent/store/scratch"
)

// Service packs the doc sets of an opened home.
type Service struct {
	home *home.Home
	opt  Options
}

// Options are what the service needs.
type Options struct {
	// Stores gives the stores of another home in a folder.
	Stores func(dir string) (home.Stores, home.Indexes)
}

// New makes the service.
func New(h *home.Home, opt Options) *Service { return &Service{home: h, opt: opt} }

// rowsVersion is the version of the form in which rows of the catalog are packed.
const rowsVersion = 1

// IndexForm names the form of the index that this program packs: what it depends on besides the pages.
// The parsers' versions are not in it: an update reads the pages of older ones again.
func IndexForm(x store.Carrier) string {
	return fmt.Sprintf("%s, rows %d, passages %08x", x.CarriedForm(), rowsVersion, crc32.ChecksumIEEE(ingest.ProbePassages()))
}

// Request names the doc sets to pack.
type Request struct {
	Sets    []string
	NoIndex bool // the pages alone
}

// Packed lists the packed doc sets.
type Packed struct {
	Sets []packed.Set `json:"doc_sets"`
	// Files counts the files of the package, Bytes those in them.
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
}

// Pack writes a package of doc sets.
func (svc *Service) Pack(ctx context.Context, req Request, to io.Writer, w home.Watch) (out Packed, err error) {
	if len(req.Sets) == 0 {
		return out, contract.Invalid("doc_sets", "no doc set is named; name those that are to be packed")
	}
	sets, err := svc.home.Corpus.Resolve(ctx, req.Sets)
	if err != nil {
		return out, err
	}
	temp := scratch.InFolder(filepath.Join(svc.home.Dir, "tmp"))
	defer func() { err = errors.Join(err, temp.Close()) }()
	var contents []packed.Content
	for _, s := range sets {
		if s.Ref == home.ManualRef() || svc.home.HoldsUploads(s) {
			return out, contract.Invalid("doc_sets", "%s is docent's own; pack other doc sets", s.Ref)
		}
		dir, _, err := temp.MakeFolder(ctx)
		if err != nil {
			return out, err
		}
		c, err := svc.packSet(ctx, s, dir, !req.NoIndex, w)
		if err != nil {
			return out, err
		}
		contents = append(contents, c)
	}
	m, err := packed.Write(ctx, to, contents)
	if err != nil {
		return out, fmt.Errorf("pack: %w", err)
	}
	out.Sets, out.Files = m.Sets, len(m.Members)
	for _, f := range m.Members {
		out.Bytes += f.Size
	}
	return out, nil
}

// originOf is where a doc set's pages come from; of a package, where they came from before it.
func originOf(ctx context.Context, h *home.Home, s store.Set) *source.Origin {
	o := kept.Origin(ctx, h, s)
	if o != nil && o.Kind == source.KindPacked {
		return o.From
	}
	return o
}

// packSet gathers one doc set below a folder.
func (svc *Service) packSet(ctx context.Context, s store.Set, dir string, index bool, w home.Watch) (packed.Content, error) {
	pages := filepath.Join(dir, "pages")
	g, err := svc.gather(ctx, s, pages)
	if err != nil {
		return packed.Content{}, err
	}
	base, _ := doc.SplitSite(s.Site)
	c := packed.Content{Set: packed.Set{Name: s.Ref.Name, Version: s.Ref.Version, Root: g.root, URLBase: base,
		Origin: originOf(ctx, svc.home, s)}, Pages: g.files}
	if s.DomainGiven {
		c.Domain = s.Domain
	}
	if s.URLBase != "" {
		c.URLBase = s.URLBase
	}
	if !index {
		return c, nil
	}
	s.URLBase = c.URLBase
	s.Root = filepath.Join(pages, filepath.FromSlash(g.root))
	_, indexes := svc.opt.Stores(dir)
	c.Set.Index = IndexForm(indexes)
	c.Index, err = svc.indexApart(ctx, s, dir, w)
	return c, err
}
