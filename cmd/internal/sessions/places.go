package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"docent/pipeline"
	"docent/store/durable"
	"docent/store/lock"
)

// The pages read and the marks lie in one file. It is read, changed and replaced
// under a lock of its own, so that no process loses what another one marked.
const (
	placesName = "places.json"
	placesLock = "places.lock"
	placesWait = 5 * time.Second
	maxPlaces  = 16 << 20
)

// Places are the pages that were read and the sections that were marked.
func (k Keeper) Places(context.Context) (pipeline.Places, error) {
	path := filepath.Join(k.Home, placesName)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return pipeline.Places{}, nil
	}
	if err != nil {
		return pipeline.Places{}, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxPlaces {
		return pipeline.Places{}, fmt.Errorf("%s is no list of pages read; move it away", path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return pipeline.Places{}, err
	}
	var p pipeline.Places
	if err := json.Unmarshal(b, &p); err != nil {
		return pipeline.Places{}, fmt.Errorf("%s cannot be read, move it away: %w", path, err)
	}
	if !p.Readable() {
		return pipeline.Places{}, fmt.Errorf("%s is of another version of docent; update docent, or move the file away", path)
	}
	return p, nil
}

// Visit remembers where a page was read last.
func (k Keeper) Visit(ctx context.Context, at pipeline.Place) error {
	return k.changePlaces(ctx, func(p pipeline.Places) pipeline.Places { return p.Visit(k.stamped(at)) })
}

// Mark marks a section, or takes its mark away.
func (k Keeper) Mark(ctx context.Context, at pipeline.Place, on bool) error {
	return k.changePlaces(ctx, func(p pipeline.Places) pipeline.Places { return p.Mark(k.stamped(at), on) })
}

func (k Keeper) stamped(at pipeline.Place) pipeline.Place {
	if at.At.IsZero() {
		at.At = k.Now()
	}
	at.At = at.At.UTC().Truncate(time.Second)
	return at
}

// changePlaces changes the file: the new one is written aside and takes its place.
func (k Keeper) changePlaces(ctx context.Context, change func(pipeline.Places) pipeline.Places) (err error) {
	l, err := lock.Acquire(ctx, filepath.Join(k.Home, placesLock), "pages read", placesWait, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Release()) }()
	p, err := k.Places(ctx)
	if err != nil {
		return err // a file that cannot be read is not written over
	}
	b, err := json.MarshalIndent(change(p), "", " ")
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(k.Home, placesName), append(b, '\n'))
}
