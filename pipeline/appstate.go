package pipeline

// AppState is what the terminal app keeps of itself until its next start.
type AppState struct {
	Theme string `json:"theme,omitempty"` // that a person chose in the app, or ""
	Draft string `json:"draft,omitempty"` // a typed question that was not asked
}
