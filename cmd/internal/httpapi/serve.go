package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
)

// DefaultAddress is where the server listens unless somebody says otherwise.
const DefaultAddress = "127.0.0.1:7717"

// Listen opens an address. One that other machines reach is refused without a
// password; loopback says that none does.
func Listen(ctx context.Context, address string, password bool) (l net.Listener, loopback bool, err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, false, contract.Invalid("listen", "--listen is %q, it must be HOST:PORT such as %s", address, DefaultAddress)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return nil, false, contract.Invalid("listen", "the port of %q must be a number between 0 and 65535", address)
	}
	loopback = isLoopback(host)
	if !loopback && !password {
		return nil, false, contract.Invalid("listen",
			"%s can be reached from other machines, and there is no password; make one with: docent serve --set-password", address)
	}
	var lc net.ListenConfig
	l, err = lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, false, &home.UnavailableError{
			What: fmt.Sprintf("cannot listen on %s; choose another address with --listen, port 0 takes any that is free", address),
			Err:  err}
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); loopback && ok && !tcp.IP.IsLoopback() {
		return nil, false, errors.Join(contract.Invalid("listen", "%s is not an address of this machine alone", address), l.Close())
	}
	return l, loopback, nil
}

// isLoopback reports whether only this machine reaches a host.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// Serve answers on a listener until ctx ends; then it takes no new requests and
// finishes those that run, for as long as its limits say.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	srv := &http.Server{
		Handler: trackWorking(s.Handler()), ConnContext: withConnection, MaxHeaderBytes: maxHeader, ReadHeaderTimeout: headerWithin,
		ReadTimeout: s.opt.Limits.Read, IdleTimeout: idleWithin,
		BaseContext: func(net.Listener) context.Context { return base },
		ErrorLog:    slog.NewLogLogger(s.opt.Log.Handler(), slog.LevelDebug), // of connections that break off
	}
	ctx, over := context.WithCancel(ctx)
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		stopped <- s.shutDown(srv, cancel)
	}()
	connected := newClients(l, s.opt.Limits.Clients)
	s.connected.Store(connected)
	err := srv.Serve(connected)
	over()
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return errors.Join(err, <-stopped)
}

// shutDown finishes the requests that run; cancel ends those that take too long.
func (s *Server) shutDown(srv *http.Server, cancel func()) error {
	s.stopping.Store(true)
	s.end()
	within, done := context.WithTimeout(context.Background(), s.opt.Limits.Stop)
	defer done()
	err := srv.Shutdown(within)
	if errors.Is(err, context.DeadlineExceeded) {
		s.opt.Log.Warn("requests were still running at the end and were cancelled")
		cancel()
		return srv.Close()
	}
	return err
}
