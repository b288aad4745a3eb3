package man

import "strings"

// standards are the names of the standards that St refers to.
var standards = map[string]string{
	"-p1003.1":       "IEEE Std 1003.1 (“POSIX.1”)",
	"-p1003.1-88":    "IEEE Std 1003.1-1988 (“POSIX.1”)",
	"-p1003.1-90":    "IEEE Std 1003.1-1990 (“POSIX.1”)",
	"-p1003.1-96":    "ISO/IEC 9945-1:1996 (“POSIX.1”)",
	"-p1003.1-2001":  "IEEE Std 1003.1-2001 (“POSIX.1”)",
	"-p1003.1-2004":  "IEEE Std 1003.1-2004 (“POSIX.1”)",
	"-p1003.1-2008":  "IEEE Std 1003.1-2008 (“POSIX.1”)",
	"-p1003.1-2024":  "IEEE Std 1003.1-2024 (“POSIX.1”)",
	"-p1003.1b":      "IEEE Std 1003.1b (“POSIX.1b”)",
	"-p1003.1b-93":   "IEEE Std 1003.1b-1993 (“POSIX.1b”)",
	"-p1003.1c-95":   "IEEE Std 1003.1c-1995 (“POSIX.1c”)",
	"-p1003.1g-2000": "IEEE Std 1003.1g-2000 (“POSIX.1g”)",
	"-p1003.1i-95":   "IEEE Std 1003.1i-1995 (“POSIX.1i”)",
	"-p1003.2":       "IEEE Std 1003.2 (“POSIX.2”)",
	"-p1003.2-92":    "IEEE Std 1003.2-1992 (“POSIX.2”)",
	"-p1003.2a-92":   "IEEE Std 1003.2a-1992 (“POSIX.2”)",
	"-iso9945-1-90":  "ISO/IEC 9945-1:1990 (“POSIX.1”)",
	"-iso9945-1-96":  "ISO/IEC 9945-1:1996 (“POSIX.1”)",
	"-iso9945-2-93":  "ISO/IEC 9945-2:1993 (“POSIX.2”)",
	"-ansiC":         "ANSI X3.159-1989 (“ANSI C89”)",
	"-ansiC-89":      "ANSI X3.159-1989 (“ANSI C89”)",
	"-isoC":          "ISO/IEC 9899:1990 (“ISO C90”)",
	"-isoC-90":       "ISO/IEC 9899:1990 (“ISO C90”)",
	"-isoC-amd1":     "ISO/IEC 9899/AMD1:1995 (“ISO C90, Amendment 1”)",
	"-isoC-tcor1":    "ISO/IEC 9899/TCOR1:1994 (“ISO C90, Technical Corrigendum 1”)",
	"-isoC-tcor2":    "ISO/IEC 9899/TCOR2:1995 (“ISO C90, Technical Corrigendum 2”)",
	"-isoC-99":       "ISO/IEC 9899:1999 (“ISO C99”)",
	"-isoC-2011":     "ISO/IEC 9899:2011 (“ISO C11”)",
	"-isoC-2023":     "ISO/IEC 9899:2024 (“ISO C23”)",
	"-xpg3":          "X/Open Portability Guide Issue 3 (“XPG3”)",
	"-xpg4":          "X/Open Portability Guide Issue 4 (“XPG4”)",
	"-xpg4.2":        "X/Open Portability Guide Issue 4, Version 2 (“XPG4.2”)",
	"-xsh4.2":        "X/Open System Interfaces and Headers Issue 4, Version 2 (“XSH4.2”)",
	"-xsh5":          "X/Open System Interfaces and Headers Issue 5 (“XSH5”)",
	"-xcu5":          "X/Open Commands and Utilities Issue 5 (“XCU5”)",
	"-xns5":          "X/Open Networking Services Issue 5 (“XNS5”)",
	"-xns5.2":        "X/Open Networking Services Issue 5.2 (“XNS5.2”)",
	"-xcurses4.2":    "X/Open Curses Issue 4, Version 2 (“XCURSES4.2”)",
	"-susv1":         "Version 1 of the Single UNIX Specification (“SUSv1”)",
	"-susv2":         "Version 2 of the Single UNIX Specification (“SUSv2”)",
	"-susv3":         "Version 3 of the Single UNIX Specification (“SUSv3”)",
	"-susv4":         "Version 4 of the Single UNIX Specification (“SUSv4”)",
	"-svid4":         "System V Interface Definition, Fourth Edition (“SVID4”)",
	"-ieee754":       "IEEE Std 754-1985",
	"-ieee1275-94":   "IEEE Std 1275-1994 (“Open Firmware”)",
	"-iso8601":       "ISO 8601",
	"-iso8802-3":     "ISO 8802-3: 1989",
}

