package pages

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/operation"
	"docent/pipeline/text/spelling"
)

// ListRequest asks for the pages of a doc set.
type ListRequest struct {
	Set    string `json:"doc_set" path:"set" tool:"doc_set" doc:"Name@version, or Name for the newest version"`
	Folder string `json:"folder,omitempty" query:"folder" tool:"folder" doc:"only the pages in this folder of the doc set, and below it"`
	Limit  int    `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000000000" doc:"pages at most"`
	Offset int    `json:"offset,omitempty" query:"offset" minimum:"0" maximum:"1000000000" doc:"pages that are left out before them"`
	Cursor string `json:"cursor,omitempty" tool:"cursor" doc:"next_cursor of an earlier answer"`
}

// ListAnswer is a part of a doc set's pages.
type ListAnswer struct {
	PageList
	Total int `json:"total" doc:"pages of the doc set, or of the folder"`
}

// listOperation lists the pages of a doc set.
func listOperation() operation.Operation[*Service] {
	return operation.New("pages", "the pages of a doc set by their paths",
		func(ctx context.Context, svc *Service, req ListRequest) (ListAnswer, error) {
			return svc.listPages(ctx, req)
		}).
		OverHTTP(operation.Route{Method: http.MethodGet, Path: "/api/docsets/{set}/pages", ID: "pages",
			About: "the pages of a doc set by their paths"}).
		ForAgents(operation.Shortened("list_pages", "List the pages of a doc set",
			"Lists the pages of a doc set by their paths, with titles and numbers of lines, or those of a folder. Use it to see what "+
				"there is; search_docs finds pages by what they say. Where not all fit, folders has the folders below with their "+
				"numbers of pages, to be listed with folder, and next_cursor gives the next pages.", listForAgent))
}

// PagesIn lists the pages of a folder of a doc set and of the folders below it; "" is the whole
// doc set.
func (svc *Service) PagesIn(ctx context.Context, docSet, folder string) (PageList, error) {
	list, err := svc.Pages(ctx, docSet)
	folder = strings.Trim(path.Clean("/"+folder), "/")
	if err != nil || folder == "" {
		return list, err
	}
	all := list.Pages
	list.Pages = slices.DeleteFunc(slices.Clone(all), func(p ListedPage) bool { return !strings.HasPrefix(p.Path, folder+"/") })
	if len(list.Pages) > 0 {
		return list, nil
	}
	return PageList{}, missingFolder(list.DocSet, folder, all)
}

// missingFolder is the error for a folder in which no page is.
func missingFolder(docSet, folder string, all []ListedPage) error {
	folders := map[string]bool{}
	for _, p := range all {
		for at := path.Dir(p.Path); at != "." && at != "/" && !folders[at]; at = path.Dir(at) {
			folders[at] = true
		}
	}
	names := slices.Sorted(maps.Keys(folders))
	text := fmt.Sprintf("%s has no folder %q", docSet, folder)
	var remedy *contract.Remedy
	if near := spelling.Nearest(folder, names); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
		remedy = contract.Change("folder", near...)
	} else {
		remedy = contract.RunDocent("read", docSet, "--toc").To("lists its pages")
	}
	e := contract.Invalid("folder", "%s", text)
	e.Err = contract.ErrNotThere
	return e.WithRemedy(remedy)
}

// folderNamed lists the pages of the folder that SET/FOLDER names, or FOLDER of the only doc set that
// narrows; false where there is no such folder.
func (svc *Service) folderNamed(ctx context.Context, at locate.ReadRequest) (PageList, bool) {
	if at.Section != "" {
		return PageList{}, false
	}
	set, folder, ok := strings.Cut(at.Page, "/")
	if len(at.Sets) == 1 {
		if list, err := svc.PagesIn(ctx, at.Sets[0], at.Page); err == nil {
			return list, true
		}
	}
	if !ok {
		return PageList{}, false
	}
	list, err := svc.PagesIn(ctx, set, folder)
	return list, err == nil
}

func (svc *Service) listPages(ctx context.Context, req ListRequest) (ListAnswer, error) {
	list, err := svc.PagesIn(ctx, req.Set, req.Folder)
	if err != nil {
		return ListAnswer{}, err
	}
	out := ListAnswer{PageList: list, Total: len(list.Pages)}
	out.Pages = out.Pages[min(req.Offset, len(out.Pages)):]
	if req.Limit > 0 && len(out.Pages) > req.Limit {
		out.Pages = out.Pages[:req.Limit]
	}
	return out, nil
}

