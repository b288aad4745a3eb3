package org

import (
	"path"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/markdown"
)

// addLink adds a link. Of links that only Emacs can follow the text is shown.
func (p *page) addLink(b *strings.Builder, to, shown string, depth int) {
	to = strings.NewReplacer(`\[`, "[", `\]`, "]", `\\`, `\`).Replace(to)
	if word, rest, ok := strings.Cut(to, ":"); ok && p.abbreviations[word] != "" {
		if full := p.abbreviations[word]; strings.Contains(full, "%s") {
			to = strings.ReplaceAll(full, "%s", rest)
		} else {
			to = full + rest
		}
	}
	address, picture := p.addressOf(to)
	name := to
	if m := scheme().FindStringSubmatch(to); m != nil && m[1] != "http" && m[1] != "https" && m[1] != "ftp" {
		name = m[2]
	}
	if picture && shown == "" {
		b.WriteString(build.ImageInline("", address))
		return
	}
	var in strings.Builder
	switch {
	case shown == "":
		in.WriteString(build.TextInline(strings.TrimLeft(name, "*#")))
	case depth >= mostInline:
		in.WriteString(build.TextInline(withoutMarks(shown)))
	default:
		p.addInline(&in, shown, depth+1)
	}
	build.WrapRaw(b, in.String(), func(text string) string { return build.LinkInline(text, address) })
}

// addressOf is the address to which a link leads, "" for one that only Emacs can follow, and
// whether it is a picture.
func (p *page) addressOf(to string) (address string, picture bool) {
	kind, rest := "", to
	if m := scheme().FindStringSubmatch(to); m != nil {
		kind, rest = strings.ToLower(m[1]), m[2]
	}
	switch {
	case kind == "http" || kind == "https" || kind == "ftp" || kind == "mailto":
		return to, isPicture(to)
	case kind == "file" || kind == "" && (strings.HasPrefix(to, "./") || strings.HasPrefix(to, "../") || strings.HasPrefix(to, "/")):
		file, inside, _ := strings.Cut(rest, "::")
		switch {
		case strings.HasPrefix(inside, "#"):
			file += inside
		case strings.HasPrefix(inside, "*"):
			file += "#" + markdown.HeadingSlug(inside[1:])
		}
		return file, isPicture(file)
	case kind == "id":
		if anchor := p.anchors[nameKey("#"+rest)]; anchor != "" {
			return "#" + anchor, false
		}
		return "", false
	case kind != "":
		return "", false
	}
	if anchor := p.anchors[nameKey(to)]; anchor != "" {
		return "#" + anchor, false
	}
	return "", false
}

func isPicture(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp":
		return true
	}
	return false
}
