package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"docent/cmd/internal/config"
	"docent/pipeline/contract"
	"docent/pipeline/service/clustered"
	"docent/pipeline/service/home"
	"docent/pipeline/service/moving"
	"docent/pipeline/service/ondisk"
	"docent/store/address"
	"docent/store/durable"
)

// StorePlaces are where the stores of a home lie, as in the configuration; "" is the home's folder.
type StorePlaces struct {
	Index   string `json:"index"`
	Catalog string `json:"catalog"`
}

// Moved compares the stores at the new places with those that the home had.
type Moved = moving.Moved

// MoveStores fills the stores at other places with the doc sets of a home, and compares them with those
// that it has. The stores that it has stay as they are. A move that was ended goes on where it was.
func MoveStores(ctx context.Context, opt Options, to StorePlaces, questions int, w home.Watch) (out Moved, err error) {
	cfg, _, err := LoadConfig(opt)
	if err != nil {
		return out, err
	}
	from := StorePlaces{cfg.Index, cfg.Catalog}
	if err := checkMove(from, to); err != nil {
		return out, err
	}
	if questions < 0 || questions > mostCompared {
		return out, contract.Invalid("questions", "%d questions cannot be asked, 0 to %d can", questions, mostCompared)
	}
	dir, err := filepath.Abs(opt.homeDir())
	if err != nil {
		return out, err
	}
	a, err := Open(ctx, opt)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if err := a.Home.Shared.FetchAll(ctx); err != nil {
		return out, err
	}
	if err := a.beginMove(ctx, dir, from, to, opt.Env); err != nil {
		return out, err
	}
	opt.Index, opt.Catalog = &to.Index, &to.Catalog
	b, err := Open(ctx, opt)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if err := moving.Fill(ctx, b.Services, w); err != nil {
		return out, err
	}
	if out, err = moving.Compare(ctx, a.Services, b.Services, questions); err != nil || !out.Whole() {
		return out, err
	}
	if to.Catalog == "" {
		if err := bringSecrets(ctx, dir, clustered.Secrets(a.Home.Stores)); err != nil {
			return out, err
		}
	}
	return out, os.Remove(filepath.Join(dir, home.MovingName))
}

// mostCompared bounds the questions that are asked in both places.
const mostCompared = 10_000

// checkMove is why stores cannot be moved.
func checkMove(from, to StorePlaces) error {
	if to.Index != "" {
		if _, err := address.ParseWeaviate(to.Index); err != nil {
			return contract.Invalid("index", "%v", err)
		}
	}
	if to.Catalog != "" {
		if _, err := address.ParsePostgres(to.Catalog); err != nil {
			return contract.Invalid("catalog", "%v", err)
		}
	}
	switch {
	case from == to:
		return contract.Invalid("index", "the stores lie there already")
	case from.Catalog != to.Catalog && from.Index == to.Index:
		// The indexes speak of pages by the numbers of the catalog that is left.
		return contract.Invalid("index", "another catalog needs another index: give the collections another name behind the host")
	}
	return nil
}

// beginMove empties stores that are filled for the first time, unless the catalog stays: then older
// indexes are brought up to date.
func (a *App) beginMove(ctx context.Context, dir string, from, to StorePlaces, env func(string) string) error {
	path := filepath.Join(dir, home.MovingName)
	sum := sha256.Sum256([]byte(to.Index + "\n" + to.Catalog)) // a password may stand in an address
	want := hex.EncodeToString(sum[:])
	was, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if string(was) == want {
		return nil // it goes on
	}
	if from.Catalog != to.Catalog {
		if err := clearStores(ctx, dir, to, env); err != nil {
			return err
		}
	}
	return durable.WriteFile(path, []byte(want))
}

func clearStores(ctx context.Context, dir string, to StorePlaces, env func(string) string) error {
	if to.Catalog == "" {
		return ondisk.Clear(ctx, dir)
	}
	at, err := placesOf(config.Config{Index: to.Index, Catalog: to.Catalog}, env)
	if err != nil {
		return err
	}
	return clustered.Clear(ctx, dir, at)
}

// placesOf are where a configuration has the stores, with the secrets of the environment.
func placesOf(cfg config.Config, env func(string) string) (at clustered.Places, err error) {
	at.Catalog = cfg.Catalog
	at.Index, _ = cfg.IndexAddress()
	if at.Index.Key, err = Secret(env, indexKeyVariable); err != nil {
		return at, err
	}
	if at.Catalog != "" {
		at.Password, err = Secret(env, catalogPasswordVariable)
	}
	return at, err
}
