//go:build unix

package plain

import (
	"os"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// Echo returns what stops a terminal from showing what is typed while on is true, and puts that back; nil where f is none.
func Echo(f *os.File) func(on bool) {
	if !term.IsTerminal(f.Fd()) {
		return nil
	}
	hidden := false
	return func(on bool) {
		s, err := term.GetState(f.Fd())
		if err != nil || on == hidden {
			return
		}
		hidden = on
		if on {
			s.Termios.Lflag &^= unix.ECHO
		} else {
			s.Termios.Lflag |= unix.ECHO
		}
		_ = term.SetState(f.Fd(), s) // a terminal that refuses shows the key; nothing else can be done about it
	}
}
