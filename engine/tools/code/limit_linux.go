package code

import "golang.org/x/sys/unix"

// limit bounds what this process may allocate, and what it may do to the machine: no file it could make has any size, and
// it can start no process.
func limit() {
	for what, max := range map[int]uint64{unix.RLIMIT_DATA: dataMax, unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: 0} {
		unix.Setrlimit(what, &unix.Rlimit{Cur: max, Max: max})
	}
}
