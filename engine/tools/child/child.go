//go:build unix

// Package child starts this program once more as one of its own small parts: a process with one task and one socket to
// its parent. Such a part outlives a kill -9 of the parent by just as long as it takes to read the end of the socket,
// and can itself be killed without harm to the parent.
//
// A part is a function that a package registers in its init, so it exists in every binary that holds the package, a test
// binary included. It runs in place of main. The package refuses to know what the parts do.
package child

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// socket is the file descriptor of the part's end of the socket.
const socket = 3

// Register names a part. It must be called from an init. In a process that was started as this part it runs main with
// the socket to the parent, on the thread that lives as long as the process, and ends the process with its exit code.
func Register(name string, main func(parent *os.File) int) {
	if len(os.Args) != 1 || os.Args[0] != name {
		return
	}
	syscall.CloseOnExec(socket)
	os.Exit(main(os.NewFile(socket, name)))
}

// Command returns a command that starts the named part, and the parent's end of its socket. The caller sets the rest
// and starts it; it closes the second file after the start, and the first when the part is not needed any more.
func Command(name string) (cmd *exec.Cmd, parent, part *os.File, err error) {
	self, err := program()
	if err != nil {
		return nil, nil, nil, fmt.Errorf("find this program: %w", err)
	}
	syscall.ForkLock.RLock()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fds[0])
		syscall.CloseOnExec(fds[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, nil, fmt.Errorf("make a socket: %w", err)
	}
	if err := syscall.SetNonblock(fds[0], true); err != nil {
		syscall.Close(fds[0])
		syscall.Close(fds[1])
		return nil, nil, nil, fmt.Errorf("make a socket: %w", err)
	}
	parent, part = os.NewFile(uintptr(fds[0]), name), os.NewFile(uintptr(fds[1]), name)
	cmd = &exec.Cmd{Path: self, Args: []string{name}, ExtraFiles: []*os.File{part}}
	return cmd, parent, part, nil
}

// program is the file of this program. On Linux that is the one that runs, even when it was replaced since.
func program() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}
