package web

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Policy says which hosts may be asked, and where they may lie. The zero value allows every
// host at a public address.
type Policy struct {
	// Allow are the only hosts that may be asked; empty: all. ".example.org" is a host and
	// all hosts below it, "*.example.org" those below it alone.
	Allow []string
	// Deny are hosts that may not be asked, in the same form. It takes precedence.
	Deny []string
	// Private are hosts that may lie at addresses of this machine or of a private network:
	// "wiki.example.org" at the ports 80 and 443, "localhost:8000" at that port alone. The
	// command line allows the host that a person names, and no other.
	Private []string
	// PrivateAddresses are addresses of this machine or of a private network that any host may
	// lead to, at any port.
	PrivateAddresses []netip.Addr
}

// Check checks an address before a request: its scheme, its host, and a number in place of a
// name.
func (p Policy) Check(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("it is an address of the scheme %.20q; only http and https are read", u.Scheme)
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	switch {
	case host == "":
		return fmt.Errorf("%.100q names no host", u.String())
	case u.User != nil:
		return fmt.Errorf("the address holds a user name or password, which would be kept with the documents")
	case matchesHost(p.Deny, host):
		return fmt.Errorf("the host %s is not allowed by the configuration", host)
	case len(p.Allow) > 0 && !matchesHost(p.Allow, host):
		return fmt.Errorf("the host %s is not among those that the configuration allows", host)
	}
	if address, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return p.checkAddress(hostPort(u), address)
	}
	return nil
}

func matchesHost(list []string, host string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		entry = strings.ToLower(entry)
		if below, ok := strings.CutPrefix(entry, "*"); ok {
			return strings.HasPrefix(below, ".") && strings.HasSuffix(host, below)
		}
		below, all := strings.CutPrefix(entry, ".")
		return host == below || all && strings.HasSuffix(host, entry)
	})
}

// checkAddress checks the address to which a host was resolved. asked is the host with its
// port.
func (p Policy) checkAddress(asked string, address netip.Addr) error {
	if isPublic(address) || p.mayBePrivate(asked) || slices.Contains(p.PrivateAddresses, address.Unmap()) {
		return nil
	}
	return fmt.Errorf("%s is at %s, an address of this machine or of a private network", asked, address)
}

func (p Policy) mayBePrivate(asked string) bool {
	return slices.ContainsFunc(p.Private, func(entry string) bool {
		entry = strings.ToLower(entry)
		return entry == asked || entry+":80" == asked || entry+":443" == asked
	})
}

// notPublic are networks that netip has no word for: of this host, of providers, of
// documentation and benchmarks, and those that are reserved.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("fec0::/10"),
	netip.MustParsePrefix("2001::/32"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("100::/64"),
}

var (
	translated = netip.MustParsePrefix("64:ff9b::/96") // of IPv4 by NAT64
	tunnelled  = netip.MustParsePrefix("2002::/16")    // of IPv4 by 6to4
	compatible = netip.MustParsePrefix("::/96")        // with IPv4, long deprecated
)

// IsPublic reports whether an address is one of the public internet.
func IsPublic(a netip.Addr) bool { return isPublic(a) }

// MatchesHost reports whether a host is on a list: example.org itself, .example.org with all
// hosts below it, *.example.org those below it alone.
func MatchesHost(list []string, host string) bool { return matchesHost(list, host) }

// isPublic reports whether an address is one of the public internet.
func isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if a.Is6() && !a.IsLoopback() && !a.IsUnspecified() {
		raw := a.As16()
		switch {
		case translated.Contains(a), compatible.Contains(a):
			return isPublic(netip.AddrFrom4([4]byte(raw[12:16])))
		case tunnelled.Contains(a):
			return isPublic(netip.AddrFrom4([4]byte(raw[2:6])))
		}
	}
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() {
		return false
	}
	return !slices.ContainsFunc(notPublic, func(p netip.Prefix) bool { return p.Contains(a) })
}

// hostPort is the host of an address with its port, in lower case.
func hostPort(u *url.URL) string {
	host, port := strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), u.Port()
	if port == "" {
		port = "80"
		if u.Scheme == "https" {
			port = "443"
		}
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + port
}

// HostPort is the host of an address with its port, as Policy.Private takes it.
func HostPort(u *url.URL) string { return hostPort(u) }
