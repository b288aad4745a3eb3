package ingest

// LeftOut says whether a folder is no part of a doc set, by its path and its name.
func LeftOut(path, name string) bool { return leftOut(path, name) }
