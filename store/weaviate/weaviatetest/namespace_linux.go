package weaviatetest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
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