// libraries are the names of libraries that Lb refers to, without "lib".
var libraries = map[string]string{
	"archive": "Streaming Archive Library", "arm": "ARM Architecture Library", "bsm": "Basic Security Module Library",
	"bluetooth": "Bluetooth Library", "c": "Standard C Library", "c_r": "Reentrant C Library", "calendar": "Calendar Arithmetic Library",
	"cam": "Common Access Method User Library", "casper": "Casper Library", "cipher": "FreeSec Crypt Library",
	"compat": "Compatibility Library", "crypt": "Crypt Library", "curses": "Curses Library", "cuse": "Userland Character Device Library",
	"devattr": "Device attribute and event library", "devinfo": "Device and Resource Information Utility Library",
	"devstat": "Device Statistics Library", "dwarf": "DWARF Access Library", "edit": "Command Line Editor Library",
	"efi": "EFI Runtime Services Library", "elf": "ELF Access Library", "event": "Event Notification Library",
	"execinfo": "Backtrace Information Library", "fetch": "File Transfer Library", "form": "Curses Form Library",
	"geom": "Userland API Library for Kernel GEOM subsystem", "gpio": "General-Purpose Input Output (GPIO) library",
	"hammer": "HAMMER Filesystem Userland Library", "i386": "i386 Architecture Library",
	"intl": "Internationalized Message Handling Library", "ipsec": "IPsec Policy Control Library", "iscsi": "iSCSI protocol library",
	"isns": "Internet Storage Name Service Library", "jail": "Jail Library", "kiconv": "Kernel-side iconv Library",
	"kvm": "Kernel Data Access Library", "m": "Math Library", "magic": "Magic Number Recognition Library",
	"md": "Message Digest (MD4, MD5, etc.) Support Library", "memstat": "Kernel Memory Allocator Statistics Library",
	"menu": "Curses Menu Library", "mj": "Minimalist JSON library", "netgraph": "Netgraph User Library",
	"netpgp": "Netpgp Signing, Verification, Encryption and Decryption", "npf": "NPF Packet Filter Library",
	"nv": "Name/value pairs library", "ossaudio": "OSS Audio Emulation Library", "pam": "Pluggable Authentication Module Library",
	"panel": "Z-order for curses windows", "pcap": "Packet capture Library", "pci": "PCI Bus Access Library",
	"pmc": "Performance Counters Library", "ppath": "Property-List Paths Library", "proc": "Processor Monitoring and Analysis Library",
	"procstat": "Process and Files Information Retrieval", "pthread": "POSIX Threads Library", "puffs": "puffs Convenience Library",
	"quota": "Disk Quota Access and Control Library", "radius": "RADIUS Client Library",
	"refuse": "File System in Userspace Convenience Library", "resolv": "DNS Resolver Library",
	"rpcsec_gss": "RPC GSS-API Authentication Library", "rpcsvc": "RPC Service Library", "rt": "POSIX Real-time Library",
	"saslc": "Simple Authentication and Security Layer client library", "sbuf": "Safe String Composition Library",
	"sdp": "Bluetooth Service Discovery Protocol User Library", "ssp": "Buffer Overflow Protection Library",
	"stdthreads": "C11 Threads Library", "System": "System Library", "sysdecode": "System Argument Decoding Library",
	"tacplus": "TACACS+ Client Library", "tcplay": "TrueCrypt-compatible API library", "terminfo": "Terminal Information Library",
	"thr": "1:1 Threading Library", "ufs": "UFS File System Access Library", "ugidfw": "File System Firewall Interface Library",
	"ulog": "User Login Record Library", "usbhid": "USB Human Interface Devices Library", "util": "System Utilities Library",
	"vgl": "Video Graphics Library", "x86_64": "x86_64 Architecture Library", "xo": "Text, XML, JSON, and HTML Output Emission Library",
	"z": "Compression Library",
}

