package keymap

// Need is a set of conditions of an action.
type Need uint32

// The needs. Where several are missing, a person gets the reason of the first.
const (
	NeedReady   Need = 1 << iota // the doc sets are open
	NeedResult                   // a question has been run
	NeedHit                      // a hit is under the cursor, in the hits
	NeedFinal                    // there is a final block
	NeedSets                     // there is a doc set
	NeedManual                   // the manual is one of them
	NeedUndo                     // there is a change to undo
	NeedRedo                     // there is an undone change
	NeedHome                     // the program has a place for sessions
	NeedSection                  // the reader or the preview shows a section
	NeedSource                   // the line or document under the cursor has a source
	NeedSet                      // a doc set is under the cursor of the library
	NeedWork                     // a doc set is being added or updated
	NeedHitPage                  // the page in the reader is one that the question found
	NeedEditor                   // an editor is known
	NeedBrowser                  // there is a program that opens a browser
	NeedURL                      // the page in the reader names its URL
	NeedFolder                   // the first screen lists a folder
	NeedProject                  // the app was started in a project whose documentation is here
	NeedWide                     // a visible line of the answer is wider than the pane
	NeedFile                     // a file that was handed in and is no page is under the cursor of the library
)

var reasons = []struct {
	need   Need
	reason string
}{
	{NeedReady, "the doc sets are still being opened"},
	{NeedResult, "no question has been run yet: type one and press enter"},
	{NeedHit, "there is no hit under the cursor: 4 shows the hits"},
	{NeedFinal, "there is no answer to take: nothing was found, or it is not finished"},
	{NeedSets, "there are no doc sets yet: add one in the library (ctrl+l)"},
	{NeedUndo, "nothing was changed since the question was run"},
	{NeedRedo, "nothing was taken back"},
	{NeedHome, "nothing can be saved: docent was started without a home folder"},
	{NeedSection, "there is no section to copy: 4 shows the hits, enter opens one"},
	{NeedSource, "there is no line of a document under the cursor"},
	{NeedHitPage, "the question did not find this page, so the answer has nothing of it"},
	{NeedEditor, "no editor is known: set VISUAL or EDITOR in your shell"},
	{NeedBrowser, "no program was found that opens a browser"},
	{NeedURL, "the page does not say where it is on the web"},
	{NeedManual, "the manual is not among the doc sets: docent help shows it in the shell"},
	{NeedSet, "there is no doc set under the cursor"},
	{NeedFolder, "no folder was found that looks like documentation: a adds any"},
	{NeedFile, "there is no file under the cursor that was handed in and is no page"},
	{NeedWide, "no line of the answer is cut here"},
	{NeedProject, "this folder has no docent.lock: docent sync writes one"},
	{NeedWork, "nothing is being added or updated"},
}

// ReasonWithout says what an action with these needs lacks when only have is met, ""
// when it lacks nothing.
func (need Need) ReasonWithout(have Need) string {
	for _, r := range reasons {
		if need&r.need != 0 && have&r.need == 0 {
			return r.reason
		}
	}
	return ""
}
