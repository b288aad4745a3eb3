//go:build !race

package main

// underRace says that the race detector watches.
const underRace = false
