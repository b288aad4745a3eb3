//go:build !linux

package weaviatetest

import (
	"errors"
	"net"
	"os/exec"
)

// namespace is a network of its own, which this system does not have.
type namespace struct{}

var errNoNamespace = errors.New("there are network namespaces on Linux only")

func (*Cluster) network(Options) ([]*namespace, error) { return nil, errNoNamespace }

// Part cuts a node from the others.
func (*Cluster) Part(*Node) error { return errNoNamespace }

// Heal joins a node that Part cut off with the others.
func (*Cluster) Heal(*Node) error { return errNoNamespace }

func mount(string, int64) error { return errNoNamespace }

func unmount(string) error { return errNoNamespace }

func (*namespace) start(*exec.Cmd) error { return errNoNamespace }

func (*namespace) dial(string) (net.Conn, error) { return nil, errNoNamespace }

func (*namespace) close() error { return nil }
