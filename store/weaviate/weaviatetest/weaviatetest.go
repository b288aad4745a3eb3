// Package weaviatetest runs a real Weaviate for tests, one node or several, in a network
// namespace of its own: a Weaviate listens on every interface. Tests reach it on a port of
// the loopback address.
//
// It refuses to run where there are no network namespaces, and skips the test then.
package weaviatetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Node is one node of a cluster.
type Node struct {
	Address string // host and port, reached from this process
	GRPC    string // those of the gRPC interface

	number int
	of     int
	apart  bool
	repair time.Duration // Options.Replication
	dir    string
	space  *namespace
	cmd    *exec.Cmd
	log    *os.File
	fronts []net.Listener
}

// Cluster is a Weaviate of one or several nodes.
type Cluster struct {
	Nodes []*Node

	program string
	spaces  []*namespace // of all nodes, or one of each node and the one that joins them
	disks   []string     // that were mounted
	wg      sync.WaitGroup
}

// Options say which cluster is run.
type Options struct {
	Nodes int
	// Apart gives each node a network of its own, so that Part can cut it from the others.
	Apart bool
	// Disk is the size of a disk in memory that each node has for its data, in bytes; 0: a folder
	// without a limit. A test that fills a node's disk needs one.
	Disk int64
	// Replication is after what time a node is brought what it lacks, and how often nodes are compared for
	// it; 0: the engine's own, 30 seconds.
	Replication time.Duration
}

const (
	startTimeout = time.Minute
	firstPort    = 8080
	firstGRPC    = 50051
)

// Start starts a cluster and stops it when the test ends. It skips the test where Weaviate
// cannot be run, or fails it where DOCENT_TEST_REQUIRE names weaviate.
func Start(tb testing.TB, nodes int) *Cluster {
	tb.Helper()
	return StartWith(tb, Options{Nodes: nodes})
}

// StartWith starts a cluster as Start does, with options.
func StartWith(tb testing.TB, o Options) *Cluster {
	tb.Helper()
	c, err := runWith(tb.TempDir(), o)
	if errors.Is(err, ErrNotHere) {
		if slices.Contains(strings.Split(os.Getenv("DOCENT_TEST_REQUIRE"), ","), "weaviate") {
			tb.Fatal(err)
		}
		tb.Skip(err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := c.Stop(); err != nil {
			tb.Error(err)
		}
	})
	return c
}

// ErrNotHere means that Weaviate cannot be run on this machine.
var ErrNotHere = errors.New("no Weaviate runs here")

// Run runs a cluster, with its data in a folder, until Stop. The error wraps ErrNotHere where
// Weaviate cannot be run.
func Run(dir string, nodes int) (*Cluster, error) { return runWith(dir, Options{Nodes: nodes}) }

// runWith runs a cluster as Run does, with options.
func runWith(dir string, o Options) (*Cluster, error) {
	program, err := findProgram()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	c := &Cluster{program: program}
	spaces, err := c.network(o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrNotHere, err), c.Stop())
	}
	for i, space := range spaces {
		n := &Node{number: i, of: o.Nodes, apart: o.Apart, repair: o.Replication, space: space}
		n.dir = filepath.Join(dir, "node"+strconv.Itoa(i))
		c.Nodes = append(c.Nodes, n)
		if err := errors.Join(c.giveDisk(n, o.Disk), c.listen(n)); err != nil {
			return nil, errors.Join(err, c.Stop())
		}
	}
	for _, n := range c.Nodes {
		if err := c.RunNode(n); err != nil {
			return nil, errors.Join(err, c.Stop())
		}
	}
	for _, n := range c.Nodes {
		if err := c.Await(n); err != nil {
			return nil, errors.Join(err, c.Stop())
		}
	}
	return c, nil
}

// Folder is where a node keeps its data and its log.
func (n *Node) Folder() string { return n.dir }

// PID is the process of a node that runs.
func (n *Node) PID() int { return n.cmd.Process.Pid }

// addressApart is the address of a node with a network of its own.
func addressApart(i int) string { return "10.29.0." + strconv.Itoa(i+1) }

