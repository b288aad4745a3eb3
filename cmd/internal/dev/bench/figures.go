//go:build unix

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"docent/store/durable"
)

// sizeFigures are the figures of a doc set of one size.
type sizeFigures struct {
	Pages    int       `json:"pages"`
	Sections int       `json:"sections"`
	Bytes    int64     `json:"bytes"` // of the sources
	Add      operation `json:"add"`
	Nothing  operation `json:"update_nothing_changed"`
	OnePage  operation `json:"update_one_page_changed"`
	Search   operation `json:"search"`
	Disk     float64   `json:"disk"` // bytes in the home for each byte of the sources, after add
}

// operation is what an operation took, as a whole process.
type operation struct {
	Processor float64 `json:"processor_s"`
	Wall      float64 `json:"wall_ms"`
	Memory    int64   `json:"memory_mb"` // at its peak
}

// row is the line of the manual's table.
func (f sizeFigures) row() string {
	return fmt.Sprintf("| %s (%s) | %s | %s | %s | %s | %.1f times |", inGroups(f.Pages), inGroups(f.Sections), f.Add, f.Nothing, f.OnePage,
		f.Search, f.Disk)
}

// String is the processors' time, which other processes of the machine hardly change, and the
// memory.
func (o operation) String() string {
	switch {
	case o.Processor < 1:
		return fmt.Sprintf("%.0f ms, %d MB", 1000*o.Processor, o.Memory)
	case o.Processor < 10:
		return fmt.Sprintf("%.1f s, %d MB", o.Processor, o.Memory)
	}
	return fmt.Sprintf("%.0f s, %d MB", o.Processor, o.Memory)
}

// inGroups writes a number with blanks between its thousands.
func inGroups(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return inGroups(n/1000) + fmt.Sprintf(" %03d", n%1000)
}

// isSameSize reports whether other figures take the place of these.
func (f sizeFigures) isSameSize(other sizeFigures) bool { return f.Pages == other.Pages }

// compare orders figures.
func (f sizeFigures) compare(other sizeFigures) int { return cmp.Compare(f.Pages, other.Pages) }

// figures are those of doc sets in a file.
type figures[F any] interface {
	isSameSize(F) bool
	compare(F) int
}

// readFigures reads a file of figures. One that is missing has none.
func readFigures[F figures[F]](path string) ([]F, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []F
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// putFigures replaces the figures of some sizes in a file.
func putFigures[F figures[F]](path string, measured []F) error {
	all, err := readFigures[F](path)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(f F) bool { return slices.ContainsFunc(measured, f.isSameSize) })
	all = append(all, measured...)
	slices.SortFunc(all, F.compare)
	raw, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(path, append(raw, '\n'))
}

// unborne lists the claims of a text about doc sets of the measured sizes that the figures do not
// bear out: lines that name a size and a time or an amount of memory, and are not of the table.
func unborne(text string, figures []sizeFigures) (faults []string) {
	rows := map[string]bool{}
	for _, f := range figures {
		rows[f.row()] = true
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		for _, f := range figures {
			if f.claimedIn(line) && !rows[line] {
				faults = append(faults, line)
			}
		}
	}
	return faults
}

// claimedIn reports whether a line says what a measured operation takes of a doc set of this size.
func (f sizeFigures) claimedIn(line string) bool {
	pages := inGroups(f.Pages)
	if strings.HasPrefix(line, "| "+pages+" (") {
		return true
	}
	measured := slices.ContainsFunc([]string{"docent add", "docent update", "docent search"}, func(command string) bool {
		return strings.Contains(line, command)
	})
	if !measured || !strings.Contains(line, pages+" pages") {
		return false
	}
	return strings.Contains(line, " MB") || strings.Contains(line, " ms") || strings.Contains(line, " s ")
}
