// Package board is the one list that many overlays are: rows, what is known of the row in use below them, choices that
// are never hidden, and a line to change something in. The owner fills it and says what keys do. It refuses to load
// anything itself, to run a key that it does not show, and to cut choices before content.
package board
