package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"docent/pipeline"
	"docent/store/durable"
)

// stateName is the file of the app's state. Of several apps in one home the last one
// that ends wins.
const stateName = "app.json"

const maxState = 1 << 20

// State is what the app kept when it ended; none where there is nothing that can be
// read: it is worth no error.
func (k Keeper) State() pipeline.AppState {
	path := filepath.Join(k.Home, stateName)
	var s pipeline.AppState
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxState {
		return s
	}
	b, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(b, &s) != nil {
		return pipeline.AppState{}
	}
	return s
}

// KeepState keeps the app's state; an empty one is no file.
func (k Keeper) KeepState(_ context.Context, s pipeline.AppState) error {
	path := filepath.Join(k.Home, stateName)
	if s == (pipeline.AppState{}) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the app's state was not kept: %w", err)
		}
		return nil
	}
	b, err := json.Marshal(s)
	if err == nil {
		err = os.MkdirAll(k.Home, 0o700)
	}
	if err == nil {
		err = durable.WriteFile(path, append(b, '\n'))
	}
	if err != nil {
		return fmt.Errorf("the app's state was not kept: %w", err)
	}
	return nil
}
