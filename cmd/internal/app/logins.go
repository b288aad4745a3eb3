package app

import (
	"context"
	"errors"
	"path/filepath"

	"docent/cmd/internal/apitoken"
	"docent/cmd/internal/config"
	"docent/pipeline/contract"
	"docent/pipeline/service/clustered"
	"docent/store/durable"
	"docent/store/logins"
	"docent/store/networked"
)

// OpenLogins gives the place where the servers of a home keep their logins, tokens and password: that
// of the catalog. It is nil where the home's folder has the catalog, since one server answers for it.
// The caller calls closeLogins.
func OpenLogins(cfg config.Config, env func(string) string) (kept logins.Kept, closeLogins func() error, err error) {
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

// OpenOwnLogins is as OpenLogins for a home that is not open: the catalog of another home is refused.
func OpenOwnLogins(opt Options, cfg config.Config) (kept logins.Kept, closeLogins func() error, err error) {
	if cfg.Catalog != "" {
		at, err := placesOf(cfg, opt.Env)
		if err != nil {
			return nil, nil, err
		}
		if err := clustered.CheckOwner(opt.homeDir(), at); err != nil {
			return nil, nil, err
		}
	}
	return OpenLogins(cfg, opt.Env)
}

// PasswordPath is the file of a home's folder with the hash of the server's password.
func PasswordPath(dir string) string { return filepath.Join(dir, "password") }

// bringSecrets writes the tokens and the password that servers share into the folder of a home that
// leaves its database.
func bringSecrets(ctx context.Context, dir string, shared logins.Secrets) error {
	if shared == nil {
		return nil
	}
	hash, err := shared.Password(ctx)
	if err == nil && hash != "" {
		err = durable.WriteFile(PasswordPath(dir), []byte(hash+"\n"))
	}
	return errors.Join(err, apitoken.InHome(dir, shared).BringBack(ctx))
}
