//go:build race

package main

// raced: this test binary has the race detector, so the program under test gets it too.
const raced = true
