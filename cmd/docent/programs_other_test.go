//go:build !unix

package main

// programs are the commands that the test binary runs if it is started under their
// names.
func programs() map[string]func() {
	return map[string]func(){"docent": main, commandsProgram: runCommands}
}
