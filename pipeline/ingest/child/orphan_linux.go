package child

import "syscall"

// diesWithUs has the kernel kill the program when this process is killed. It does so too
// when the thread that started the program ends, so Run keeps its thread.
func diesWithUs(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
