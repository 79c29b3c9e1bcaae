// Package guard decides whether a call may run: it is the Gate that stands between the model and the user's machine.
//
// A command is parsed as a shell parses it and every simple command in it is looked at, also inside substitutions,
// wrappers such as sudo or xargs, and the text given to sh -c. A path is followed through its links to where a write would land.
// Three kinds of tables hold the policy: what is never run (the hard line), what is pointed out as dangerous, and what a
// remembered rule may cover. A rule covers only what is proved to be no more than it says; all else is asked, and where
// nobody can be asked the call does not run.
//
// The package is no sandbox. The hard line catches accidents, in whatever spelling; it cannot know what a program does
// that the model wrote itself. It runs nothing, opens no file but links and directories, and remembers session rules in memory only.
//
// It also holds what keeps secrets from travelling: Redact for text, CleanEnv for the environment of processes.
package guard
