package child

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// systemFolders are what programs of the system read: themselves, libraries, fonts, trained
// data, what the dynamic linker looks up. /etc and /proc are left out but for these, and so
// are the homes of users.
var systemFolders = []string{
	"/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/opt", "/nix/store", "/gnu/store", "/snap", "/home/linuxbrew",
	"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/alternatives", "/etc/fonts", "/etc/localtime",
	"/var/cache/fontconfig", "/sys/devices/system/cpu", "/proc/cpuinfo", "/proc/meminfo", "/dev/urandom", "/dev/random", "/dev/zero",
}

// What a rule can allow of a folder, and of a file.
const (
	readFolder = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	ofFiles    = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
)

// landlockVersion is the version of Landlock that the kernel has; 0: none, or it is not
// allowed to this process.
func landlockVersion() int {
	n, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(n)
}

// Confines reports whether programs can be confined on this system: see Program.
func Confines() bool { return landlockVersion() > 0 }

// handledAccess is what a version of Landlock can forbid.
func handledAccess(version int) unix.LandlockRulesetAttr {
	a := unix.LandlockRulesetAttr{Handled_access_fs: 1<<13 - 1} // EXECUTE to MAKE_SYM, since version 1
	if version >= 2 {
		a.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		a.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 4 {
		a.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if version >= 5 {
		a.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if version >= 6 {
		a.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	return a
}

// startConfined starts a program on a thread that is confined, which the program
// inherits. The thread stays until release is called, and ends then: nothing else ever
// runs on it.
func startConfined(cmd *exec.Cmd, p Program) (release func(), err error) {
	version := landlockVersion()
	if !p.Confined || version == 0 {
		return startAsIs(cmd)
	}
	started, ended := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread() // and never unlocked, so that the thread ends with this goroutine
		err := confineThread(p, version)
		if err == nil {
			err = cmd.Start()
		}
		started <- err
		<-ended
	}()
	return func() { close(ended) }, <-started
}

// confineThread confines the thread that calls it, for ever.
func confineThread(p Program, version int) error {
	handled := handledAccess(version)
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&handled)), unsafe.Sizeof(handled), 0)
	if errno != 0 {
		return fmt.Errorf("confine it: %w", errno)
	}
	rules := int(fd)
	defer unix.Close(rules)
	allow := func(path string, access uint64) error {
		return allowBelow(rules, path, access&handled.Handled_access_fs)
	}
	readable := append(installationOf(p.Path), systemFolders...)
	for _, v := range p.Env {
		if name, path, _ := strings.Cut(v, "="); name == "TESSDATA_PREFIX" && filepath.IsAbs(path) {
			readable = append(readable, path)
		}
	}
	for _, path := range readable {
		if err := allow(path, readFolder); err != nil {
			return err
		}
	}
	if err := allow(os.DevNull, readFolder|unix.LANDLOCK_ACCESS_FS_WRITE_FILE); err != nil {
		return err
	}
	if p.Dir != "" {
		if err := allow(p.Dir, handled.Handled_access_fs&^unix.LANDLOCK_ACCESS_FS_EXECUTE); err != nil {
			return err
		}
	}
	// The kernel wants this of every process but root's.
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("confine it: %w", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(rules), 0, 0); errno != 0 {
		return fmt.Errorf("confine it: %w", errno)
	}
	return nil
}

// installationOf lists a program's own paths, for programs outside of the system's folders:
// its file, and the folders next to its bin folder.
func installationOf(path string) []string {
	out := []string{path}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return out
	}
	out = append(out, real)
	if bin := filepath.Dir(real); filepath.Base(bin) == "bin" {
		for _, name := range []string{"lib", "lib64", "libexec", "share", "etc"} {
			out = append(out, filepath.Join(filepath.Dir(bin), name))
		}
	}
	return out
}

// allowBelow adds a rule for a path and everything below it. A path that is not there needs
// no rule.
func allowBelow(rules int, path string, access uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EACCES) || errors.Is(err, unix.ENOTDIR) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("confine it: open %s: %w", path, err)
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return fmt.Errorf("confine it: look at %s: %w", path, err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= ofFiles
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return fmt.Errorf("confine it: allow %s: %w", path, errno)
	}
	return nil
}
