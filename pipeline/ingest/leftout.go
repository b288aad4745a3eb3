package ingest

// LeftOut reports whether a folder is no part of a doc set, by its path and its name.
func LeftOut(path, name string) bool { return leftOut(path, name) }
