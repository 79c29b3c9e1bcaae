// Package coax asks a model once more, in other words, when its reply held nothing to go on with (BEHAVIOUR 6.2): after
// tool results it is told to take them up, after reasoning alone it is told to say what came of it. Models that stop there
// do so again when the same request is repeated, which is what route does with any empty reply; so this comes first.
//
// What it adds stands in the one request and nowhere else: it is never stored, and never shown as the user's words. It
// refuses to wait, to count failures, and to judge text that came.
package coax
