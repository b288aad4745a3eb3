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

func newNamespace() (*namespace, error) { return nil, errNoNamespace }

func (*namespace) start(*exec.Cmd) error { return errNoNamespace }

func (*namespace) dial(string) (net.Conn, error) { return nil, errNoNamespace }

func (*namespace) close() error { return nil }
