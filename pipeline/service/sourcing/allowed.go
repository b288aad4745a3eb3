package sourcing

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/source"
	"docent/pipeline/source/web"
)

// hostsKey is the key of the configuration that has the hosts which a server may fetch from.
const hostsKey = "sources.hosts"

// checkHost checks that a server may fetch a source: its host must be one of the configuration's,
// and must not lead to this machine or a private network unless the configuration has that
// address too. Packages and files have no host, and are not fetched for others.
func (svc *Service) checkHost(ctx context.Context, text string) error {
	if len(svc.opt.Hosts) == 0 {
		return contract.Invalid("source", "this server fetches no documentation").
			WithRemedy(contract.Configure(hostsKey, "").To("allows hosts"))
	}
	want, ok := source.Parse(text)
	if !ok {
		return contract.Invalid("source", "%q is no source; give an address, or a name", text)
	}
	f := fetching{svc: svc, want: want}
	if err := f.choose(); err != nil {
		return asContract(err)
	}
	host := hostOf(f.explained.Address)
	if host == "" || !web.MatchesHost(svc.opt.Hosts, host) {
		return contract.Invalid("source", "this server may not fetch from %s, but from %s", hostOrText(host, text),
			strings.Join(svc.opt.Hosts, ", ")).WithRemedy(contract.Configure(hostsKey, host).To("allows hosts"))
	}
	addresses, err := svc.resolve(ctx, host)
	if err != nil {
		return contract.Unavailable(err, "the host %s is not known; look at the address", host)
	}
	for _, a := range addresses {
		if !web.IsPublic(a) && !slices.Contains(svc.opt.Hosts, a.String()) {
			return contract.Invalid("source", "%s is %s, an address of this machine or of a private network, which this server may not "+
				"fetch from", host, a).WithRemedy(contract.Configure(hostsKey, a.String()).To("allows addresses too"))
		}
	}
	return nil
}

// hostOrText is what a person asked for, where it has no host.
func hostOrText(host, text string) string {
	if host == "" {
		return text
	}
	return host
}

// hostOf is the host of an address, "" where it has none.
func hostOf(address string) string {
	if !strings.Contains(address, "://") {
		// user@host:path, as git takes it.
		_, rest, ok := strings.Cut(address, "@")
		host, _, colon := strings.Cut(rest, ":")
		if !ok || !colon {
			return ""
		}
		return strings.ToLower(host)
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "file" {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// resolve gives the addresses of a host.
func (svc *Service) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a.Unmap()}, nil
	}
	if svc.opt.Resolve != nil {
		return svc.opt.Resolve(ctx, host)
	}
	list, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	for i := range list {
		list[i] = list[i].Unmap()
	}
	return list, err
}
