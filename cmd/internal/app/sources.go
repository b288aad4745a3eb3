package app

import (
	"time"

	"docent/pipeline/service/sourcing"
	"docent/pipeline/source"
	"docent/pipeline/source/git"
)

// sources fetch documentation.
func sources() sourcing.Options {
	return sourcing.Options{Now: time.Now, Fetchers: map[string]source.Fetcher{
		source.KindGit: &git.Fetcher{Now: time.Now},
	}}
}
