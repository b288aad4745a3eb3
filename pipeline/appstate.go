package pipeline

// AppState is what the terminal app keeps of itself until its next start.
type AppState struct {
	Theme string `json:"theme,omitempty"` // that a person chose in the app, "" for none
	Draft string `json:"draft,omitempty"` // a question that was begun and not asked
}
