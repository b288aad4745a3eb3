// Package keymap holds every key of the terminal app in one table: the key, its
// action, the words for the footer and the help, the modes in which it works, and
// the needs of the action. The footer, the help screen and the manual's key table
// are made from this table.
//
// It refuses to perform actions: the root and the panes do.
//
// Terms. A mode is the part of the screen that has the keyboard. A need is a
// condition of an action, such as an open home or a hit under the cursor. Each
// need has a sentence that tells a person what is missing.
package keymap

import (
	"slices"
)

// Action is what a key does. Panes get it as a message.
type Action string

// The actions.
const (
	Ask            Action = "ask"
	HistoryPrev    Action = "history-prev"
	HistoryNext    Action = "history-next"
	Up             Action = "up"
	Down           Action = "down"
	PageUp         Action = "page-up"
	PageDown       Action = "page-down"
	HalfUp         Action = "half-up"
	HalfDown       Action = "half-down"
	Top            Action = "top"
	Bottom         Action = "bottom"
	PreviewUp      Action = "preview-up"
	PreviewDown    Action = "preview-down"
	NextPassage    Action = "next-passage"
	PrevPassage    Action = "prev-passage"
	FoldPassage    Action = "fold-passage"
	PrevPhase      Action = "prev-phase"
	NextPhase      Action = "next-phase"
	NthPhase       Action = "nth-phase"
	Open           Action = "open"
	Toggle         Action = "toggle"
	TogglePage     Action = "toggle-page"
	Extent         Action = "extent"
	Scene          Action = "scene"
	RaiseThreshold Action = "raise-threshold"
	LowerThreshold Action = "lower-threshold"
	Rerank         Action = "rerank"
	Full           Action = "full"
	Compress       Action = "compress"
	Summarize      Action = "summarize"
	Rerun          Action = "rerun"
	CopyFinal      Action = "copy-final"
	CopyCitation   Action = "copy-citation"
	Sets           Action = "sets"
	Everywhere     Action = "everywhere"
	Pick           Action = "pick"
	Apply          Action = "apply"
	Library        Action = "library"
	GoTo           Action = "go-to"
	GoOn           Action = "go-on"
	Mark           Action = "mark"
	Marks          Action = "marks"
	Unfold         Action = "unfold"
	Fold           Action = "fold"
	FindPage       Action = "find-page"
	AddSet         Action = "add-set"
	UpdateSet      Action = "update-set"
	UpdateAll      Action = "update-all"
	RemoveSet      Action = "remove-set"
	RetryFile      Action = "retry-file"
	CancelFile     Action = "cancel-file"
	CancelWork     Action = "cancel-work"
	Accept         Action = "accept"
	Complete       Action = "complete"
	FieldPrev      Action = "field-prev"
	FieldNext      Action = "field-next"
	Confirm        Action = "confirm"
	Choose         Action = "choose"
	NthFolder      Action = "nth-folder"
	Sample         Action = "sample"
	Tour           Action = "tour"
	Question       Action = "question"
	EditQuestion   Action = "edit-question"
	Manual         Action = "manual"
	Search         Action = "search"
	FindNext       Action = "find-next"
	FindPrev       Action = "find-prev"
	FindDone       Action = "find-done"
	Outline        Action = "outline"
	OutlineGo      Action = "outline-go"
	References     Action = "references"
	Versions       Action = "versions"
	NextSection    Action = "next-section"
	PrevSection    Action = "prev-section"
	NextHit        Action = "next-hit"
	PrevHit        Action = "prev-hit"
	NextPage       Action = "next-page"
	PrevPage       Action = "prev-page"
	Links          Action = "links"
	LinkDigit      Action = "link-digit"
	LinkGo         Action = "link-go"
	GoBack         Action = "go-back"
	GoForward      Action = "go-forward"
	Leftward       Action = "leftward"
	Rightward      Action = "rightward"
	EditSource     Action = "edit-source"
	Browse         Action = "browse"
	NextFocus      Action = "next-focus"
	PrevFocus      Action = "prev-focus"
	Undo           Action = "undo"
	Redo           Action = "redo"
	Palette        Action = "palette"
	PickUp         Action = "list-up"
	PickDown       Action = "list-down"
	TakeItem       Action = "take-item"
	RemoveItem     Action = "remove-item"
	TakeText       Action = "take-text"
	History        Action = "history"
	SaveSession    Action = "save-session"
	Sessions       Action = "sessions"
	Export         Action = "export"
	CopySection    Action = "copy-section"
	CopyCode       Action = "copy-code"
	CopyCommand    Action = "copy-command"
	WriteFinal     Action = "write-final"
	Sort           Action = "sort"
	Figures        Action = "figures"
	SearchHelp     Action = "search-help"
	SearchDone     Action = "search-done"
	EditQuery      Action = "edit-query"
	AddQuery       Action = "add-query"
	DropQuery      Action = "drop-query"
	QueryUp        Action = "query-up"
	QueryDown      Action = "query-down"
	OwnQueries     Action = "own-queries"
	NextValue      Action = "next-value"
	ThresholdAbove Action = "threshold-above"
	ThresholdBelow Action = "threshold-below"
	OpenSource     Action = "open-source"
	ShowBlock      Action = "show-block"
	AllowServer    Action = "allow-server"
	Theme          Action = "theme"
	Suspend        Action = "suspend"
	Mouse          Action = "mouse"
	Help           Action = "help"
	Back           Action = "back"
	Quit           Action = "quit"
)

