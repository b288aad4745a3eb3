package shelf

import (
	"docent/pipeline"
	"docent/pipeline/service/library"
	"docent/tui/pane/firstrun"
	shelfpane "docent/tui/pane/shelf"
)

// Msg is a message of this controller's own commands.
type Msg interface{ shelf() }

type (
	openedMsg struct {
		err     error
		behind  []string // left to Backend.Mend
		project Project
	}
	setsMsg struct {
		sets []library.ListedSet
		err  error
	}
	libraryMsg struct {
		id   int
		sets []shelfpane.Set
		err  error
	}
	treeMsg struct {
		id   int
		set  string
		tree *shelfpane.Tree
		err  error
	}
	// pausedMsg says that nothing was typed for a while, inTextMsg has the sections found then.
	pausedMsg struct{ want shelfpane.TextWanted }
	inTextMsg struct {
		seq      int
		sections []pipeline.Place
		err      error
	}
	foldersMsg struct {
		seq     int
		folders []string
	}
	proposalMsg struct {
		seq  int
		sets []shelfpane.Proposed
		err  error
	}
	workedMsg struct {
		id   int
		text string
		err  error
	}
	removedMsg struct {
		set string
		err error
	}
	cancelledMsg struct {
		name string
		err  error
	}
	likelyMsg         struct{ folders []firstrun.Folder }
	backgroundMsg     struct{ err error }
	backgroundTickMsg struct{}
	followedMsg       struct{ text string }
	followEndedMsg    struct{ err error }
	recheckMsg        struct{}
)

func (openedMsg) shelf()         {}
func (setsMsg) shelf()           {}
func (libraryMsg) shelf()        {}
func (treeMsg) shelf()           {}
func (pausedMsg) shelf()         {}
func (inTextMsg) shelf()         {}
func (foldersMsg) shelf()        {}
func (proposalMsg) shelf()       {}
func (workedMsg) shelf()         {}
func (removedMsg) shelf()        {}
func (cancelledMsg) shelf()      {}
func (likelyMsg) shelf()         {}
func (backgroundMsg) shelf()     {}
func (backgroundTickMsg) shelf() {}
func (followedMsg) shelf()       {}
func (followEndedMsg) shelf()    {}
func (recheckMsg) shelf()        {}
