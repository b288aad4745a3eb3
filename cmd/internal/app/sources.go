package app

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"docent/cmd/internal/config"
	"docent/pipeline/service/home"
	"docent/pipeline/service/packing"
	"docent/pipeline/service/sourcing"
	"docent/pipeline/service/syncing"
	"docent/pipeline/source"
	"docent/pipeline/source/archive"
	"docent/pipeline/source/bundle"
	"docent/pipeline/source/git"
	"docent/pipeline/source/mirror"
	"docent/pipeline/source/packages"
	"docent/pipeline/source/packed"
	"docent/pipeline/source/repositories"
	"docent/pipeline/source/site"
	"docent/pipeline/source/web"
	"docent/store"
	"docent/store/sqlite"
)

// fetchers fetch documentation.
func fetchers(cfg config.Config, indexes store.Carrier) sourcing.Options {
	keys := packed.Keys{Required: cfg.RequireSignature}
	for _, text := range cfg.SignatureKeys {
		if k, err := packed.ParseKeys([]string{text}); err == nil { // the configuration checked them
			keys.Known = append(keys.Known, k...)
		}
	}
	return sourcing.Options{Now: time.Now, Hosts: cfg.SourceHosts, CheckEvery: cfg.SourcesCheckEvery(), Mirrors: mirrors(cfg),
		Fetchers: map[string]source.Fetcher{
			source.KindGit:     &git.Fetcher{Now: time.Now},
			source.KindPackage: &packages.Fetcher{},
			source.KindSite:    webFetcher{cfg, func(c *web.Client) source.Fetcher { return site.New(c) }},
			source.KindArchive: webFetcher{cfg, func(c *web.Client) source.Fetcher { return archives(c) }},
			source.KindBundle: webFetcher{cfg, func(c *web.Client) source.Fetcher {
				return &bundle.Fetcher{Client: c, Open: sqlite.OpenFile, Archive: archives(c)}
			}},
			source.KindPacked: webFetcher{cfg, func(c *web.Client) source.Fetcher {
				return &packed.Fetcher{Client: c, Index: packing.IndexForm(indexes), Keys: keys}
			}},
		}}
}

// knownPackages is where the documentation of packages is looked for.
func knownPackages() syncing.Known {
	return syncing.Known{Listed: repositories.New(), Missing: (&packages.Fetcher{}).Missing}
}

func archives(c *web.Client) source.Fetcher {
	return &archive.Fetcher{Client: c, OpenDB: sqlite.OpenFile}
}

// webFetcher fetches from the web, each time with a client that may ask what this fetch may.
type webFetcher struct {
	cfg config.Config
	of  func(*web.Client) source.Fetcher
}

// Fetch implements source.Fetcher. The host that a person names may lie in their own network;
// one that others name may not, unless the configuration has its address.
func (f webFetcher) Fetch(ctx context.Context, want source.Want, into string, before *source.Before,
	say func(source.Progress)) (source.Fetched, error) {
	policy := web.Policy{}
	if u, err := url.Parse(want.Address); err == nil && !want.Strict {
		policy.Private = []string{web.HostPort(u)}
	}
	if want.Strict {
		policy.Allow = f.cfg.SourceHosts
		for _, host := range f.cfg.SourceHosts {
			if address, err := netip.ParseAddr(host); err == nil {
				policy.PrivateAddresses = append(policy.PrivateAddresses, address.Unmap())
			}
		}
	}
	perSecond := f.cfg.SourcesPerSecond
	if perSecond == 0 {
		perSecond = -1 // no bound
	}
	client, err := web.New(web.Options{Agent: agent(), Policy: policy,
		PerSecond: perSecond, Proxy: http.ProxyFromEnvironment})
	if err != nil {
		return source.Fetched{}, err
	}
	if want.Kind == source.KindSite && want.AtMost == (source.Limits{}) {
		want.AtMost = f.cfg.SiteLimits()
	}
	return f.of(client).Fetch(ctx, want, into, before, say)
}

// mirrors are those of the configuration; nil where it names no mirror. Their own hosts may lie in a private network: the
// configuration names them.
func mirrors(cfg config.Config) sourcing.Mirrors {
	places := cfg.MirrorPlaces()
	if len(places) == 0 {
		return nil
	}
	return &mirror.Mirrors{Places: places, Client: func(u *url.URL) (*web.Client, error) {
		return web.New(web.Options{Agent: agent(), Policy: web.Policy{Private: []string{web.HostPort(u)}},
			Proxy: http.ProxyFromEnvironment})
	}}
}

// agent is how the program names itself to hosts.
func agent() string { return web.Agent(home.Version, "documentation for its reader") }