// Mode is a set of modes. The screen is in exactly one of the modes InQuestion to
// InHelpFind; in InPane, the mode of the selected pane holds as well.
type Mode uint32

// The modes.
const (
	InQuestion Mode = 1 << iota // the question line
	InPane                      // a phase's pane
	InPreview                   // the preview next to the hits
	InReader                    // a page at full width
	InFind                      // the search line of the reader
	InOutline                   // the page's headings, in the reader
	InLinks                     // the numbers of links, in the reader
	InSets                      // the chooser of doc sets
	InLibrary                   // the library of doc sets
	InEntry                     // a text field of the library
	InConfirm                   // a confirmation in the library
	InFirst                     // the first-run screen
	InHelp
	InPicker   // a list that is narrowed by typing: the palette, the history, the sessions
	InPrompt   // a text field in the status line: a query, a file's name
	InHelpFind // the search line of the help
	InGoTo     // the list of pages, headings and doc sets that typing narrows
	InVersions // what differs between two versions of a doc set

	hits = InPane | InPreview
	// Main is where an answer, the text that was found or a page is read.
	Main = hits | InReader

	main     = Main
	scrolled = main | InSets | InLibrary | InFirst | InHelp | InVersions
	anywhere = InQuestion | scrolled | InEntry | InConfirm | InPicker | InPrompt
	typing   = InQuestion | InEntry | InPicker | InPrompt | InFind | InOutline | InHelpFind | InGoTo // letters are text
)

// The panes' own modes.
const (
	InHits Mode = 1 << (iota + 24)
	InQueries
	InRoute
	InRerank
	InExtract
	InFinal
	InStart // the start screen
)

// TakesText reports whether letters are text in the mode.
func (m Mode) TakesText() bool { return m&typing != 0 }

// Group is a heading of the help.
type Group string

// The groups, in the order of the help.
const (
	Manuals Group = "Learning docent"
	Asking  Group = "Asking"
	Moving  Group = "Moving"
	Reading Group = "In the reader"
	Phases  Group = "Steps from the question to the answer"
	Shelf   Group = "The library of doc sets"
	Change  Group = "Changing the answer"
	Taking  Group = "Copying and saving"
	Other   Group = "Other"
)

// GroupsInOrder lists them.
func GroupsInOrder() []Group {
	return []Group{Manuals, Asking, Phases, Moving, Reading, Change, Shelf, Taking, Other}
}

