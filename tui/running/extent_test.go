package running_test

import (
	"strings"
	"testing"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/tuitest"
)

// The sizes of both extents are known behind a run, belong to that run, and change
// places by the switch.
func TestExtent(t *testing.T) {
	t.Parallel()
	c, a := begin(t, &tuitest.Backend{}, pipeline.Request{Preferences: contract.Preferences{Extent: contract.ExtentSections, Lines: 40}})
	if this, other := c.BlockSizes(); this.Lines+other.Lines > 0 || c.OtherExtent() != "pages" {
		t.Errorf("before a run: %s, %s, the other is %s", this, other, c.OtherExtent())
	}
	finish(c, c.Ask("how do I trim a wick"))
	sections, documents := c.BlockSizes()
	if sections.Sections == 0 || documents.Lines <= sections.Lines || documents.Sections > 0 {
		t.Fatalf("sections %+v, documents %+v", sections, documents)
	}
	if c.Request().Preferences.Extent != contract.ExtentSections {
		t.Error("measuring the other extent has switched to it")
	}
	change(t, c, keymap.Extent)
	if this, other := c.BlockSizes(); this != documents || other != sections || a.text != "the answer: whole pages" {
		t.Errorf("switched: %+v, %+v: %s", this, other, a.text)
	}
	change(t, c, keymap.Undo)
	if this, _ := c.BlockSizes(); this != sections {
		t.Errorf("undone: %+v", this)
	}
	// The full text is whole documents, and the switch takes the wish back.
	change(t, c, keymap.Full)
	if this, _ := c.BlockSizes(); this != documents || c.OtherExtent() != contract.ExtentSections {
		t.Errorf("full: %+v, the other is %s", this, c.OtherExtent())
	}
	change(t, c, keymap.Extent)
	if w := c.Request().Preferences; w.Full || w.Extent != contract.ExtentSections || w.Lines != 40 {
		t.Errorf("sections again: %+v", w)
	}
	// A size that comes late is of an older run.
	cmd := c.Ask("how do I trim a wick")
	if this, other := c.BlockSizes(); this.Lines+other.Lines > 0 {
		t.Errorf("while it runs: %s, %s", this, other)
	}
	finish(c, cmd)

	// A saved session has its own size only: nothing was run.
	saved := c.SavedSession()
	d, _ := begin(t, &tuitest.Backend{}, pipeline.Request{})
	d.Restore(saved)
	if this, other := d.BlockSizes(); this != sections || other.Lines > 0 {
		t.Errorf("restored: %+v, %+v", this, other)
	}
}

// A section that is left out is struck out where it is listed, and comes back by the
// same key. In a block of whole documents it is the page.
func TestLeaveOut(t *testing.T) {
	t.Parallel()
	c, a := begin(t, &tuitest.Backend{}, pipeline.Request{Preferences: contract.Preferences{Extent: contract.ExtentSections}})
	finish(c, c.Ask("how do I trim a wick"))
	all, _ := c.BlockSizes()
	for _, phase := range []string{contract.PhaseSearch, contract.PhaseRerank, contract.PhaseExtract} {
		c.Steps.SelectPhase(phase)
		press := func() {
			if phase == contract.PhaseSearch {
				finish(c, c.Hits.Update(keymap.Toggle))
				return
			}
			finish(c, c.ToggleSource(false))
		}
		if phase == contract.PhaseExtract {
			c.Pane().Update(keymap.Down) // from the document to its first section
		}
		press()
		if this, _ := c.BlockSizes(); this.Sections != all.Sections-1 || a.text != "left out: Wicks › Trim a wick" ||
			c.Summary().SettingsText() != "1 left out" {
			t.Errorf("phase %s: %+v, %s, %s", phase, this, a.text, c.Summary().SettingsText())
		}
		if phase == contract.PhaseExtract {
			change(t, c, keymap.Undo) // the cursor went on to the next section
			continue
		}
		press()
		if this, _ := c.BlockSizes(); this != all || a.text != "included again: Wicks › Trim a wick" {
			t.Errorf("phase %s, again: %+v, %s", phase, this, a.text)
		}
	}
	c.Steps.SelectPhase(contract.PhaseRerank)
	finish(c, c.ToggleSource(true))
	if a.text != "left out: Wicks" || len(c.Request().Exclude) != 1 || c.Request().Exclude[0].Section != "" {
		t.Errorf("the page: %s, %+v", a.text, c.Request().Exclude)
	}
	if _, text := c.CommandText(); !strings.Contains(text, " --sections ") {
		t.Errorf("the command is %s", text)
	}
	c.Steps.SelectPhase(contract.PhaseOptimize)
	if finish(c, c.ToggleSource(false)); a.text != "left out: Wicks" {
		t.Errorf("a pane without sections: %s", a.text)
	}
}

// The command says the extent, and the number of lines where it is not the usual one.
func TestCommandOfExtent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		has  contract.Preferences
		want string
	}{
		{contract.Preferences{}, "docent ask -- wick"},
		{contract.Preferences{Extent: contract.ExtentDocuments, Lines: 80}, "docent ask --documents -- wick"},
		{contract.Preferences{Extent: contract.ExtentSections, Lines: 80}, "docent ask --sections -- wick"},
		{contract.Preferences{Extent: contract.ExtentSections, Lines: 12}, "docent ask --sections --lines 12 -- wick"},
		{contract.Preferences{Extent: contract.ExtentSections, Lines: 12, Full: true}, "docent ask --full -- wick"},
	} {
		c, _ := begin(t, &tuitest.Backend{}, pipeline.Request{Preferences: tt.has})
		finish(c, c.Ask("wick"))
		if _, got := c.CommandText(); got != tt.want {
			t.Errorf("%+v: %s", tt.has, got)
		}
	}
}