// RunNode starts a node that does not run.
func (c *Cluster) RunNode(n *Node) error {
	if err := os.MkdirAll(n.dir, 0o700); err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(n.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	n.log = log
	n.cmd = exec.Command(c.program, "--scheme", "http", "--host", "127.0.0.1", "--port", strconv.Itoa(firstPort+n.number))
	n.cmd.Env = append(os.Environ(), n.environment()...)
	n.cmd.Stdout, n.cmd.Stderr, n.cmd.Dir = log, log, n.dir
	return n.space.start(n.cmd)
}

// environment is a node's configuration. Nodes that share a network have ports of their own, others
// addresses.
func (n *Node) environment() []string {
	host, step := func(int) string { return "127.0.0.1" }, 2
	if n.apart {
		host, step = addressApart, 0
	}
	var gossip, raft []string
	for i := range n.of {
		gossip = append(gossip, fmt.Sprintf("%s:%d", host(i), 7100+step*i))
		raft = append(raft, fmt.Sprintf("weaviate-%d:%d", i, 8300+step*i))
	}
	i := n.number
	out := []string{
		"AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=true", "DEFAULT_VECTORIZER_MODULE=none", "API_BASED_MODULES_DISABLED=true",
		"DISABLE_TELEMETRY=true", "AUTOSCHEMA_ENABLED=false", "USE_INVERTED_SEARCHABLE=false", "RAFT_TIMEOUTS_MULTIPLIER=1",
		"FAST_FAILURE_DETECTION=true", "CLUSTER_IN_LOCALHOST=" + strconv.FormatBool(!n.apart),
		"CLUSTER_BIND_ADDR=" + host(i), "CLUSTER_ADVERTISE_ADDR=" + host(i),
		"PERSISTENCE_DATA_PATH=" + filepath.Join(n.dir, "data"), "CLUSTER_HOSTNAME=weaviate-" + strconv.Itoa(i),
		"CLUSTER_GOSSIP_BIND_PORT=" + strconv.Itoa(7100+step*i), "CLUSTER_DATA_BIND_PORT=" + strconv.Itoa(7101+step*i),
		"CLUSTER_JOIN=" + strings.Join(gossip, ","), "RAFT_PORT=" + strconv.Itoa(8300+step*i),
		"RAFT_INTERNAL_RPC_PORT=" + strconv.Itoa(8301+step*i), "RAFT_BOOTSTRAP_EXPECT=" + strconv.Itoa(n.of),
		"RAFT_JOIN=" + strings.Join(raft, ","), "GRPC_PORT=" + strconv.Itoa(firstGRPC+i), "LOG_LEVEL=warning",
		"PROMETHEUS_MONITORING_ENABLED=false", "GOMAXPROCS=2",
	}
	if n.repair > 0 {
		out = append(out, "ASYNC_REPLICATION_FREQUENCY="+n.repair.String(), "ASYNC_REPLICATION_PROPAGATION_DELAY="+n.repair.String())
	}
	return out
}

// Await waits until a node answers.
func (c *Cluster) Await(n *Node) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+n.Address+"/v1/.well-known/ready", nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(r)
		if err == nil {
			err = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return err
			}
		}
		select {
		case <-ctx.Done():
			raw, _ := os.ReadFile(n.log.Name())
			return fmt.Errorf("node %d is not ready: %w: %s", n.number, ctx.Err(), raw[max(0, len(raw)-2000):])
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Kill kills a node, as kill -9 does.
func (c *Cluster) Kill(n *Node) error {
	if n.cmd == nil || n.cmd.Process == nil {
		return nil
	}
	err := n.cmd.Process.Kill()
	_ = n.cmd.Wait() // it says that the process was killed
	n.cmd = nil
	return errors.Join(err, n.log.Close())
}

// Stop ends the cluster.
func (c *Cluster) Stop() (err error) {
	for _, n := range c.Nodes {
		for _, front := range n.fronts {
			err = errors.Join(err, front.Close())
		}
		err = errors.Join(err, c.Kill(n))
	}
	c.wg.Wait()
	for _, disk := range c.disks {
		err = errors.Join(err, unmount(disk))
	}
	for _, space := range c.spaces {
		err = errors.Join(err, space.close())
	}
	return err
}

// giveDisk gives a node a disk in memory of so many bytes; 0: none.
func (c *Cluster) giveDisk(n *Node, size int64) error {
	if size == 0 {
		return nil
	}
	err := os.MkdirAll(n.dir, 0o700)
	if err == nil {
		if err = mount(n.dir, size); err == nil {
			c.disks = append(c.disks, n.dir)
		}
	}
	return err
}

// Addresses are those of all nodes, joined by commas.
func (c *Cluster) Addresses() string {
	var out []string
	for _, n := range c.Nodes {
		out = append(out, n.Address)
	}
	return strings.Join(out, ",")
}

// GRPC are the addresses of the gRPC interface of all nodes, joined by commas.
func (c *Cluster) GRPC() string {
	var out []string
	for _, n := range c.Nodes {
		out = append(out, n.GRPC)
	}
	return strings.Join(out, ",")
}

// URL is the address of collections in the cluster, as docent takes it, with so many copies of each doc set.
func (c *Cluster) URL(name string, replicas int) string {
	return fmt.Sprintf("weaviate://%s/%s?replicas=%d&grpc=%s", c.Addresses(), name, replicas, c.GRPC())
}

// listen opens the ports in this process's network by which a node is reached.
func (c *Cluster) listen(n *Node) (err error) {
	if n.Address, err = c.open(n, firstPort+n.number); err == nil {
		n.GRPC, err = c.open(n, firstGRPC+n.number)
	}
	return err
}

// open opens a port in this process's network from which connections go to a port of a node.
func (c *Cluster) open(n *Node, port int) (address string, err error) {
	front, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	n.fronts = append(n.fronts, front)
	c.wg.Go(func() {
		var open sync.WaitGroup
		defer open.Wait()
		for {
			outside, err := front.Accept()
			if err != nil {
				return // closed
			}
			open.Go(func() { forward(outside, n, port) })
		}
	})
	return front.Addr().String(), nil
}

// forward copies a connection to a port of a node and back.
func forward(outside net.Conn, n *Node, port int) {
	defer outside.Close()
	inside, err := n.space.dial("127.0.0.1:" + strconv.Itoa(port))
	if err != nil {
		return // the caller sees a connection that ends
	}
	defer inside.Close()
	var both sync.WaitGroup
	for _, pair := range [][2]net.Conn{{inside, outside}, {outside, inside}} {
		both.Go(func() {
			_, _ = io.Copy(pair[0], pair[1])
			_ = pair[0].Close()
			_ = pair[1].Close()
		})
	}
	both.Wait()
}

// findProgram looks for the program in DOCENT_TEST_WEAVIATE, on PATH, and, compressed, in
// ../shared/tools next to the checkout.
func findProgram() (string, error) {
	if path := os.Getenv("DOCENT_TEST_WEAVIATE"); path != "" {
		return path, nil
	}
	for _, name := range []string{"weaviate-server", "weaviate"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		packed, err := filepath.Glob(filepath.Join(dir, "shared", "tools", "weaviate-*-linux-amd64.xz"))
		if err == nil && len(packed) > 0 {
			return unpack(packed[len(packed)-1])
		}
	}
	return "", errors.New("there is no weaviate-server: put one on PATH, or name it in DOCENT_TEST_WEAVIATE")
}

// unpack decompresses a program into a folder that later runs use again. It is renamed into
// place, so that several processes may do this at the same time.
func unpack(packed string) (string, error) {
	info, err := os.Stat(packed)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("docent-test-weaviate-%d-%x-%x", os.Getuid(), info.Size(), info.ModTime().Unix()))
	path := filepath.Join(dir, "weaviate")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "unpacking")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	var said bytes.Buffer
	cmd := exec.Command("xz", "-dc", packed)
	cmd.Stdout, cmd.Stderr = f, &said
	if err := errors.Join(cmd.Run(), f.Chmod(0o700), f.Close()); err != nil {
		return "", fmt.Errorf("%s cannot be unpacked with xz: %w %s", packed, err, said.Bytes())
	}
	return path, os.Rename(f.Name(), path)
}
