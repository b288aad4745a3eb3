package app

import (
	"context"
	"errors"

	"docent/pipeline/service/home"
)

// Once opens a home for one use, and closes it. Where do met damage that opening the home
// again repairs, the home is opened again, and do is run again if the damage made it fail; so it
// is each time that another process made the catalog again.
// Shared does the same for a program that runs on. after is called with the home as it is
// then and with the error of do, and gives the error of the use.
func Once(ctx context.Context, opt Options, do func(*App) error, after func(*App, error) error) (err error) {
	a, err := Open(ctx, opt)
	if err != nil {
		return err
	}
	defer func() {
		if a != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	err = do(a)
	for replaced := true; replaced && ctx.Err() == nil; { // damage is repaired once
		next := a.Home.AfterUse(err)
		if !next.Reopen {
			break
		}
		replaced = errors.Is(err, home.ErrReplaced)
		opt.MendsLater = false // what made the use fail is repaired before it is tried again
		var failed error
		if a, failed = a.OpenAgain(ctx, opt); failed != nil {
			return errors.Join(err, failed)
		}
		if next.Again {
			err = do(a)
		}
	}
	return after(a, err)
}

// OpenAgain closes the home and opens it again, which repairs what a start repairs. The
// home is closed in any case.
func (a *App) OpenAgain(ctx context.Context, opt Options) (*App, error) {
	if err := a.Close(); err != nil {
		return nil, err
	}
	return Open(ctx, opt)
}
