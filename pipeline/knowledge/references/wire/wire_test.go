package wire

import "testing"

// All values come back as they were written, and nothing comes from a record that is cut short.
func TestWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	w := &Writer{}
	w.WriteNumber(-7)
	w.WriteString("gasket")
	w.WriteFlag(true)
	w.WriteScore(.625)
	r := &Reader{B: w.B}
	if n, s, ok, f := r.ReadNumber(), r.ReadString(), r.ReadFlag(), r.ReadScore(); n != -7 || s != "gasket" || !ok || f != .625 || r.Bad || len(r.B) > 0 {
		t.Errorf("%v %q %v %v, bad %v, %d bytes left", n, s, ok, f, r.Bad, len(r.B))
	}
	r = &Reader{B: w.B[:4]}
	r.ReadNumber()
	if s := r.ReadString(); s != "" || !r.Bad || r.ReadNumber() != 0 {
		t.Errorf("a text that is cut short is read as %q", s)
	}
}
