//go:build !race

package main

// underRace reports whether the race detector is enabled.
const underRace = false
