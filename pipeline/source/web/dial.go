package web

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"
)

// refusedAddress is the error of a connection that the policy does not allow.
type refusedAddress struct{ reason error }

func (e *refusedAddress) Error() string { return e.reason.Error() }

// dialer makes connections and checks each address after its name was resolved, so that a
// name which resolves to another address the second time does not get around the policy.
type dialer struct {
	timeout time.Duration
	policy  Policy
	proxies *proxyList
}

func (d *dialer) dial(ctx context.Context, network, asked string) (net.Conn, error) {
	asked = strings.ToLower(asked)
	own := net.Dialer{Timeout: d.timeout}
	if !d.proxies.has(asked) {
		own.ControlContext = func(_ context.Context, network, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err == nil {
				err = d.policy.checkAddress(asked, to.Addr())
			}
			if err != nil {
				return &refusedAddress{err}
			}
			return nil
		}
	}
	return own.DialContext(ctx, network, asked)
}

// proxyList keeps the proxies that requests were sent through: the user named them, and
// they may lie in a private network.
type proxyList struct {
	find  func(*http.Request) (*url.URL, error)
	mutex sync.Mutex
	hosts map[string]bool
}

func (p *proxyList) findProxy(r *http.Request) (*url.URL, error) {
	proxy, err := p.find(r)
	if err != nil || proxy == nil {
		return proxy, err
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.hosts == nil {
		p.hosts = map[string]bool{}
	}
	at := hostPort(proxy)
	if strings.HasPrefix(proxy.Scheme, "socks") && proxy.Port() == "" {
		at = strings.TrimSuffix(at, ":80") + ":1080"
	}
	p.hosts[at] = true
	return proxy, nil
}

func (p *proxyList) has(host string) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.hosts[host]
}

func tlsConfig(roots *x509.CertPool) *tls.Config {
	return &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}
