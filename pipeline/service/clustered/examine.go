package clustered

import (
	"context"
	"fmt"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/service/care/finding"
	"docent/pipeline/service/home"
	"docent/pipeline/text/plural"
	"docent/store/networked"
)

// What doctor calls the servers.
const (
	server   finding.Kind = "server of the indexes"
	database finding.Kind = "database"
)

// mostSkew is the greatest difference between two clocks that doctor accepts: the stores delete by age.
const mostSkew = 5 * time.Second

// ExamineDatabase looks, for doctor, at the database that has a home's catalog; nil where its folder
// has it.
func ExamineDatabase(ctx context.Context, opened home.Stores) *finding.Finding {
	s, ok := opened.(stores)
	if !ok {
		return nil
	}
	f := finding.NoFault(database, "", "")
	info, err := s.db.Inspect(ctx)
	if err != nil {
		f = f.Failed(err, "", contract.Configure("store.catalog", ""))
		return &f
	}
	f.Text = "PostgreSQL " + info.Version + " at " + s.db.Name()
	skew := time.Until(info.Clock).Round(time.Second)
	switch {
	case info.ReadOnly:
		f = f.Failed(fmt.Errorf("%s takes no changes", f.Text), "name the server that takes changes", nil)
	case skew.Abs() > mostSkew:
		f = f.Failed(fmt.Errorf("%s: its clock and this machine's are %v apart", f.Text, skew.Abs()), "set the clocks by NTP", nil)
	}
	return &f
}

// Examine looks, for doctor, at the server that has a home's indexes; nil where its folder has
// them.
func Examine(ctx context.Context, indexes home.Indexes) *finding.Finding {
	x, ok := indexes.(Indexes)
	if !ok {
		return nil
	}
	f := finding.NoFault(server, "", "")
	h, err := x.Health(ctx)
	if err != nil {
		f = f.Failed(err, "", contract.Configure("store.index", ""))
		return &f
	}
	f.Text = fmt.Sprintf("Weaviate %s, %s, %s of each doc set", h.Version, plural.Count(len(h.Nodes), "node", "nodes"),
		plural.Count(max(1, h.Replicas), "copy", "copies"))
	fault, mend := faultOf(h)
	closed := readOnlyOf(h)
	switch {
	case fault == "" && closed != "":
		f = f.Repairable(finding.RepairServer, fmt.Errorf("%s: %s", f.Text, closed), "give the disk space")
	case fault != "":
		f = f.Failed(fmt.Errorf("%s: %s", f.Text, fault), mend, nil)
	case networked.IsOlder(h.Version, networked.FirstRight):
		f.Text += "; before " + networked.FirstRight + " its nodes need USE_INVERTED_SEARCHABLE=false, else new pages are ranked wrongly"
	}
	return &f
}

// readOnlyOf names the nodes with shards that take no changes, "" without any.
func readOnlyOf(h networked.Health) string {
	var closed []string
	for _, n := range h.Nodes {
		if some := len(n.ReadOnly()); some > 0 {
			closed = append(closed, fmt.Sprintf("%s takes no changes in %s, as after a full disk", n.Name,
				plural.Count(some, "shard", "shards")))
		}
	}
	return strings.Join(closed, ", ")
}

// faultOf names the fault of a server, "" without one, and its remedy.
func faultOf(h networked.Health) (fault, mend string) {
	if networked.IsOlder(h.Version, networked.OldestVersion) {
		return "this version is too old", "install " + networked.FirstRight + " or newer"
	}
	var away []string
	for _, n := range h.Nodes {
		if n.Status != networked.Healthy {
			away = append(away, n.Name+" is "+strings.ToLower(n.Status))
		}
		if n.Version != "" && n.Version != h.Version {
			away = append(away, n.Name+" has version "+n.Version)
		}
	}
	switch {
	case len(away) > 0:
		return strings.Join(away, ", "), "start the nodes that are away; as long as more than half of the copies are there, all goes on"
	case h.Skew > mostSkew || h.Skew < -mostSkew:
		return fmt.Sprintf("the clock of %s and this machine's are %v apart", h.Skewed, h.Skew.Abs()), "set the clocks by NTP"
	case h.Remote != nil:
		return "searches cannot reach it: " + h.Remote.Error(),
			"put the port of its gRPC interface behind grpc= in [store] index, or leave grpc= out"
	case h.Replicas > len(h.Nodes):
		return fmt.Sprintf("%d copies cannot lie on %s", h.Replicas, plural.Count(len(h.Nodes), "node", "nodes")),
			"add nodes, or start one again that was cut off from the others"
	}
	return "", ""
}
