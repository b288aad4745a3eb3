package shelf

// OpenFailure is why the doc sets could not be opened, "" where they could.
type OpenFailure string

// The parts of a message about it.
const (
	unopened  = "the doc sets cannot be opened"
	openAgain = "enter tries again"
)

// Text is the failure with what to do, over several lines: the status line cuts a long text in
// its middle, where the fault of a configuration stands.
func (f OpenFailure) Text() string {
	if f == "" {
		return ""
	}
	return "✗ " + unopened + ":\n" + string(f) + "\n\n" + openAgain + ". f1 lists the keys."
}
