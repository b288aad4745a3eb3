package httpapi

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
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
				if err := c.decodeBody(&q); err != nil {
					return err
				}
				c.door.Leave(login.Bearer(c.r.Header.Get("Authorization")), q.All)
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
	who := login.Guest{Address: throttleAddress(c.r), Token: shown, Trusted: c.tokenName(shown) != ""}
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

// throttleAddress is the client's address for the throttle: a network of one owner counts as one
// address.
func throttleAddress(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
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
