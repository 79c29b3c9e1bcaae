// Package classify turns what a mode saw (*provider.Failure) into what it means (*engine.Error): one of the reasons of
// CONTRACT 6, how long the server asks to wait, and a hint for the user. The knowledge is in the *_table.go files.
//
// It refuses to decide what is done about a failure, and to let a key, a page of HTML or a terminal's control
// characters into a message.
package classify
