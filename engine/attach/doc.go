// Package attach reads what "@" in a message names: a file, some of its lines, a folder's names, or a picture. What it
// reads goes into the copy of the message that is sent, never into the session.
//
// It refuses files that hold keys, text outside the working directory and --add-dir, and to send a file larger than its
// caps whole: then the first and last lines go, and both the user and the model are told.
package attach
