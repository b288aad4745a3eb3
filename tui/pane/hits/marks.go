package hits

// The marks of rows that are kept.
const (
	copiedMark = "●"
	keptMark   = "○"
)

// Mark is the row's state as one character.
func (r Row) Mark() string {
	switch {
	case r.Out:
		return "✗"
	case r.Dropped && !r.Copied:
		return "↓"
	case r.Page.BelowThreshold, r.Dropped:
		return "!"
	case r.Page.Changed:
		return "~"
	case r.Unread:
		return keptMark
	case r.Copied:
		return copiedMark
	}
	return " "
}

// MarkMeans says what the row's mark means, "" where it has none.
func (r Row) MarkMeans() string {
	switch r.Mark() {
	case "✗":
		return "left out by you"
	case "↓":
		return "under the threshold"
	case "!":
		if r.Copied {
			return "copied although it is under the threshold"
		}
		return "kept although it is under the threshold"
	case "~":
		return "its file changed since it was indexed"
	case keptMark:
		return "kept, did not fit"
	case copiedMark:
		return "copied"
	}
	return ""
}
