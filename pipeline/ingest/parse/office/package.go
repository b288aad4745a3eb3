package office

import (
	"context"
	"path"
	"strings"

	"docent/pipeline/ingest/parse/archive"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/spacing"
)

// Package is a document of Office Open XML while it is read: parts in an archive that refer to each
// other. Damage becomes a warning of the page.
type Package struct {
	Archive *archive.Archive
	Writer  *build.Writer
}

// Relation leads from a part to another one, or to an address outside of the document.
type Relation struct {
	Kind, Target string
	External     bool
}

// ReadPart reads a part as a tree; of a damaged one what there is, with a warning.
func (p Package) ReadPart(ctx context.Context, name string) (*Node, error) {
	data, err := p.Archive.Read(name)
	if err != nil {
		return nil, err
	}
	root, whole := Read(ctx, data)
	if !whole && ctx.Err() == nil {
		p.WarnDamaged(name)
	}
	return root, nil
}

// WarnDamaged warns that a part is read up to its damage.
func (p Package) WarnDamaged(part string) {
	p.Writer.Warn("its part %s is damaged: what follows after the damage is not read", part)
}

// Relations are the parts that a part refers to, by their ids.
func (p Package) Relations(ctx context.Context, part string) map[string]Relation {
	all := map[string]Relation{}
	root, err := p.ReadPart(ctx, path.Join(path.Dir(part), "_rels", path.Base(part)+".rels"))
	if err != nil {
		return all
	}
	for _, r := range ChildrenOf(root.Child("Relationships")) {
		to := Relation{Kind: path.Base(r.Attr("Type")), Target: r.Attr("Target"), External: r.Attr("TargetMode") == "External"}
		if !to.External {
			if rooted, ok := strings.CutPrefix(to.Target, "/"); ok {
				to.Target = rooted
			} else {
				to.Target = path.Join(path.Dir(part), to.Target)
			}
		}
		all[r.Attr("Id")] = to
	}
	return all
}

// TakeProperties gives the page the title and the metadata that the document's properties have.
func (p Package) TakeProperties(ctx context.Context) {
	core, err := p.ReadPart(ctx, "docProps/core.xml")
	if err != nil {
		return
	}
	p.Writer.Title(spacing.Single(core.Find("title").PlainText()))
	for _, about := range []string{"subject", "keywords", "description"} {
		p.Writer.AddMetadata(core.Find(about).PlainText())
	}
}
