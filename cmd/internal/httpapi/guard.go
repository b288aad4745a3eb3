package httpapi

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"docent/pipeline/contract"
)

// A browser sends requests to a server on this machine for any page that asks it to. Two
// checks keep such pages out. The Host of a request must be one of the server's own
// names: a page whose name was made to point here (DNS rebinding) sends its own. And if
// the browser names the requesting page, by Origin or Sec-Fetch-Site, that page must be
// the server's. A link from another site may open the dashboard, which holds no data,
// cannot be framed, and runs no question from its address.

// guardAgainstForeign refuses what does not come from the server's own names and pages, and has
// the headers that a browser needs.
func (s *Server) guardAgainstForeign(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setSafe(w.Header())
		c := &call{Server: s, w: w, r: r, note: noteOfRequest(r), ctx: r.Context(), done: func() {}}
		if why := s.foreignRequestError(r); why != nil {
			c.writeError(why)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// setSafe has a browser take nothing from here for a page, run nothing, show nothing
// in a frame, and keep nothing.
func setSafe(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// foreignRequestError is the reason why a request is refused, nil if it is not.
func (s *Server) foreignRequestError(r *http.Request) error {
	probe := r.URL.Path == "/health" || r.URL.Path == "/ready" // load balancers name what they like
	if !probe && !s.isOwnHostName(r.Host) {
		return refusalOf(http.StatusForbidden, codeForbidden,
			"the server is not called %s; use the address that it printed, or add the name to server.hosts in docent.toml",
			quotedInError(r.Host))
	}
	if origin := r.Header.Get("Origin"); origin != "" && !sameOrigin(origin, r.Host) {
		return refusalOf(http.StatusForbidden, codeForbidden, "a page of %s may not use this server", quotedInError(origin))
	}
	opens := r.Method == http.MethodGet && r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
		r.Header.Get("Sec-Fetch-Dest") == "document"
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" && !opens {
		return refusalOf(http.StatusForbidden, codeForbidden, "a page of another site may not use this server")
	}
	return nil
}

// isOwnHostName reports whether a Host is a name of the server. Where others reach it, it is
// guarded by its password; then every name is taken unless some are configured.
func (s *Server) isOwnHostName(host string) bool {
	name := strings.TrimSuffix(strings.ToLower(hostName(host)), ".")
	if slices.ContainsFunc(s.opt.Hosts, func(own string) bool { return strings.EqualFold(own, name) }) {
		return true
	}
	if !s.opt.Loopback && len(s.opt.Hosts) == 0 {
		return true
	}
	if name == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && (ip.IsLoopback() || !s.opt.Loopback)
}

// hostName is a Host without its port.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// sameOrigin reports whether an Origin is that of the server's own pages.
func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.EqualFold(u.Host, host)
}

// answerUnknownPath answers what no operation is for.
func (s *Server) answerUnknownPath(w http.ResponseWriter, r *http.Request) {
	c := &call{Server: s, w: w, r: r, note: noteOfRequest(r), ctx: r.Context(), done: func() {}}
	if allowed := s.methodsOfPath(r); len(allowed) > 0 {
		e := refusalOf(http.StatusMethodNotAllowed, codeMethod, "%s is not for %s; it is for %s", quotedInError(r.URL.Path),
			quotedInError(r.Method),
			strings.Join(allowed, ", "))
		e.allow = strings.Join(allowed, ", ")
		c.writeError(e)
		return
	}
	e := refusalOf(http.StatusNotFound, codeNotFound, "there is nothing at %s; the description at /openapi.json lists what there is",
		quotedInError(r.URL.Path))
	if strings.HasPrefix(r.URL.Path, "/api/phases/") {
		e = refusalOf(http.StatusNotFound, codeNotFound, "there is no phase at %s; the phases are %s", quotedInError(r.URL.Path),
			strings.Join(slices.DeleteFunc(contract.Phases(), func(p string) bool { return p == contract.PhaseCite }), " "))
	}
	c.writeError(e)
}

// methodsOfPath are those that the path of a request has.
func (s *Server) methodsOfPath(r *http.Request) []string {
	var out []string
	for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = m
		if _, pattern := s.mux.Handler(other); pattern != "/" && pattern != "" {
			out = append(out, m)
		}
	}
	return out
}
