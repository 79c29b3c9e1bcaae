package shell

import "regexp"

// systemDirs are folders whose loss ends the system or all of a user's work (BEHAVIOUR 13.1).
var systemDirs = []string{
	"/", "/home", "/root", "/etc", "/usr", "/var", "/bin", "/sbin", "/boot", "/lib", "/lib32", "/lib64", "/dev", "/proc", "/sys", "/opt", "/srv", "/run",
	"/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib64", "/usr/local", "/var/lib", "/Users", "/System", "/Library", "/Applications", "/private", "/private/etc",
	"/private/var", "/Volumes",
}

// devicePath is the path of a disk or a part of one.
var devicePath = regexp.MustCompile(`^/dev/(sd|nvme|hd|mmcblk|vd|xvd|disk|rdisk|md|dm-|mapper/.|nbd|disk/)`)

// formatters make a file system or wipe a disk, under whatever suffix.
var formatters = []string{"mkfs", "mkfs.*", "mke2fs", "newfs", "newfs_*", "mkdosfs", "mkntfs"}

// powerOff are programs that stop the machine.
var powerOff = []string{"shutdown", "reboot", "halt", "poweroff", "telinit"}

// powerUnits are the words after systemctl or loginctl that do.
var powerUnits = []string{"poweroff", "reboot", "halt", "kexec", "soft-reboot", "rescue", "emergency"}

// diskWriters are programs that write to the devices among their arguments.
var diskWriters = []string{"dd", "tee", "cp", "mv", "shred", "wipe", "wipefs", "blkdiscard", "badblocks", "install", "truncate", "sgdisk", "mkswap"}
