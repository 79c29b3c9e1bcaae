// Package compress makes a long history short: it prunes what is old and bulky without a model, and when that is not
// enough has the middle summarised, with the beginning and the newest part kept word for word.
//
// It works on copies: the history it is given is never changed, and when anything fails there is no result, so that no
// turn is ever dropped without being in a summary. It refuses to part a call from its results, to put the words of an
// old message where the model would take them for a new request, and to return what is not smaller.
package compress