// pagesDigest lists pages of a doc set for an agent.
type pagesDigest struct {
	DocSet     string         `json:"doc_set" jsonschema:"Name@version"`
	Total      int            `json:"total" jsonschema:"pages of the doc set, or of the folder"`
	Folders    []digestFolder `json:"folders,omitempty" jsonschema:"those next below, the largest first, where not all pages fit"`
	Pages      []ListedPage   `json:"pages"`
	NextCursor string         `json:"next_cursor,omitempty" jsonschema:"give it as cursor for more"`
}

// digestFolder is a folder of pages.
type digestFolder struct {
	Folder string `json:"folder" jsonschema:"for list_pages"`
	Pages  int    `json:"pages" jsonschema:"in it and below it"`
}

// ToolText lists the pages, one a line.
func (d pagesDigest) ToolText() string {
	var b strings.Builder
	if len(d.Pages) < d.Total {
		fmt.Fprintf(&b, "%d of ", len(d.Pages))
	}
	fmt.Fprintf(&b, "%s of %s", operation.CountOf(d.Total, "page", "pages"), operation.OneLine(d.DocSet))
	for _, f := range d.Folders {
		fmt.Fprintf(&b, "\nfolder %s: %s", operation.OneLine(f.Folder), operation.CountOf(f.Pages, "page", "pages"))
	}
	for _, p := range d.Pages {
		fmt.Fprintf(&b, "\n%s (%s)", operation.OneLine(p.Path), operation.OneLine(p.Title))
	}
	if d.NextCursor != "" {
		b.WriteString("\nmore with the cursor " + d.NextCursor)
	}
	return b.String()
}

// mostFolders is how many folders stand before a list that does not fit.
const mostFolders = 20

// foldersBelow are the folders next below a folder with their numbers of pages, the largest first.
func foldersBelow(folder string, pages []ListedPage) []digestFolder {
	lead := ""
	if folder = strings.Trim(path.Clean("/"+folder), "/"); folder != "" {
		lead = folder + "/"
	}
	counts := map[string]int{}
	for _, p := range pages {
		if head, _, below := strings.Cut(strings.TrimPrefix(p.Path, lead), "/"); below {
			counts[lead+head]++
		}
	}
	var out []digestFolder
	for name, n := range counts {
		out = append(out, digestFolder{name, n})
	}
	slices.SortFunc(out, func(a, b digestFolder) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), strings.Compare(a.Folder, b.Folder))
	})
	return out[:min(len(out), mostFolders)]
}

// listForAgent lists pages within a budget. Folders take up to a half of it, on the first part of
// the list alone. The cursor is the last path, so that it holds while the doc set changes.
func listForAgent(ctx context.Context, svc *Service, req ListRequest, room operation.Room) (pagesDigest, error) {
	at, err := readListCursor(req.Cursor)
	if err != nil {
		return pagesDigest{}, err
	}
	list, err := svc.PagesIn(ctx, req.Set, req.Folder)
	if err != nil {
		return pagesDigest{}, err
	}
	if at.Set != "" && at.Set != list.DocSet {
		return pagesDigest{}, contract.Invalid("cursor", "the cursor is of a list of %s; begin without one", at.Set)
	}
	total := len(list.Pages)
	slices.SortFunc(list.Pages, func(a, b ListedPage) int { return strings.Compare(a.Path, b.Path) })
	rest := slices.DeleteFunc(slices.Clone(list.Pages), func(p ListedPage) bool { return at.Path != "" && p.Path <= at.Path })
	whole := pagesDigest{DocSet: list.DocSet, Total: total, Pages: rest}
	if room.Fits(whole) {
		return whole, nil
	}
	var folders []digestFolder
	if at.Path == "" {
		folders = foldersBelow(req.Folder, list.Pages)
	}
	part := func(folders []digestFolder, n int) pagesDigest {
		out := pagesDigest{DocSet: list.DocSet, Total: total, Folders: folders, Pages: rest[:n]}
		if n > 0 && n < len(rest) {
			out.NextCursor = listCursor{list.DocSet, rest[n-1].Path}.String()
		}
		return out
	}
	count := func(folders []digestFolder) int {
		return operation.Longest(len(rest), func(n int) bool { return room.Fits(part(folders, n)) })
	}
	n := count(folders)
	for alone := count(nil); len(folders) > 0 && n < (alone+1)/2; n = count(folders) {
		folders = folders[:len(folders)-1]
	}
	if n == 0 { // a cursor to the same place would go on for ever
		return pagesDigest{}, contract.Invalid("max_tokens", "not even one page fits into %d tokens; give more", room.Most)
	}
	return part(folders, n), nil
}
