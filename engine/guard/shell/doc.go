// Package shell reads a command line as a shell would, without running any of it, and says what it would do: every
// simple command in it, also inside substitutions, functions, wrappers such as sudo or xargs, the text given to sh -c and
// here-documents fed to a shell; what the hard line forbids; and which rows of the danger table it is in.
//
// Two kinds of answers must not be mixed up. Analyse is generous: it follows whatever may run, to find harm. Plain is
// strict: it gives the words of a command only where nothing in it is hidden, since a rule may cover no other.
package shell
