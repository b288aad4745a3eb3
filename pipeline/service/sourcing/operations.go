package sourcing

import (
	"context"
	"net/http"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/operation"
	"docent/pipeline/service/sourcing/kept"
)

// toolName is the tool that adds documentation, which changes the library.
const toolName = "add_documentation"

// RemoteRequest names a source to a server.
type RemoteRequest struct {
	Source  string `json:"source" tool:"source" maxLength:"2000" doc:"an address or a name with its version: github.com/org/repo@1.2"`
	Ref     string `json:"ref,omitempty" tool:"ref" maxLength:"200" doc:"branch, tag or commit of a repository"`
	Path    string `json:"path,omitempty" tool:"path" maxLength:"500" doc:"folder of a repository; without it the documentation is found"`
	Name    string `json:"name,omitempty" tool:"name" maxLength:"200" doc:"name of the doc set; without it the source's"`
	Version string `json:"version,omitempty" tool:"version" maxLength:"200" doc:"version of the doc set; without it the source's"`
}

// Operations are what the service offers at the doors. The command line has a command of its
// own, docent add, which takes folders and files too.
func Operations() []operation.Operation[*Service] {
	return []operation.Operation[*Service]{
		operation.Watched("add-source", "fetches documentation and adds it, from hosts that the configuration allows",
			func(ctx context.Context, svc *Service, req RemoteRequest, sink contract.Sink) (Added, error) {
				return svc.AddRemote(ctx, req, sink)
			}).
			OverHTTP(operation.Route{Method: http.MethodPost, Path: "/api/docsets", ID: "addDocSet", Events: true,
				About: "fetches documentation from a host that sources.hosts allows, and adds it as a doc set"}).
			ForAgents(operation.Shortened(toolName, "Add documentation",
				"Fetches documentation by its address or name, and adds it, so that it can be asked. It may take minutes.", addForAgent).
				Changing()),
		operation.Watched("update-set", "brings a doc set up to date, from its folder, or its source at a host that is allowed",
			func(ctx context.Context, svc *Service, req library.SetRequest, sink contract.Sink) (library.Updated, error) {
				return svc.UpdateRemote(ctx, req, sink)
			}).
			OverHTTP(operation.Route{Method: http.MethodPost, Path: "/api/docsets/{set}/update", ID: "updateDocSet", Events: true,
				About: "brings a doc set up to date; its source is asked where sources.hosts allows its host"}),
	}
}

// addedDigest is the answer to an agent.
type addedDigest struct {
	DocSets []string `json:"doc_sets" jsonschema:"the doc sets that can be asked now, Name@version"`
	Pages   int      `json:"pages"`
	Source  string   `json:"source" jsonschema:"what was fetched, and at which state"`
	Others  []string `json:"other_folders,omitempty" jsonschema:"folders that could have been meant; give one as path"`
}

// ToolText names the added doc sets.
func (d addedDigest) ToolText() string {
	text := "added " + operation.OneLine(strings.Join(d.DocSets, ", ")) + ": " + operation.CountOf(d.Pages, "page", "pages") +
		", from " + operation.OneLine(d.Source)
	if len(d.Others) > 0 {
		text += "\nother folders that could be meant: " + operation.OneLine(strings.Join(d.Others, ", "))
	}
	return text
}

func addForAgent(ctx context.Context, svc *Service, req RemoteRequest, room operation.Room) (addedDigest, error) {
	out, err := svc.AddRemote(ctx, req, room.Sink)
	if err != nil {
		return addedDigest{}, err
	}
	d := addedDigest{DocSets: []string{}, Source: out.Source.Source, Others: out.Others}
	for _, s := range out.Sets {
		d.DocSets = append(d.DocSets, s.Set)
		d.Pages += s.Pages
	}
	if c := out.Source.Commit; c != "" {
		d.Source += " at " + c
	}
	return d, nil
}

// UpdateRemote is Update of one doc set for those who ask a server. A source at a host that the
// configuration does not allow is not asked: the index follows the files that are here.
func (svc *Service) UpdateRemote(ctx context.Context, req library.SetRequest, sink contract.Sink) (library.Updated, error) {
	watch := home.Watch{Note: operation.Notes(sink), Events: sink}
	sets, err := svc.home.ResolveOrAll(ctx, []string{req.Set})
	if err != nil {
		return library.Updated{Sets: []ingest.Report{}}, err
	}
	update := UpdateRequest{UpdateRequest: library.UpdateRequest{Sets: []string{sets[0].Ref.String()}}, strict: true}
	if r, _, fetched, err := kept.ReadRecord(ctx, svc.home, sets[0]); err == nil && fetched {
		if refused := svc.checkHost(ctx, r.Want.Address); refused != nil {
			watch.Notef("the source of %s is not asked: %v", sets[0].Ref, refused)
			update.Offline = true
		}
	}
	out, err := svc.Update(ctx, update, watch)
	if err == nil && len(out.Missing) > 0 {
		err = out.Missing[0]
	}
	return out, err
}

// AddRemote is Add for those who ask a server: from hosts that the configuration allows.
func (svc *Service) AddRemote(ctx context.Context, req RemoteRequest, sink contract.Sink) (Added, error) {
	if err := svc.checkHost(ctx, req.Source); err != nil {
		return Added{Updated: library.Updated{Sets: []ingest.Report{}}}, err
	}
	return svc.add(ctx, AddRequest{Source: req.Source, Ref: req.Ref, Path: req.Path, Name: req.Name, Version: req.Version},
		home.Watch{Note: operation.Notes(sink), Events: sink}, true)
}
