package app

import (
	"errors"
	"testing"

	"docent/pipeline/service/home"
	"docent/store"
)

// A use that met damage of the catalog is done again with the home opened again, and only
// once; one that was not harmed by the damage is not done again.
func TestOnceDoesADamagedUseAgain(t *testing.T) {
	t.Parallel()
	other := errors.New("no oil")
	for name, tt := range map[string]struct {
		fails []error // of each run
		met   bool    // damage is met, also where the run does not fail of it
		runs  int
		want  error
		// opened says that the home is opened again without damage.
		opened bool
	}{
		"well":                       {fails: []error{nil}, runs: 1},
		"an error of its own":        {fails: []error{other}, runs: 1, want: other},
		"damage":                     {fails: []error{store.ErrCatalogDamaged, nil}, met: true, runs: 2},
		"damage, then another error": {fails: []error{store.ErrCatalogDamaged, other}, met: true, runs: 2, want: other},
		"damage that stays":          {fails: []error{store.ErrCatalogDamaged, store.ErrCatalogDamaged}, met: true, runs: 2, want: store.ErrCatalogDamaged},
		"damage that did no harm":    {fails: []error{nil}, met: true, runs: 1},
		"damage and another error":   {fails: []error{other}, met: true, runs: 1, want: other},
		"other catalogs":             {fails: []error{home.ErrReplaced, home.ErrReplaced, nil}, runs: 3, opened: true},
		"damage that was not noted":  {fails: []error{store.ErrCatalogDamaged}, runs: 1, want: store.ErrCatalogDamaged},
	} {
		runs := 0
		var first, last *App
		err := Once(t.Context(), Options{Home: t.TempDir() + "/home"}, func(a *App) error {
			if first == nil {
				first = a
			}
			if tt.met {
				_ = a.Home.NoteDamage(store.ErrCatalogDamaged)
			}
			runs++
			return tt.fails[runs-1]
		}, func(a *App, err error) error {
			last = a
			return err
		})
		if runs != tt.runs || !errors.Is(err, tt.want) || (first != last) != (tt.met || tt.opened) {
			t.Errorf("%s: %d runs, %v, opened again: %t", name, runs, err, first != last)
		}
	}
}
