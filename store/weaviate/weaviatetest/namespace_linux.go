package weaviatetest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// namespace is a network of its own with a loopback interface. It lives as long as the
// process that keeps it.
type namespace struct {
	keeper *exec.Cmd
	file   *os.File
	enter  chan func()
	done   chan struct{}
}

// network makes the networks of a cluster, and gives that of each node.
func (c *Cluster) network(o Options) ([]*namespace, error) {
	if !o.Apart {
		space, err := newNamespace()
		if err != nil {
			return nil, err
		}
		c.spaces = []*namespace{space}
		return slices.Repeat(c.spaces, o.Nodes), nil
	}
	for range o.Nodes + 1 {
		space, err := newNamespace()
		if err != nil {
			return nil, err
		}
		c.spaces = append(c.spaces, space)
	}
	hub, nodes := c.spaces[0], c.spaces[1:]
	if err := hub.ip("link add joined up type bridge"); err != nil {
		return nil, err
	}
	for i, node := range nodes {
		err := errors.Join(
			hub.ip(fmt.Sprintf("link add to%d type veth peer name out netns %d", i, node.keeper.Process.Pid)),
			hub.ip(fmt.Sprintf("link set to%d master joined up", i)),
			node.ip("address add "+addressApart(i)+"/24 dev out"),
			node.ip("link set out up"))
		if err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

// ip runs the program ip in the namespace.
func (n *namespace) ip(args string) error {
	return n.inside(func() error {
		out, err := exec.Command("ip", strings.Fields(args)...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("ip %s: %w: %s", args, err, strings.TrimSpace(string(out)))
		}
		return nil
	})
}

// Part cuts a node from the others of a cluster whose nodes are apart: what they send to each other is
// lost, as by a broken switch. Tests still reach it.
func (c *Cluster) Part(n *Node) error {
	return c.spaces[0].ip(fmt.Sprintf("link set to%d nomaster", n.number))
}

// Heal joins a node that Part cut off with the others.
func (c *Cluster) Heal(n *Node) error {
	return c.spaces[0].ip(fmt.Sprintf("link set to%d master joined", n.number))
}

func mount(dir string, size int64) error {
	return unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size))
}

// unmount takes a disk away, even where a file of it is open.
func unmount(dir string) error { return unix.Unmount(dir, unix.MNT_DETACH) }

// newNamespace makes a network namespace, which takes the rights of root.
func newNamespace() (*namespace, error) {
	if os.Getuid() != 0 {
		return nil, errors.New("network namespaces take the rights of root")
	}
	keeper := exec.Command("sh", "-c", "ip link set lo up && echo up && exec sleep 86400")
	keeper.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	out, err := keeper.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := keeper.Start(); err != nil {
		return nil, fmt.Errorf("make a network namespace: %w", err)
	}
	n := &namespace{keeper: keeper, enter: make(chan func()), done: make(chan struct{})}
	var up [3]byte
	if _, err := out.Read(up[:]); err != nil || string(up[:2]) != "up" {
		return nil, errors.Join(errors.New("the program ip cannot open the loopback interface of a network namespace"), n.closeKeeper())
	}
	if n.file, err = os.Open(fmt.Sprintf("/proc/%d/ns/net", keeper.Process.Pid)); err != nil {
		return nil, errors.Join(err, n.closeKeeper())
	}
	entered := make(chan error)
	go n.stay(entered)
	if err := <-entered; err != nil {
		return nil, errors.Join(err, n.closeKeeper(), n.file.Close())
	}
	return n, nil
}

// stay runs functions on a thread that is in the namespace until enter is closed. The thread
// ends with it.
func (n *namespace) stay(entered chan<- error) {
	defer close(n.done)
	runtime.LockOSThread()
	err := unix.Setns(int(n.file.Fd()), unix.CLONE_NEWNET)
	entered <- err
	if err != nil {
		return
	}
	for f := range n.enter {
		f()
	}
}

// inside runs f in the namespace.
func (n *namespace) inside(f func() error) error {
	err := make(chan error, 1)
	n.enter <- func() { err <- f() }
	return <-err
}

// start starts a program in the namespace, which ends with this process.
func (n *namespace) start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return n.inside(cmd.Start) // a child is in the namespace of the thread that makes it
}

// dial connects to an address in the namespace.
func (n *namespace) dial(address string) (conn net.Conn, err error) {
	err = n.inside(func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		conn, err = new(net.Dialer).DialContext(ctx, "tcp4", address)
		return err
	})
	return conn, err
}

func (n *namespace) close() error {
	close(n.enter)
	<-n.done
	return errors.Join(n.file.Close(), n.closeKeeper())
}

func (n *namespace) closeKeeper() error {
	err := n.keeper.Process.Kill()
	_ = n.keeper.Wait() // it says that the process was killed
	return err
}
