package child

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// LimitsMemory reports whether the memory of programs is limited on this system.
const LimitsMemory = true

// setLimits puts a program that has just started into a job object with a limit on the memory
// of each of its processes. All of them end when release closes the object, and when this
// process ends, which closes it too. Where the object cannot be made, the program has its
// other limits alone.
func setLimits(pid int, l Limits) (release func()) {
	none := func() {}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return none
	}
	closeJob := func() { _ = windows.CloseHandle(job) }
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
	if l.Memory > 0 {
		info.BasicLimitInformation.LimitFlags |= windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY
		info.ProcessMemoryLimit = uintptr(l.Memory)
	}
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)),
		uint32(unsafe.Sizeof(info))); err != nil {
		closeJob()
		return none
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		closeJob()
		return none
	}
	err = windows.AssignProcessToJobObject(job, process)
	_ = windows.CloseHandle(process)
	if err != nil {
		closeJob()
		return none
	}
	return closeJob
}
