// Package providertest holds what tests of providers and of their users share: a scripted model, an HTTP server
// without sockets (for testing/synctest), readers that cut bytes anywhere, writers of the wire formats, and the suite
// that every API mode has to pass.
//
// It is imported by tests only, and refuses to know any one API mode: a mode hands its own Wire to Run.
package providertest
