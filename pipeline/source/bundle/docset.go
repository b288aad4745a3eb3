package bundle

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"docent/pipeline/text/nameindex"
)

// docsetTime bounds how long the index of a docset is read. A view may be endless.
const docsetTime = time.Minute

// prepareDocset takes the index of a docset's names out of its database. The form is Dash's:
// https://kapeli.com/docsets#dashDocset
func prepareDocset(ctx context.Context, dir string, open OpenDB) (Bundle, error) {
	b := Bundle{Root: "Contents/Resources/Documents"}
	info := readPropertyList(filepath.Join(dir, "Contents", "Info.plist"))
	about := struct{ Name, Title, Version, Revision string }{}
	if raw, err := readSmall(filepath.Join(dir, "meta.json")); err == nil {
		_ = json.Unmarshal(raw, &about) // what it says is optional
	}
	b.Name = setName(firstText(info["CFBundleName"], about.Title, about.Name, strings.TrimSuffix(filepath.Base(dir), ending)))
	b.Version = setName(firstText(about.Version, info["CFBundleShortVersionString"]))
	b.URLBase = webAddress(firstText(info["DashDocSetFallbackURL"]))
	database := filepath.Join(dir, "Contents", "Resources", "docSet.dsidx")
	if !isFile(database) || open == nil {
		return b, nil // its pages are documentation without it
	}
	ctx, cancel := context.WithTimeout(ctx, docsetTime)
	defer cancel()
	entries, err := readDocsetNames(ctx, database, open)
	if err == nil {
		b.Names, err = writeNames(filepath.Join(dir, filepath.FromSlash(b.Root)), entries)
	}
	if err != nil {
		return b, fmt.Errorf("the index of names of the docset: %w", err)
	}
	return b, os.Remove(database)
}

// webAddress is the address below which files lie on the web, as doc.PageURL takes it; "" for
// other texts.
func webAddress(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ""
	}
	return strings.TrimRight(text, "/") + "/{file}"
}

// The queries of the two forms of an index: that of docsets that programs make, and that of
// Apple's own.
const (
	plainNames = `SELECT name, type, path, '' FROM searchIndex ORDER BY id LIMIT ?`
	coreNames  = `SELECT t.ZTOKENNAME, coalesce(k.ZTYPENAME, ''), f.ZPATH, coalesce(m.ZANCHOR, '')
		FROM ZTOKEN t JOIN ZTOKENMETAINFORMATION m ON t.ZMETAINFORMATION = m.Z_PK JOIN ZFILEPATH f ON m.ZFILE = f.Z_PK
		LEFT JOIN ZTOKENTYPE k ON t.ZTOKENTYPE = k.Z_PK ORDER BY t.Z_PK LIMIT ?`
)

// entryTags are what Dash writes before a path: <dash_entry_name=…>.
var entryTags = regexp.MustCompile(`<dash_entry_[^<>]*>`)

// readDocsetNames reads the database of a docset, which is somebody else's: it is opened for
// reading alone, and nothing that its schema names is run.
func readDocsetNames(ctx context.Context, file string, open OpenDB) (entries []nameindex.Entry, err error) {
	db, err := open(file, url.Values{"mode": {"ro"}, "immutable": {"1"},
		"_pragma": {"trusted_schema(OFF)", "cell_size_check(ON)", "query_only(ON)"}})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	query := ""
	for table, q := range map[string]string{"searchIndex": plainNames, "ZTOKEN": coreNames} {
		var n int
		err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?`, table).Scan(&n)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			query = q
		}
	}
	if query == "" {
		return nil, errors.New("it has neither a table searchIndex nor ZTOKEN")
	}
	rows, err := db.QueryContext(ctx, query, mostNames)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var e nameindex.Entry
		if err := rows.Scan(&e.Name, &e.Kind, &e.Path, &e.Anchor); err != nil {
			return nil, err
		}
		// Guides and sections are pages and headings, which have their titles.
		if e.Kind == "Guide" || e.Kind == "Section" {
			continue
		}
		e.Path = entryTags.ReplaceAllString(e.Path, "")
		if page, anchor, ok := strings.Cut(e.Path, "#"); ok {
			e.Path, e.Anchor = page, anchor
		}
		if plain, err := url.PathUnescape(e.Path); err == nil {
			e.Path = plain
		}
		entries = append(entries, e)
	}
	return entries, rows.Err()
}

// readPropertyList reads the texts of a property list in XML by their keys. A list that cannot
// be read has none.
func readPropertyList(file string) map[string]string {
	out := map[string]string{}
	raw, err := readSmall(file)
	if err != nil {
		return out
	}
	d := xml.NewDecoder(strings.NewReader(string(raw)))
	d.Strict = false
	key, text := "", ""
	for {
		token, err := d.Token()
		if err != nil {
			return out
		}
		switch t := token.(type) {
		case xml.StartElement:
			text = ""
		case xml.CharData:
			text += string(t)
		case xml.EndElement:
			switch t.Name.Local {
			case "key":
				key = text
			case "string":
				if _, known := out[key]; key != "" && !known {
					out[key] = text
				}
				key = ""
			}
			text = ""
		}
	}
}
