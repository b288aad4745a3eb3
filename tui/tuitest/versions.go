package tuitest

import (
	"context"
	"fmt"

	"docent/pipeline"
	"docent/tui"
)

// Compare is canned: a comparison with an older version.
func (b *Backend) Compare(_ context.Context, docSet string, turn int) (tui.Comparison, error) {
	if b.PageErr != nil {
		return tui.Comparison{}, b.PageErr
	}
	return tui.Comparison{Before: fmt.Sprintf("lantern@1.%d", 8-turn%2), After: docSet,
		Summary: "pages: 1 added, 1 removed, 1 renamed, 1 changed", Pages: []tui.ComparedPage{
			{Sign: "~", Name: pages[0].path, Info: "changed  (sections: 1 changed)", Paths: [2]string{pages[0].path, pages[0].path}},
			{Sign: "-", Name: "candles.md", Info: "removed", Paths: [2]string{"candles.md", ""}},
			{Sign: ">", Name: "fuel.md → oil.md", Info: "renamed", Paths: [2]string{"fuel.md", "oil.md"}},
			{Sign: "+", Name: "mirrors\x1b[31m.md", Info: "added", Paths: [2]string{"", "mirrors.md"}},
		}}, nil
}

// CompareLines is canned: a changed section and one that is gone.
func (b *Backend) CompareLines(_ context.Context, c tui.Comparison, page int) ([]tui.Compared, error) {
	at := pipeline.Place{DocSet: pages[0].set, FilePath: c.Pages[page].Paths[1], Line: 1}
	if at.FilePath == "" {
		return nil, b.PageErr
	}
	return []tui.Compared{
		{Sign: "~", Text: "Wicks > Trim  changed", Place: at, Lines: []tui.ComparedLine{
			{Sign: "@", Text: "@@ -9 +9–10 @@", Place: at},
			{Sign: "-", Text: "Cut the wick to a quarter of an inch.", Place: at},
			{Sign: "+", Text: "Cut the wick to half an inch, with scissors that are sharp, before each lighting, and take the burnt " +
				"piece out of the bowl.", Place: at},
			{Sign: "+", Text: "灯\x1b[2J", Place: at},
		}},
		{Sign: "-", Text: "Wicks > Flat wicks  removed", Place: at},
	}, b.PageErr
}
