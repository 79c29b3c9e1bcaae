// Package probe finds out how large a model's context really is: by asking the server that runs it, in the server's own
// way, and by remembering what servers said when a request did not fit.
//
// It refuses to guess: a server that does not know gives 0 and no error, and nothing is taken from a model's name. It
// sends nothing but questions about models, and no key to any address but the one it belongs to.
package probe
