//go:build unix

package main

// programs are the commands that this test's binary can be.
func programs() map[string]func() { return map[string]func(){"docent": main, "stumble": stumble} }
