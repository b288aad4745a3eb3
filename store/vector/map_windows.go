package vector

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// mapFile maps a file for reading, so that opening costs nothing and pages are
// shared with other processes. size must be greater than zero.
func mapFile(f *os.File, size int) ([]byte, error) {
	h, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, os.NewSyscallError("CreateFileMapping", err)
	}
	addr, err := windows.MapViewOfFile(h, windows.FILE_MAP_READ, 0, 0, uintptr(size))
	cerr := windows.CloseHandle(h) // the view keeps the mapping
	if err != nil {
		return nil, os.NewSyscallError("MapViewOfFile", err)
	}
	// The address is no Go memory; taken through a pointer to it, as the checker
	// of unsafe conversions asks.
	b := unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&addr))), size)
	return b, cerr
}

// releaseBytes does nothing: the system takes back mapped memory that it needs.
func releaseBytes([]byte) {}

func unmapBytes(b []byte) error {
	return windows.UnmapViewOfFile(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
}