// libraryName is the text of Lb.
func libraryName(name string) string {
	short := strings.TrimPrefix(name, "lib")
	if title := libraries[short]; title != "" {
		return title + " (" + name + ", -l" + short + ")"
	}
	return "library “" + name + "”"
}

// systems are macros that stand for a name.
var systems = map[string]string{"Ux": "UNIX", "Bx": "BSD", "Bsx": "BSD/OS", "Nx": "NetBSD", "Fx": "FreeBSD", "Ox": "OpenBSD",
	"Dx": "DragonFly", "At": "AT&T UNIX"}

// systemName is the text of a macro for a system with the version behind it, and how many
// arguments that took.
func systemName(macro string, args []string) (string, int) {
	name := systems[macro]
	if len(args) == 0 || macro == "Ux" || !isVersion(args[0]) {
		return name, 0
	}
	version := args[0]
	switch macro {
	case "At":
		return releaseOfUNIX(version), 1
	case "Bx":
		if len(args) > 1 && !isMacro(args[1]) && !closes(args[1]) && startsLikeEdition(args[1]) {
			return version + "BSD-" + strings.ToUpper(args[1][:1]) + args[1][1:], 2
		}
		return version + "BSD", 1
	}
	return name + " " + version, 1
}

// isVersion reports whether an argument of a macro for a system is a version.
func isVersion(arg string) bool {
	return arg != "" && (arg[0] >= '0' && arg[0] <= '9' || arg == "III" || arg == "V" || strings.HasPrefix(arg, "V.") ||
		len(arg) == 2 && arg[0] == 'v')
}

// startsLikeEdition reports whether an argument is an edition of a release of BSD: Reno, Lite2, 0.1.
func startsLikeEdition(arg string) bool {
	switch strings.ToLower(strings.TrimRight(arg, "12")) {
	case "reno", "tahoe", "lite", "alpha", "net", "0.":
		return true
	}
	return false
}

// releaseOfUNIX is the text of At with a version.
func releaseOfUNIX(version string) string {
	switch {
	case version == "32v":
		return "Version 7 AT&T UNIX/32V"
	case version[0] == 'v':
		return "Version " + version[1:] + " AT&T UNIX"
	case strings.HasPrefix(version, "V."):
		return "AT&T System V Release " + version[2:] + " UNIX"
	}
	return "AT&T System " + version + " UNIX"
}

// exitText is the text of Ex: how commands exit.
func exitText(names []string) string {
	if len(names) > 1 {
		return "The " + listed(names, "") + " utilities exit 0 on success, and >0 if an error occurs."
	}
	return "The " + listed(names, "") + " utility exits 0 on success, and >0 if an error occurs."
}

// returnText is the text of Rv: what functions return.
func returnText(names []string) string {
	const otherwise = "otherwise the value -1 is returned and the global variable errno is set to indicate the error."
	switch len(names) {
	case 0:
		return "Upon successful completion, the value 0 is returned; " + otherwise
	case 1:
		return "The " + names[0] + "() function returns the value 0 if successful; " + otherwise
	}
	return "The " + listed(names, "()") + " functions return the value 0 if successful; " + otherwise
}

// listed is names with something behind each, in a sentence.
func listed(names []string, behind string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "") + behind
	}
	and := " and "
	if last > 1 {
		and = ", and "
	}
	return strings.Join(names[:last], behind+", ") + behind + and + names[last] + behind
}
