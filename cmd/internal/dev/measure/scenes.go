package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/phase/route"
)

// measureScenes counts the labelled questions that the router without a model gives
// the right scene.
func (b *bench) measureScenes(ctx context.Context) error {
	files, err := filepath.Glob(b.scenesGlob)
	if err != nil {
		return err
	}
	router := route.New(nil, route.Options{})
	for _, path := range files {
		c := count{Name: strings.TrimSuffix(filepath.Base(path), ".jsonl")}
		if !b.wants(c.Name) {
			continue
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for sc := bufio.NewScanner(bytes.NewReader(raw)); sc.Scan(); {
			var q struct{ Query, Scene string }
			if err := json.Unmarshal(sc.Bytes(), &q); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			got, _, err := router.Route(ctx, contract.OptimizeInput{Query: q.Query})
			if err != nil {
				return fmt.Errorf("%s, %q: %w", path, q.Query, err)
			}
			c.Questions++
			if got.Scene == q.Scene {
				c.Right++
			}
		}
		b.scenes = append(b.scenes, c)
	}
	return nil
}

// count is a number of questions of a set, and how many of them are right.
type count struct {
	Name      string `json:"name"`
	Questions int    `json:"questions"`
	Right     int    `json:"right"`
}

// fewer compares counts with the baseline's.
func fewer(now, old []count, right string) (worse []string, compared int) {
	for _, c := range now {
		i := slices.IndexFunc(old, func(x count) bool { return x.Name == c.Name && x.Questions == c.Questions })
		if i < 0 {
			continue
		}
		compared++
		if was := old[i].Right; c.Right < was {
			worse = append(worse, fmt.Sprintf("%s: %d of %d %s, it was %d", c.Name, c.Right, c.Questions, right, was))
		}
	}
	return worse, compared
}
