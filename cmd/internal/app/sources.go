package app

import (
	"time"

	"docent/cmd/internal/config"
	"docent/pipeline/service/sourcing"
	"docent/pipeline/source"
	"docent/pipeline/source/git"
	"docent/pipeline/source/packages"
)

// fetchers fetch documentation.
func fetchers(cfg config.Config) sourcing.Options {
	return sourcing.Options{Now: time.Now, Hosts: cfg.SourceHosts, Fetchers: map[string]source.Fetcher{
		source.KindGit:     &git.Fetcher{Now: time.Now},
		source.KindPackage: &packages.Fetcher{},
	}}
}
