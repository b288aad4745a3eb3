package httpapi

import (
	"bytes"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"docent/cmd/internal/httpapi/login"
)

// loginRequest and loginResponse are specification 4's.
type loginRequest struct {
	Password string `json:"password" maxLength:"1024"`
}

type loginResponse struct {
	Token     string `json:"token" doc:"for the header Authorization: Bearer"`
	ExpiresAt string `json:"expiresAt" format:"date-time"`
}

// logoutRequest ends sessions.
type logoutRequest struct {
	All bool `json:"all,omitempty" doc:"every session, not only the one of the token"`
}

type logoutResponse struct {
	Ended bool `json:"ended"`
}

const loginID = "login"

func loginEndpoints() []endpoint {
	return []endpoint{
		{method: http.MethodPost, path: "/api/auth/login", id: loginID, about: "a session for the password (specification 4)",
			in: loginRequest{}, out: loginResponse{},
			open: true, plainErrors: true, homeless: true, serve: serveLogin},
		{method: http.MethodPost, path: "/api/auth/logout", id: "logout", about: "ends the session of the token, or all",
			in: logoutRequest{}, out: logoutResponse{},
			plainErrors: true, homeless: true, serve: func(c *call) error {
				var q logoutRequest
				if len(bytes.TrimSpace(c.body)) > 0 {
					if err := c.decodeBody(&q); err != nil {
						return err
					}
				}
				if err := c.door.Leave(c.ctx, login.Bearer(c.r.Header.Get("Authorization")), q.All); err != nil {
					return err
				}
				return c.writeFound(logoutResponse{Ended: true})
			}},
	}
}

func serveLogin(c *call) error {
	var q loginRequest
	if err := c.decodeBody(&q); err != nil {
		return err
	}
	shown := login.Bearer(c.r.Header.Get("Authorization"))
	name, err := c.tokenName(c.ctx, shown)
	if err != nil {
		return err
	}
	who := login.Guest{Address: throttleAddress(c.clientAddress()), Token: shown, Trusted: name != ""}
	token, ends, err := c.door.Enter(c.ctx, who, q.Password)
	if many, ok := errors.AsType[*login.TooManyError](err); ok {
		e := refusalOf(http.StatusTooManyRequests, codeUnauthorized, "%v", err)
		e.retry = int(many.Wait/time.Second) + 1
		return e
	}
	if errors.Is(err, login.ErrWrong) {
		return refusalOf(http.StatusUnauthorized, codeUnauthorized, "%v", err)
	}
	if err != nil {
		return err
	}
	return c.writeFound(loginResponse{Token: token, ExpiresAt: ends.UTC().Format(time.RFC3339)})
}

// mostForwarded is how many addresses of X-Forwarded-For are looked at.
const mostForwarded = 50

// clientAddress is the address of the client that sent the request. X-Forwarded-For is believed
// from the proxies of the configuration alone, since any client can send one: the client is the
// last address in it that is not one of these proxies.
func (c *call) clientAddress() string {
	from := hostName(c.r.RemoteAddr)
	if !c.isProxy(from) {
		return from
	}
	var hops []string
	for _, line := range c.r.Header.Values("X-Forwarded-For") {
		hops = append(hops, strings.Split(line, ",")...)
	}
	for i, seen := len(hops)-1, 0; i >= 0 && seen < mostForwarded; i, seen = i-1, seen+1 {
		hop, err := netip.ParseAddr(hostName(strings.TrimSpace(hops[i])))
		if err != nil {
			break // the proxy did not write it
		}
		if from = hop.Unmap().String(); !c.isProxy(from) {
			break
		}
	}
	return from
}

// isProxy reports whether an address is one of the configured proxies.
func (c *call) isProxy(address string) bool {
	ip, err := netip.ParseAddr(address)
	return err == nil && slices.ContainsFunc(c.opt.Proxies, func(p netip.Prefix) bool { return p.Contains(ip.Unmap().WithZone("")) })
}

// throttleAddress is a client's address for the throttle: a network of one owner counts as one
// address.
func throttleAddress(host string) string {
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if ip = ip.Unmap(); ip.Is6() {
		const network = 64 // bits: what one customer gets
		if p, err := ip.WithZone("").Prefix(network); err == nil {
			return p.String()
		}
	}
	return ip.String()
}