// Binding is one row of the table.
type Binding struct {
	Action Action
	Keys   []string // as Bubble Tea names them
	Label  string   // how the keys are shown
	Help   string   // what they do, for the help
	Short  string   // the same for the footer; "" keeps it out of there
	Group  Group
	In     Mode
	Need   Need
}

// Disabled says what the binding's action lacks when only have is met, "" when it
// works.
func (b Binding) Disabled(have Need) string { return b.Need.ReasonWithout(have) }

// Table is every binding with its default keys, in the order of the footer and the
// help.
func Table() []Binding { return slices.Clone(table) }

var table = []Binding{
	{Ask, []string{"enter"}, "enter", "ask the question", "ask", Asking, InQuestion, 0},
	{HistoryPrev, []string{"up"}, "↑", "an earlier question; up in the list below the line", "", Asking, InQuestion, 0},
	{HistoryNext, []string{"down", "ctrl+n"}, "↓", "a later question; down in the list below the line", "", Asking, InQuestion, 0},
	{History, []string{"ctrl+r"}, "ctrl+r", "search the questions that were asked before", "history", Asking, InQuestion, 0},
	{EditQuestion, []string{"i"}, "i", "change the question: typing replaces it, an arrow keeps it", "", Asking, main, 0},
	{Manual, []string{"m"}, "m", "ask docent's manual; once more: your own docs", "ask the manual", Manuals, InHelp,
		NeedReady | NeedManual},
	{Tour, []string{"t"}, "t", "take the tour of the app", "tour", Manuals, InHelp | InFirst, NeedReady | NeedManual},
	{Tour, []string{"ctrl+t"}, "ctrl+t", "take the tour of the app; in the tour: go on", "", Manuals, anywhere, NeedReady | NeedManual},

	{Down, []string{"j", "down"}, "j ↓", "down", "", Moving, scrolled, 0},
	{Up, []string{"k", "up"}, "k ↑", "up", "", Moving, scrolled, 0},
	{Open, []string{"enter", "l"}, "enter l", "read the page, at this section", "open", Moving, InHits | InPreview, NeedResult | NeedHit},
	{Top, []string{"g", "home"}, "g", "to the top", "", Moving, scrolled, 0},
	{Bottom, []string{"G", "end"}, "G", "to the end", "", Moving, scrolled, 0},
	{PageDown, []string{"pgdown", "ctrl+f"}, "pgdn", "a page down", "", Moving, scrolled, 0},
	{PageUp, []string{"pgup", "ctrl+b"}, "pgup", "a page up", "", Moving, scrolled, 0},
	{HalfDown, []string{"ctrl+d"}, "ctrl+d", "half a page down", "", Moving, scrolled, 0},
	{HalfUp, []string{"ctrl+u"}, "ctrl+u", "half a page up", "", Moving, scrolled, 0},
	{PreviewDown, []string{"J", "shift+down"}, "J", "scroll the preview down", "", Moving, InHits, NeedResult | NeedHit},
	{PreviewUp, []string{"K", "shift+up"}, "K", "scroll the preview up", "", Moving, InHits, NeedResult | NeedHit},
	{GoOn, []string{"enter", "l"}, "enter", "on the start screen: go on with what is under the cursor", "go on", Moving, InStart,
		NeedReady},
	{GoTo, []string{"ctrl+k"}, "ctrl+k", "go to a page, a heading or a doc set by its name, from anywhere", "", Moving,
		anywhere &^ (InQuestion | InPicker | InPrompt | InEntry | InConfirm), NeedReady},
	{GoTo, []string{"ctrl+k"}, "ctrl+k", "go to any page, heading or doc set, from the question line", "go to", Moving, InQuestion,
		NeedReady},
	{TakeItem, []string{"enter"}, "enter", "in that list: go there", "open", Moving, InGoTo, 0},
	{PickUp, []string{"up", "ctrl+p", "ctrl+k"}, "↑", "in that list: up", "", Moving, InGoTo, 0},
	{Marks, []string{"'"}, "'", "the places that you marked", "", Moving, scrolled &^ InFirst, NeedReady},

	{Search, []string{"/"}, "/", "search this page; a capital letter makes case count", "search", Reading, InReader, 0},
	{FindNext, []string{"n"}, "n", "the next match; behind the last one the first", "", Reading, InReader, 0},
	{FindPrev, []string{"N"}, "N", "the match before", "", Reading, InReader, 0},
	{Outline, []string{"o"}, "o", "the page's headings: type to filter, enter goes there", "outline", Reading, InReader, 0},
	{Links, []string{"f"}, "f", "number the links that are seen: a number follows one", "links", Reading, InReader, 0},
	{Mark, []string{"m"}, "m", "mark the section that is read; once more takes the mark away", "mark", Reading, InReader, NeedReady},
	{CopyFinal, []string{"y"}, "y", "copy the section that is read, with its source", "cite", Taking, InReader, NeedSection},
	{CopyCitation, []string{"Y"}, "Y", "copy the source of the section that is read", "", Taking, InReader, NeedSection},
	{GoBack, []string{"H", "backspace", "ctrl+o"}, "H", "back to where you were before a jump", "", Reading, InReader, 0},
	{GoForward, []string{"L"}, "L", "forward again", "", Reading, InReader, 0},
	{NextSection, []string{"]"}, "]", "the next section", "section", Reading, InReader, 0},
	{PrevSection, []string{"["}, "[", "the section before", "", Reading, InReader, 0},
	{NextHit, []string{"}"}, "}", "the next section that was found, on this page or the next one", "hit", Reading, InReader, 0},
	{PrevHit, []string{"{"}, "{", "the section before that was found", "", Reading, InReader, 0},
	{References, []string{"F"}, "F", "what leads to this section and from it: requirements, warnings, references", "refs", Reading,
		InReader, 0},
	{Versions, []string{"V"}, "V", "what differs between this version of the page and the one before", "", Reading, InReader, NeedReady},
	{NextPage, []string{")"}, ")", "the next page of the doc set", "", Reading, InReader, 0},
	{PrevPage, []string{"("}, "(", "the page before", "", Reading, InReader, 0},
	{Rightward, []string{"right", "l"}, "→ l", "scroll wide tables and code to the right", "", Reading, InReader, 0},
	{Leftward, []string{"left", "h"}, "← h", "scroll them to the left", "", Reading, InReader, 0},
	{PageDown, []string{"space"}, "space", "a page down", "", Reading, InReader, 0},
	{EditSource, []string{"e"}, "e", "open the page's file in your editor, at the line", "edit", Reading, InReader, NeedEditor},
	{Browse, []string{"u"}, "u", "open the page's URL in a browser", "", Reading, InReader, NeedBrowser | NeedURL},
	{FindDone, []string{"enter"}, "enter", "stay at the match", "stay", Reading, InFind, 0},
	{FindNext, []string{"down", "ctrl+n"}, "↓", "the next match", "next", Reading, InFind, 0},
	{FindPrev, []string{"up", "ctrl+p"}, "↑", "the match before", "before", Reading, InFind, 0},
	{Down, []string{"down", "ctrl+n"}, "↓", "down", "down", Reading, InOutline, 0},
	{Up, []string{"up", "ctrl+p"}, "↑", "up", "up", Reading, InOutline, 0},
	{PageDown, []string{"pgdown"}, "pgdn", "a page down", "", Reading, InOutline, 0},
	{PageUp, []string{"pgup"}, "pgup", "a page up", "", Reading, InOutline, 0},
	{OutlineGo, []string{"enter"}, "enter", "go there", "go", Reading, InOutline, 0},
	{LinkDigit, []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, "0–9", "follow the link of that number", "follow", Reading,
		InLinks, 0},
	{LinkGo, []string{"enter"}, "enter", "follow the number typed; a web address opens the browser", "open", Reading, InLinks, 0},

	{PrevPhase, []string{"left", "[", "h"}, "← [", "the step before", "", Phases, hits, 0},
	{NextPhase, []string{"right", "]"}, "→ ]", "the step after", "", Phases, hits, 0},
	{NthPhase, []string{"1", "2", "3", "4", "5", "6", "7", "8"}, "1–8", "the step with that number", "steps", Phases, hits, 0},

	{CopyFinal, []string{"y"}, "y", "copy the answer, with its sources", "copy", Taking, hits, NeedResult | NeedFinal},
	{Extent, []string{"v"}, "v", "answer with the sections that fit, or with whole pages", "extent", Change, hits, NeedResult},
	{Question, []string{"/"}, "/", "ask another question; esc keeps it for later", "ask", Asking, hits | InFirst, 0},
	{CopyCitation, []string{"Y"}, "Y", "copy the source of this hit, or of the whole answer", "", Taking, hits, NeedResult | NeedFinal},
	{CopySection, []string{"t"}, "t", "copy the section's text", "", Taking, InHits | InPreview | InReader, NeedSection},
	{CopyCode, []string{"b"}, "b", "copy a code block of the section, by its number", "", Taking, InHits | InPreview | InReader,
		NeedSection},
	{CopyCommand, []string{"$"}, "$", "copy the shell command that gives this answer", "", Taking, InPane | InPreview, NeedResult},
	{WriteFinal, []string{"w"}, "w", "write the answer to a file", "", Taking, InPane | InPreview, NeedResult | NeedFinal},
	{SaveSession, []string{"ctrl+s"}, "ctrl+s", "save the question, your changes and the answer", "", Taking, InPane | InPreview,
		NeedResult | NeedHome},
	{Sessions, []string{"S"}, "S", "open an answer that was saved", "", Taking, InPane | InPreview, NeedReady | NeedHome},
	{Export, []string{"E"}, "E", "export the question, the steps and the answer as Markdown", "", Taking, InPane | InPreview, NeedResult},

	{Toggle, []string{"space"}, "space", "leave this section out of the answer, or include it again", "omit", Change, InHits | InPreview,
		NeedResult | NeedHit},
	{TogglePage, []string{"x"}, "x", "leave this page out of the answer, or include it again", "", Change, InHits | InPreview,
		NeedResult | NeedHit},
	{Sort, []string{"o"}, "o", "sort the hits: best first, as found, by page, by doc set", "sort", Moving, InHits, NeedResult},
	{Figures, []string{"e"}, "e", "the figures behind a hit's match", "figures", Moving, InHits | InRerank, NeedResult},
	{EditQuery, []string{"e", "enter"}, "e enter", "edit the query under the cursor", "edit", Change, InQueries, NeedResult},
	{AddQuery, []string{"a"}, "a", "add a query", "add", Change, InQueries, NeedResult},
	{DropQuery, []string{"x", "space", "delete"}, "x space", "drop the query under the cursor", "drop", Change, InQueries, NeedResult},
	{QueryUp, []string{"K", "shift+up"}, "K", "move the query up", "higher", Change, InQueries, NeedResult},
	{QueryDown, []string{"J", "shift+down"}, "J", "move the query down", "lower", Change, InQueries, NeedResult},
	{OwnQueries, []string{"o"}, "o", "docent's own queries again", "", Change, InQueries, NeedResult},
	{NextValue, []string{"enter", "space"}, "enter", "change what is under the cursor; + and - change a number", "change", Change, InRoute,
		NeedResult},
	{ThresholdAbove, []string{"K", "shift+up"}, "K", "move the threshold up, past one section", "one fewer", Change, InRerank, NeedResult},
	{ThresholdBelow, []string{"J", "shift+down"}, "J", "move the threshold down, past one section", "one more", Change, InRerank,
		NeedResult},
	{Rightward, []string{"shift+right", "."}, "shift+→ .", "scroll wide tables and code to the right: › marks what is cut", "right", Moving,
		InFinal, NeedResult | NeedWide},
	{Leftward, []string{"shift+left", ","}, "shift+← ,", "scroll them back to the left", "", Moving, InFinal, NeedResult | NeedWide},
	{OpenSource, []string{"enter", "l"}, "enter l", "read the page, at this line", "read", Moving, InRerank | InExtract | InFinal,
		NeedResult | NeedSource},
	{NextSection, []string{"n"}, "n", "the next section of the answer; while something is searched for: the next match", "section", Moving,
		InFinal, NeedResult},
	{PrevSection, []string{"N"}, "N", "the section before, or the match before", "", Moving, InFinal, NeedResult},
	{Search, []string{"F"}, "F", "search the answer; esc leaves what was found", "search", Moving, InFinal, NeedResult},
	{Outline, []string{"o"}, "o", "the answer's sections: type to filter, enter goes there", "", Moving, InFinal, NeedResult},
	{Links, []string{"#"}, "#", "number the links that are seen: a number follows one", "links", Moving, InFinal, NeedResult},
	{ShowBlock, []string{"B"}, "B", "the block as it is copied, or the answer as it reads", "block", Moving, InFinal, NeedResult},
	{Toggle, []string{"space"}, "space", "leave this section out of the answer, or include it again", "omit", Change,
		InRerank | InExtract | InFinal, NeedResult | NeedSource},
	{TogglePage, []string{"x"}, "x", "leave this page out of the answer, or include it again", "", Change, InRerank | InExtract | InFinal,
		NeedResult | NeedSource},
	{TogglePage, []string{"x"}, "x", "leave this page out of the answer, or include it again", "", Change, InReader,
		NeedResult | NeedHitPage},
	{Scene, []string{"s"}, "s", "the next kind of question", "other kind", Change, hits, NeedResult},
	{RaiseThreshold, []string{"+", "=", ">"}, "+ >", "keep fewer sections: raise the threshold by 0.05", "keep fewer", Change, hits,
		NeedResult},
	{LowerThreshold, []string{"-", "_", "<"}, "- <", "keep more sections: lower the threshold by 0.05", "", Change, hits, NeedResult},
	{Rerank, []string{"r"}, "r", "ranking on or off; off: as the search found them", "ranking", Change, hits, NeedResult},
	{Full, []string{"f"}, "f", "answer with the whole pages, however long", "all lines", Change, hits, NeedResult},
	{Compress, []string{"c"}, "c", "shorten the answer, for this question", "shorten", Change, hits, NeedResult},
	{Summarize, []string{"C"}, "C", "a model sums long sections up; marked as unverified", "", Change, hits, NeedResult},
	{Rerun, []string{"R"}, "R", "run what is out of date, or the whole question again", "", Change, hits, NeedResult},
	{Undo, []string{"u"}, "u", "undo the last change", "undo", Change, InPane | InPreview, NeedUndo},
	{Redo, []string{"U", "ctrl+r"}, "U", "redo the change that was undone", "", Change, InPane | InPreview, NeedRedo},
	{Sets, []string{"d"}, "d", "choose which doc sets are searched", "sets", Change, main, NeedReady | NeedSets},
	{Sets, []string{"ctrl+o"}, "ctrl+o", "choose which doc sets are searched", "sets", Change, InQuestion, NeedReady | NeedSets},
	{Everywhere, []string{"D"}, "D", "search all doc sets, and then only the project's again", "all sets", Change, hits,
		NeedReady | NeedProject},
	{Everywhere, []string{"ctrl+y"}, "ctrl+y", "search all doc sets, and then only the project's again", "all sets", Change, InQuestion,
		NeedReady | NeedProject},
	{Pick, []string{"space", "x"}, "space", "take the doc set in or out", "pick", Change, InSets, NeedSets},
	{Apply, []string{"enter"}, "enter", "narrow to the doc sets picked", "apply", Change, InSets, 0},

	{Library, []string{"L"}, "L", "the library: doc sets and their pages; add, update, remove", "library", Shelf,
		InPane | InPreview | InSets | InFirst, NeedReady},
	{Library, []string{"ctrl+l"}, "ctrl+l", "the library: doc sets and their pages; add, update, remove", "library", Shelf, InQuestion,
		NeedReady},
	{Open, []string{"enter"}, "enter", "open the doc set, or read the page; a folder is unfolded", "open", Shelf, InLibrary, NeedReady},
	{Unfold, []string{"l", "right", "space"}, "l →", "unfold the folder, or open what is under the cursor", "", Shelf, InLibrary,
		NeedReady},
	{Fold, []string{"h", "left", "backspace"}, "h ←", "fold the folder, then back to the doc sets", "", Shelf, InLibrary, 0},
	{Versions, []string{"V"}, "V", "what differs between the doc set and its version before", "", Shelf, InLibrary, NeedReady | NeedSet},
	{Open, []string{"enter"}, "enter", "unfold the page or the section; read the line", "unfold", Shelf, InVersions, 0},
	{Unfold, []string{"l", "right", "space"}, "l →", "unfold the page or the section", "", Shelf, InVersions, 0},
	{Versions, []string{"V"}, "V", "compare two other versions", "other versions", Shelf, InVersions, NeedReady},
	{Fold, []string{"h", "left", "backspace"}, "h ←", "fold it, then what it is in", "", Shelf, InVersions, 0},
	{FindPage, []string{"/", "f"}, "/", "find pages of the doc set by their names, and what stands in their texts", "find", Shelf,
		InLibrary,
		NeedReady | NeedSet},
	{Mark, []string{"m"}, "m", "mark the page; once more takes the mark away", "", Shelf, InLibrary, NeedReady},
	{AddSet, []string{"a"}, "a", "add documentation: a folder, a name such as react@19, or an address", "add", Shelf,
		InLibrary | InFirst | InSets, NeedReady},
	{UpdateSet, []string{"u"}, "u", "bring the doc set up to date", "update", Shelf, InLibrary, NeedReady | NeedSet},
	{UpdateAll, []string{"U"}, "U", "bring all doc sets up to date", "", Shelf, InLibrary, NeedReady | NeedSets},
	{RemoveSet, []string{"x", "delete"}, "x", "forget the doc set; its files stay", "forget", Shelf, InLibrary, NeedReady | NeedSet},
	{RetryFile, []string{"t"}, "t", "read the file that was handed in, which failed or waits", "try again", Shelf, InLibrary,
		NeedReady | NeedFile},
	{CancelFile, []string{"C"}, "C", "cancel the file that waits or is being read", "", Shelf, InLibrary, NeedReady | NeedFile},
	{Accept, []string{"enter"}, "enter", "take what was typed", "accept", Shelf, InEntry, 0},
	{Complete, []string{"tab"}, "tab", "complete the folder's name; else the next field", "complete", Shelf, InEntry, 0},
	{FieldPrev, []string{"up", "ctrl+p", "shift+tab"}, "↑", "the field or page before", "", Shelf, InEntry, 0},
	{FieldNext, []string{"down", "ctrl+n"}, "↓", "the field or page after", "", Shelf, InEntry, 0},
	{Confirm, []string{"y"}, "y", "yes, forget the doc set", "forget", Shelf, InConfirm, 0},
	{CancelWork, []string{"ctrl+x"}, "ctrl+x", "cancel adding or updating", "cancel", Shelf, anywhere, NeedWork},
	{Choose, []string{"enter", "l"}, "enter", "do what is under the cursor", "choose", Shelf, InFirst, NeedReady},
	{NthFolder, []string{"1", "2", "3", "4"}, "1–4", "add that folder", "add", Shelf, InFirst, NeedReady | NeedFolder},
	{Sample, []string{"m"}, "m", "ask docent's manual a sample question", "try the manual", Shelf, InFirst, NeedReady | NeedManual},

	{NextFocus, []string{"tab"}, "tab", "to the answer", "answer", Other, InQuestion, 0},
	{NextFocus, []string{"tab"}, "tab", "the next part of the screen", "", Other, InPane | InPreview, 0},
	{PrevFocus, []string{"shift+tab"}, "shift+tab", "the part before", "", Other, InQuestion | InPane | InPreview, 0},
	{PickDown, []string{"down", "ctrl+n"}, "↓", "the next line of the list", "", Moving, InPicker | InGoTo, 0},
	{PickUp, []string{"up"}, "↑", "the line before", "", Moving, InPicker, 0},
	{PageDown, []string{"pgdown"}, "pgdn", "a page down", "", Moving, InPicker | InGoTo, 0},
	{PageUp, []string{"pgup"}, "pgup", "a page up", "", Moving, InPicker | InGoTo, 0},
	{TakeItem, []string{"enter"}, "enter", "take the line under the cursor", "take", Other, InPicker, 0},
	{RemoveItem, []string{"ctrl+d"}, "ctrl+d", "remove the line under the cursor: a question, a saved session, a mark", "remove", Other,
		InPicker, 0},
	{TakeText, []string{"enter"}, "enter", "take what was typed", "take", Other, InPrompt, 0},
	{Palette, []string{"ctrl+p"}, "ctrl+p", "find an action by its name", "actions", Other,
		anywhere &^ (InPicker | InPrompt | InEntry | InConfirm), 0},
	{NextPassage, []string{"n"}, "n", "show the passage behind this one in the preview", "passage", Moving, InHits | InPreview,
		NeedResult | NeedHit | NeedSection},
	{PrevPassage, []string{"N"}, "N", "show the passage before this one in the preview", "", Moving, InHits | InPreview,
		NeedResult | NeedHit | NeedSection},
	{FoldPassage, []string{"Z"}, "Z", "show the folded lines of a long passage in the preview, or fold them", "", Moving,
		InHits | InPreview,
		NeedResult | NeedHit | NeedSection},
	{AllowServer, []string{"A"}, "A", "ask the model server that was found: it gets questions and pages", "", Other, hits, NeedReady},
	{Theme, []string{"T"}, "T", "other colours: dark, light, high contrast, the terminal's, none", "", Other, InPane | InPreview, 0},
	{Mouse, []string{"M"}, "M", "the mouse: the app's, or the terminal's for selecting text", "", Other, InPane | InPreview | InReader, 0},
	{Suspend, []string{"ctrl+z"}, "ctrl+z", "suspend the app; fg in the shell goes on", "", Other,
		anywhere | InFind | InOutline | InLinks | InGoTo, 0},
	{Help, []string{"?", "f1"}, "?", "this help", "help", Other, scrolled, 0},
	{Help, []string{"f1", "ctrl+g"}, "f1", "this help", "help", Other, InQuestion, 0},
	{Back, []string{"esc"}, "esc", "back; while it runs: cancel", "back", Other, InQuestion | InPane | InPreview, 0},
	{Back, []string{"esc"}, "esc", "back, with nothing changed", "back", Other, InPicker | InPrompt | InGoTo, 0},
	{Back, []string{"esc", "q"}, "esc q", "close this", "back", Other, InReader | InLinks | InSets | InLibrary | InHelp | InVersions, 0},
	{Back, []string{"esc"}, "esc", "leave the line", "back", Other, InFind | InOutline, 0},
	{SearchHelp, []string{"/"}, "/", "search the help", "search", Manuals, InHelp, 0},
	{SearchDone, []string{"enter"}, "enter", "keep what was found", "keep", Manuals, InHelpFind, 0},
	{Back, []string{"esc"}, "esc", "all keys again", "back", Other, InHelpFind, 0},
	{Quit, []string{"ctrl+c"}, "ctrl+c", "quit", "quit", Other, InHelpFind, 0},
	{Back, []string{"esc"}, "esc", "leave the line or the screen", "back", Other, InEntry | InFirst, 0},
	{Back, []string{"esc", "n", "q"}, "esc n", "no, leave it as it is", "no", Other, InConfirm, 0},
	{Quit, []string{"q", "ctrl+c"}, "q", "quit", "quit", Other, InPane | InPreview | InFirst, 0},
	{Quit, []string{"ctrl+c"}, "ctrl+c", "quit", "quit", Other,
		InQuestion | InReader | InFind | InOutline | InLinks | InSets | InLibrary | InEntry | InConfirm |
			InHelp | InPicker | InPrompt | InGoTo | InVersions, 0},
}
