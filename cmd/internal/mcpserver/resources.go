package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline/contract"
	"docent/pipeline/service"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/pages"
	"docent/pipeline/text/shorten"
)

// Every page and every section is a resource, tech_doc://DOC_SET/PAGE#SECTION_PATH, with the
// fields of specification 5. There may be a hundred thousand of them, so they are not
// registered: the template names them all, and the list has pages alone, read from the
// catalog a part at a time. Listing every section of 13 doc sets took 43 MB and 23 seconds,
// which clients that list at their start loaded.

const scheme = "tech_doc://"

// maxURI is the greatest length of an address that is taken.
const maxURI = 4096

// sectionURI is the address of a section.
func sectionURI(docSet, page, sectionPath string) string {
	segments := strings.Split(page, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	uri := scheme + url.PathEscape(docSet) + "/" + strings.Join(segments, "/")
	if sectionPath != "" {
		uri += "#" + url.PathEscape(sectionPath)
	}
	return uri
}

// parseURI reads the address of a section, also one that a person wrote without
// escapes.
func parseURI(uri string) (docSet, page, sectionPath string, err error) {
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok {
		return "", "", "", mcp.ResourceNotFoundError(uri)
	}
	place, fragment, _ := strings.Cut(rest, "#")
	docSet, page, _ = strings.Cut(place, "/")
	for _, part := range []*string{&docSet, &page, &fragment} {
		if plain, err := url.PathUnescape(*part); err == nil {
			*part = plain
		}
	}
	if docSet == "" || page == "" {
		return "", "", "", mcp.ResourceNotFoundError(uri)
	}
	return docSet, page, fragment, nil
}

// resource is a section as it is listed: the protocol's fields and specification 5's.
type resource struct {
	URI         string   `json:"uri"`
	Name        string   `json:"name"`
	Title       string   `json:"title"`
	MIMEType    string   `json:"mimeType"`
	SectionPath string   `json:"section_path"`
	Handle      string   `json:"handle"`
	Summary     string   `json:"summary"`
	Tokens      int      `json:"token_estimate"`
	Can         []string `json:"capabilities"`
}

// mimeType is that of all resources: pages of other formats are shown as Markdown too.
const mimeType = "text/markdown"

// capabilities are the methods of a resource.
func capabilities() []string { return []string{"read", "subscribe"} }

func resourceOf(i pages.SectionInfo) resource {
	name := i.DocSet + "/" + i.FilePath
	if i.SectionPath != "" {
		name += "#" + i.SectionPath
	}
	return resource{URI: sectionURI(i.DocSet, i.FilePath, i.SectionPath), Name: name, Title: shorten.Runes(i.Title, listedText),
		MIMEType:    mimeType,
		SectionPath: i.SectionPath, Handle: i.Handle, Summary: shorten.Runes(i.Summary, listedText), Tokens: i.Tokens, Can: capabilities()}
}

// protocolMeta is what clients that keep only the protocol's fields need to read on.
func (r resource) protocolMeta() mcp.Meta {
	return mcp.Meta{"handle": r.Handle, "token_estimate": r.Tokens}
}

// listResult is a part of the list. Its JSON has specification 5's fields in addition to
// the protocol's.
type listResult struct {
	*mcp.ListResourcesResult
	resources []resource
}

// MarshalJSON writes the protocol's result with the resources in their own form.
func (l listResult) MarshalJSON() ([]byte, error) {
	raw, err := json.Marshal(l.ListResourcesResult)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	type entry struct {
		resource
		Meta mcp.Meta `json:"_meta"`
	}
	entries := make([]entry, len(l.resources))
	for i, r := range l.resources {
		entries[i] = entry{r, r.protocolMeta()}
	}
	if fields["resources"], err = json.Marshal(entries); err != nil {
		return nil, err
	}
	return json.Marshal(fields)
}

// Limits of the list: resources of a part, and of the whole list, which keeps it below
// 100 KB; and the bytes of a summary in it.
const (
	listedAtOnce = 50
	listedAtMost = 150
	listedText   = 90
)

func (s *Server) addResources() {
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{Name: "section", Title: "A section of the documentation", MIMEType: mimeType,
		URITemplate: "tech_doc://{doc_set}/{+page}{#section_path}",
		Description: "A page, or with #section_path a section of it; doc_set is Name@version, section_path the headings joined by \" > \".",
	}, s.readResource)
	s.mcp.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			switch method {
			case "resources/list":
				if r, ok := req.(*mcp.ListResourcesRequest); ok {
					return s.listResources(ctx, r, next)
				}
			case "resources/read": // not by the template: headings have signs that it does not match
				if r, ok := req.(*mcp.ReadResourceRequest); ok && strings.HasPrefix(r.Params.URI, scheme) {
					return s.readResource(ctx, r)
				}
			}
			return next(ctx, method, req)
		}
	})
}

// listResources lists pages. The server's own list, which is empty, gives the form
// of the result.
func (s *Server) listResources(ctx context.Context, req *mcp.ListResourcesRequest, next mcp.MethodHandler) (mcp.Result, error) {
	cursor := ""
	if req.Params != nil {
		cursor = req.Params.Cursor
	}
	plain := *req
	plain.Params = &mcp.ListResourcesParams{}
	own, err := next(ctx, "resources/list", &plain)
	if err != nil {
		return nil, err
	}
	result, ok := own.(*mcp.ListResourcesResult)
	if !ok {
		return nil, fmt.Errorf("the list of resources is a %T", own)
	}
	var list pages.ResourcesAnswer
	err = s.withServices(ctx, func(ctx context.Context, h *service.Services) error {
		var err error
		list, err = h.Pages.Resources(ctx, pages.ResourcesRequest{Cursor: cursor, Limit: listedAtOnce, Most: listedAtMost})
		return err
	})
	if err != nil {
		return nil, err
	}
	result.NextCursor = list.Next
	out := listResult{ListResourcesResult: result, resources: make([]resource, len(list.Pages))}
	for i, page := range list.Pages {
		out.resources[i] = resourceOf(page)
	}
	return out, nil
}

// readResource reads a section, trimmed to the budget of a tool without one. Omissions
// are marked, and read_doc reads on by the handle.
func (s *Server) readResource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	docSet, page, sectionPath, err := parseURI(req.Params.URI)
	if err != nil {
		return nil, err
	}
	var part pages.Part
	err = s.withServices(ctx, func(ctx context.Context, h *service.Services) error {
		sets, err := h.Home.Canonical(ctx, []string{docSet})
		if err != nil {
			return err
		}
		part, err = h.Pages.ReadPart(ctx, pages.PartRequest{ReadRequest: locate.ReadRequest{Page: page, Sets: sets},
			SectionPath: sectionPath, MaxTokens: defaultTokens, Legible: true})
		return err
	})
	if errors.Is(err, context.Canceled) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", mcp.ResourceNotFoundError(req.Params.URI), err)
	}
	text := part.Content
	meta := mcp.Meta{"section_path": part.SectionPath, "handle": part.Handle, "summary": part.Summary, "token_estimate": part.Tokens,
		"lines": part.Lines, "truncated": part.Truncated, "capabilities": capabilities()}
	if part.NextLines != nil {
		text += contract.OmissionLine(part.NextLines[0], part.NextLines[1]) + "\n"
		meta["next_lines"] = *part.NextLines
	}
	return &mcp.ReadResourceResult{Cacheable: privateToClient(),
		Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: mimeType, Text: text, Meta: meta}}}, nil
}
