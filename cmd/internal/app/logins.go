package app

import (
	"docent/cmd/internal/config"
	"docent/pipeline/contract"
	"docent/store/logins"
	"docent/store/networked"
)

// OpenLogins gives the place where the servers of a home keep their logins: that of the catalog. It
// is nil where the home's folder has the catalog, since one server answers for it. The caller calls
// closeLogins.
func OpenLogins(cfg config.Config, env func(string) string) (kept logins.Store, closeLogins func() error, err error) {
	if cfg.Catalog == "" {
		return nil, func() error { return nil }, nil
	}
	at, err := placesOf(cfg, env)
	if err != nil {
		return nil, nil, err
	}
	db, err := networked.OpenDatabase(at.Catalog, at.Password)
	if err != nil {
		return nil, nil, contract.Invalid("config", "%v", err)
	}
	return networked.OpenLogins(db), db.Close, nil
}
