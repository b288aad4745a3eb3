package home

import (
	"docent/pipeline/contract"
	"fmt"
)

// Finding is one thing that Doctor looked at.
type Finding struct {
	Check string `json:"check"`
	OK    bool   `json:"ok"`
	Text  string `json:"text"`
	// Mend is the remedy in words. Doctor writes the part that every door says
	// alike; a door adds its words for Remedy.
	Mend   string           `json:"mend,omitempty"`
	Remedy *contract.Remedy `json:"-"`
}

// Failed makes a finding a fault.
func (f Finding) Failed(err error, mend string, r *contract.Remedy) Finding {
	f.OK, f.Text, f.Mend, f.Remedy = false, err.Error(), mend, r
	return f
}

func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
